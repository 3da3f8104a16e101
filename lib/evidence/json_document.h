#pragma once
// Sources that are one document of JSON.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "evidence/evidence.h"
#include "evidence/json_extent.h"

namespace nccl_analyze::evidence {

class JsonText;

/// A format of JSON.
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
    other       ///< The bytes of release(), and all that follow, belong to no document.
  };
  /// Adds bytes. Returns how many of them were taken: fewer than all once a document is complete. The state depends on
  /// the bytes alone, not on how they are divided into calls.
  std::size_t take(std::string_view bytes);
  State state() const { return state_; }
  /// The name of the format; empty unless a document has begun.
  std::string_view format_name() const { return format_ == nullptr ? std::string_view{} : format_->name; }
  /// The bytes since the last document.
  std::string_view text() const { return text_; }
  /// Ends the search for documents. Returns the bytes since the last document: at most 64 MiB and the bytes of the last
  /// call.
  std::string release() {
    state_ = State::other;
    return std::move(text_);
  }
  /// Reads the complete document. `lines_before`: the number of lines before it in the source. Returns false, and
  /// leaves `facts` unchanged, if the document is damaged or has more than 4 million values.
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

/// Whether a line without its indentation begins a JSON document of several lines: whether it has the first key of a
/// format, with the opening brace before the key or on an earlier line.
bool begins_json(std::string_view line);

/// Reads a whole JSON document, whose format is determined by its first key and its sign. `lines_before`: the number of
/// lines before it in the source. Returns false, and leaves `facts` unchanged, if the text is no such document.
bool read_json(std::string_view text, std::uint64_t lines_before, Facts& facts);

/// Reads one line, such as a line of a log, that is a whole JSON document in a known format. `number`: the number of
/// the line in its source. Returns false, and leaves `facts` unchanged, if the line is no such document.
bool read_json_line(std::string_view line, std::uint64_t number, Facts& facts);

}  // namespace nccl_analyze::evidence
