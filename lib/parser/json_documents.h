#pragma once
// Separates JSON documents, which have several lines or one very long line, from the other lines of a source that
// begins with JSON.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "text/json_lines.h"

namespace nccl_analyze {

/// The result does not depend on how the source is cut into chunks. Memory: a line of at most `max_line` bytes.
class JsonDocuments {
 public:
  /// Receives the parts of the source, in order.
  struct Parts {
    std::function<void(std::string_view text)> text;  ///< Text that is to be read line by line.
    std::function<void()> begin;                      ///< A document begins, at the start of a line.
    JsonLines::Sink line;                             ///< A line of a log in the document.
    /// The document has ended; `newlines` is the number of its newlines.
    std::function<void(std::uint64_t newlines)> end;
  };
  explicit JsonDocuments(std::size_t max_line) : max_line_(max_line) {}

  /// Whether the source does not begin with JSON; all further text is then to be read line by line.
  bool off() const { return state_ == State::off; }
  void feed(std::string_view text, const Parts& parts);
  void finish(const Parts& parts);

 private:
  enum class State : std::uint8_t { line_start, rest_of_line, document, off };

  std::size_t take_lines(std::string_view text, const Parts& parts);
  void decide(const Parts& parts);
  std::size_t take_rest(std::string_view text, const Parts& parts);
  std::size_t take_document(std::string_view text, const Parts& parts);
  void keep_line(std::string_view text);
  void give_back(const Parts& parts);

  std::size_t max_line_;
  State state_ = State::line_start;
  bool first_ = true;  ///< Whether no line with text has been seen yet.
  std::string head_;   ///< The current line, until it is clear whether it begins a document.
  std::optional<JsonLines> json_;
  std::string line_;           ///< The current line of the document.
  bool line_is_whole_ = true;  ///< Whether `line_` has all bytes of the current line.
};

}  // namespace nccl_analyze
