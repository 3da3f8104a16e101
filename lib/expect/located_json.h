#pragma once
/// JSON of a user's file, every value with the line where it stands: mistakes in it are told by line.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nccl_analyze {

struct LocatedJson {
  enum class Kind : std::uint8_t { null, boolean, number, text, array, object };
  Kind kind = Kind::null;
  std::size_t line = 0;
  bool boolean = false;
  std::optional<std::int64_t> integer;  ///< Of a number without a fraction.
  std::string text;
  std::string key;                 ///< Of a member of an object.
  std::vector<LocatedJson> items;  ///< Of an array; the members of an object in the order of the text, no key twice.

  /// The member of this name; nullptr when there is none.
  const LocatedJson* find(std::string_view name) const;
};
/// `a text`, `an object`.
std::string_view kind_name(LocatedJson::Kind kind);

struct FileError {
  std::size_t line = 0;
  std::string what;
};
/// `path:12: what`
std::string error_text(std::string_view path, const FileError& error);

struct LocatedDocument {
  LocatedJson root;
  std::optional<FileError> error;
};
/// At most 1 MiB of text, 16 levels deep. Comments (`//`, `/* */`) are allowed.
LocatedDocument parse_located_json(std::string_view text);

}  // namespace nccl_analyze
