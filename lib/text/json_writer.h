#pragma once
/// Streams JSON to an ostream. Memory is bounded: a small buffer and the stack of open brackets.

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

/// `block`: one item per line, indented by two blanks. `line`: the whole value on one line.
enum class Layout : bool { block, line };

class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  void begin_object(Layout layout = Layout::block) { open('{', '}', layout); }
  void begin_array(Layout layout = Layout::block) { open('[', ']', layout); }
  void end();  ///< Closes the innermost object or array.

  void key(std::string_view name);  ///< Writes a key that needs no escapes.
  void key_from_log(std::string_view name);

  void null();
  void value(std::string_view text);
  void value(double number);  ///< Shortest form that parses to the same number; null if not finite.
  void value(Hex number);     ///< A string such as "0x1b".
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

  /// Ends the document with a newline and writes the buffer to the stream.
  void finish();

 private:
  struct Frame {
    char close;
    Layout layout;
    bool has_items;
  };

  void open(char bracket, char close, Layout layout);
  void separate();  ///< Writes the comma and the line break before the next item.
  void break_line(bool after_item);
  void flush();

  std::ostream& out_;
  std::string buffer_;
  std::vector<Frame> frames_;
  bool after_key_ = false;
};

/// Converts a value that stands for "unknown" (-1, an empty text, id 0) to an empty optional, which JsonWriter writes
/// as null.
template <std::signed_integral T>
std::optional<T> known(T number) {
  return number < 0 ? std::nullopt : std::optional<T>{number};
}
inline std::optional<std::string_view> known(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>{text};
}
/// Returns the measured value; nullopt if it is not positive.
inline std::optional<double> measured(double value) { return value > 0 ? std::optional{value} : std::nullopt; }
inline std::optional<Hex> known(Hex number) { return number.value == 0 ? std::nullopt : std::optional<Hex>{number}; }

}  // namespace nccl_analyze
