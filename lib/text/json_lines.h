#pragma once
// Finds the lines of a log inside a JSON document of any size, the form in which log stores export logs: Loki,
// Elasticsearch, Cloud Logging, CloudWatch, OpenTelemetry. The document is read as a stream, and only its open objects
// are kept.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_fields.h"

namespace nccl_analyze {

/// A string of a document that contains a line of a log, or several lines with newlines between them.
struct JsonLine {
  std::string text;  ///< Unescaped; truncated to the limit of JsonLines.
  JsonFields fields;
  std::uint64_t line = 0;  ///< Number of newlines in the document before the string.
  bool truncated = false;  ///< Whether the string is longer than the limit.
};

/// Reads one document. A string is a line of a log if it has a keyword of lib/text/line_scan.h, if its key is one under
/// which stores keep the line, or if it follows a time in an array, as Loki writes it. A line that a store repeats in
/// another member of the entry counts once. The fields of a line are those of its entry, which is the nearest element
/// of an array, and of the objects around the entry. Memory is bounded by one string of the maximum length, and by 64
/// lines or 64 KiB of one entry; if an entry has more, its first lines get the fields that are known by then.
class JsonLines {
 public:
  enum class State : std::uint8_t {
    open,
    closed,  ///< The outermost value has ended.
    wrong    ///< A byte was found that cannot belong to a document.
  };
  using Sink = std::function<void(const JsonLine&)>;

  explicit JsonLines(std::size_t max_string) : max_string_(max_string) {}

  /// Reads `text` up to the end of the document or the first byte that cannot belong to one. Returns the number of
  /// bytes read.
  std::size_t take(std::string_view text, const Sink& sink);
  /// Passes on the pending lines of a document that ends early.
  void finish(const Sink& sink);
  /// Drops the pending lines that are on the current line of the document.
  void drop_line();
  State state() const { return state_; }
  /// Number of newlines that were read.
  std::uint64_t newlines() const { return newlines_; }

 private:
  struct Frame {
    bool object = false;
    bool element = false;   ///< Whether the value is an entry: an element of an array, or the outermost value.
    std::size_t count = 0;  ///< Number of elements of an array so far.
    std::string key;        ///< The key of the current member.
    std::string path;       ///< The path of this value within its entry.
    /// The key and the value of an attribute of OpenTelemetry: `{"key": name, "value": {"stringValue": value}}`.
    std::string name, value;
    JsonFields fields;
  };
  struct Pending {
    JsonLine line;
    std::size_t depth = 0;  ///< Number of frames around the line, including its entry; 0: the fields are complete.
  };
  enum class Next : std::uint8_t { value, value_or_end, key, key_or_end, colon, comma_or_end };

  std::size_t take_string(std::string_view text);
  std::size_t take_word(std::string_view text);
  void take_mark(char mark, const Sink& sink);
  void open(bool object);
  void close(const Sink& sink);
  void end_string();
  void end_word();
  void add_value(std::string_view value, bool is_string);
  bool is_line(std::string_view value) const;
  bool is_repeated(std::string_view value, std::size_t depth) const;
  std::string path_of_value() const;
  void complete(std::size_t depth);
  void flush(const Sink& sink);
  Frame& top() { return frames_.back(); }

  std::size_t max_string_;
  State state_ = State::open;
  Next next_ = Next::value;
  std::vector<Frame> frames_;
  std::vector<Pending> pending_;
  std::size_t pending_bytes_ = 0;
  std::string raw_;  ///< The current string, with its escapes, or the current number or name.
  std::string unescaped_;
  bool in_string_ = false, escaped_ = false, in_word_ = false;
  bool raw_truncated_ = false;
  std::uint64_t newlines_ = 0;
};

}  // namespace nccl_analyze
