#pragma once
/// JSON of a user's file in which every value has its line number, so that error messages can name the line.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nccl_analyze {

/// A JSON value. Besides `kind`, `line` and `key`, only the member for its kind is set.
struct LocatedJson {
  enum class Kind : std::uint8_t { null, boolean, number, text, array, object };
  Kind kind = Kind::null;
  std::size_t line = 0;
  bool boolean = false;
  std::optional<std::int64_t> integer;  ///< A whole number; nullopt if it has a fraction or exceeds std::int64_t.
  std::string text;
  std::string key;                 ///< Name of a member of an object; empty for other values.
  std::vector<LocatedJson> items;  ///< Items of an array or members of an object, in file order; keys are unique.

  /// Returns the member with this name, or nullptr if there is none or the value is not an object.
  const LocatedJson* find(std::string_view name) const;
};
/// Returns the name of the kind for error messages: `a text`, `an object`.
std::string_view kind_name(LocatedJson::Kind kind);

/// An error in a user's file. Lines count from 1.
struct FileError {
  std::size_t line = 0;
  std::string what;
};
/// Returns `path:12: what`.
std::string error_text(std::string_view path, const FileError& error);

/// The value of a whole file, or the reason why the file was not accepted.
struct LocatedDocument {
  LocatedJson root;
  std::optional<FileError> error;
};
/// Parses at most 1 MiB of JSON, nested at most 16 levels deep. Comments (`//`, `/* */`) are allowed.
LocatedDocument parse_located_json(std::string_view text);

}  // namespace nccl_analyze
