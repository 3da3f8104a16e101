#pragma once
/// A call of a tool: its arguments, checked against the table of the tool.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/folders.h"
#include "expect/located_json.h"
#include "input/logging.h"

namespace nccl_analyze {

enum class ArgumentKind : std::uint8_t { text, paths, number, flag };
/// An argument of a tool. Both the JSON Schema and the check of calls follow from it.
struct Argument {
  std::string_view name;
  ArgumentKind kind;
  std::string_view about;
  bool required = false;
  std::span<const std::string_view> choices = {};  ///< Of a text: the words that are allowed; empty: any text.
};

class Call {
 public:
  /// `given`: the arguments, which are not trusted and may be null.
  Call(const LocatedJson* given, const Folders& folders);
  /// Throws Failure if the arguments do not fit the table. The functions below require that they do.
  void check(std::span<const Argument> table) const;

  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Returns the argument; an empty text, false or `otherwise` if it is not given.
  std::string_view text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::size_t number(std::string_view name, std::size_t otherwise) const;

  const Folders& folders() const { return folders_; }
  /// Collects the warnings of the call for notes().
  Log& log() { return log_; }
  void note(std::string_view sentence);
  /// The notes, one a line; of many the first ones.
  std::string notes() const;

 private:
  const LocatedJson* find(std::string_view name) const { return given_ == nullptr ? nullptr : given_->find(name); }

  const LocatedJson* given_;
  const Folders& folders_;
  std::vector<std::string> notes_;
  Log log_;
};

}  // namespace nccl_analyze
