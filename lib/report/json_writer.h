#pragma once
/// Streams JSON onto an ostream: no document in memory, only a small buffer and the stack of open brackets.

#include <charconv>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// block: one item a line, indented by two blanks. line: everything inside on one line.
enum class Layout : bool { block, line };

class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  void begin_object(Layout layout = Layout::block) { open('{', '}', layout); }
  void begin_array(Layout layout = Layout::block) { open('[', ']', layout); }
  void end();  ///< Closes the innermost object or array.

  void key(std::string_view name);  ///< A name of ours: no character of it needs an escape.
  void key_from_log(std::string_view name);

  void null();
  void value(std::string_view text);
  void value(double number);  ///< Shortest form that reads back the same; null when not finite.
  void value(Hex number);     ///< As a string: "0x1b"
  template <std::integral T>
  void value(T number) {
    separate();
    if constexpr (std::same_as<T, bool>) {
      buffer_ += number ? "true" : "false";
    } else {
      char digits[24];
      buffer_ += std::string_view(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    }
  }
  template <class T>
  void value(const std::optional<T>& maybe) {
    if (maybe) {
      value(*maybe);
    } else {
      null();
    }
  }

  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  void begin_object(std::string_view name, Layout layout = Layout::block) { key(name), begin_object(layout); }
  void begin_array(std::string_view name, Layout layout = Layout::block) { key(name), begin_array(layout); }

  /// Ends the document with a newline and hands everything to the stream.
  void finish();

 private:
  struct Frame {
    char close;
    Layout layout;
    bool has_items;
  };

  void open(char bracket, char close, Layout layout);
  void separate();  ///< What stands between the item before and the next one.
  void break_line(bool after_item);
  void flush();

  std::ostream& out_;
  std::string buffer_;
  std::vector<Frame> frames_;
  bool after_key_ = false;
};

/// Absent knowledge (-1, an empty text, a null id) as a disengaged optional, which is written as null.
template <std::signed_integral T>
std::optional<T> known(T number) {
  return number < 0 ? std::nullopt : std::optional<T>{number};
}
inline std::optional<std::string_view> known(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>{text};
}
inline std::optional<Hex> known(Hex number) { return number.value == 0 ? std::nullopt : std::optional<Hex>{number}; }

}  // namespace nccl_analyze
