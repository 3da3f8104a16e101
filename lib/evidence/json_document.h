#pragma once
// JSON documents of other tools: at the beginning of a source, on a single line, or as a block of lines.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "evidence/evidence.h"
#include "evidence/json_extent.h"

namespace nccl_analyze::evidence {

class JsonText;

/// A format of JSON documents.
struct JsonFormat {
  std::string_view name;
  std::string_view first_key;  ///< Key of the first member of the outermost object.
  /// Text in the first 64 KiB of a document that distinguishes this format from others with the same first key.
  std::string_view sign;
  void (*read)(const nlohmann::json& document, JsonText& text, Facts& facts);
};

/// Collects the JSON documents in known formats at the beginning of a source. A log, or any other text, may follow
/// them.
class JsonSource {
 public:
  enum class State : std::uint8_t {
    undecided,  ///< More bytes are needed.
    document,   ///< A document in a known format has begun.
    complete,   ///< The document has ended; read() may be called.
    other       ///< The bytes that release() returns, and all later bytes, belong to no document.
  };
  /// Adds bytes. Returns the number of bytes taken; it is smaller than the size if a document ends among the bytes. The
  /// state depends on the bytes alone, not on how they are divided into calls.
  std::size_t take(std::string_view bytes);
  State state() const { return state_; }
  /// The name of the format; empty unless a document has begun.
  std::string_view format_name() const { return format_ == nullptr ? std::string_view{} : format_->name; }
  /// The bytes taken since the last document, including the complete document until begin_next() is called.
  std::string_view text() const { return text_; }
  /// Ends the search for documents. Returns the bytes since the last document: at most 64 MiB and the bytes of the last
  /// call.
  std::string release() {
    state_ = State::other;
    return std::move(text_);
  }
  /// Adds the facts of the complete document to `facts`. `lines_before`: the number of lines before it in the source.
  /// Returns false, and leaves `facts` unchanged, if the document is damaged or has more than 4 million values.
  bool read(std::uint64_t lines_before, Facts& facts) const;
  /// Begins to search for a document after the complete one.
  void begin_next() { *this = JsonSource(); }

 private:
  State find_format();

  const JsonFormat* format_ = nullptr;
  State state_ = State::undecided;
  JsonExtent extent_;
  std::string text_;
};

/// Whether a line begins a JSON document of several lines: its first text, or the text after an opening brace, is the
/// first key of a format. `line`: the line without its indentation.
bool begins_json(std::string_view line);

/// Adds the facts of a whole JSON document to `facts`. Its first key and its sign determine the format. `lines_before`:
/// the number of lines before it in the source. Returns false, and leaves `facts` unchanged, if the text is no document
/// in a known format.
bool read_json(std::string_view text, std::uint64_t lines_before, Facts& facts);

/// Adds the facts of a line that is a whole JSON document to `facts`. `number`: the number of the line in its source.
/// Returns false, and leaves `facts` unchanged, if the line is no document in a known format.
bool read_json_line(std::string_view line, std::uint64_t number, Facts& facts);

}  // namespace nccl_analyze::evidence
