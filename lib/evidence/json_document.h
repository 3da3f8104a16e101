#pragma once
// Sources that are one document of JSON.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "evidence/evidence.h"

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

/// Collects a source from its beginning while it may be one document of JSON in a known format.
class JsonSource {
 public:
  enum class State : std::uint8_t {
    undecided,  ///< More bytes are needed.
    document,   ///< The source is in a known format; take() all of it, then read().
    other       ///< The source is no such document.
  };
  /// Adds bytes. The state depends on the bytes alone, not on how they are cut.
  State take(std::string_view bytes);
  State state() const { return state_; }
  /// The name of the format; empty unless the source is a document.
  std::string_view format_name() const { return format_ == nullptr ? std::string_view{} : format_->name; }
  /// The bytes so far, for a source that is no document; at most 64 KiB and the last bytes given.
  std::string release() {
    state_ = State::other;
    return std::move(text_);
  }
  /// Reads the document, or several that were appended to each other, once the source has ended. False when one is
  /// damaged or larger than the limit (64 MiB, 4 million values); facts of a damaged document are incomplete and
  /// dropped.
  bool read(Facts& facts) const;

 private:
  const JsonFormat* format_ = nullptr;
  State state_ = State::undecided;
  bool too_large_ = false;
  std::string text_;
};

/// Reads one line, such as a line of a log, that is a whole document of JSON in a known format. `number`: of the line
/// in its source. Returns false, and leaves `facts` unchanged, if the line is no such document.
bool read_json_line(std::string_view line, std::uint64_t number, Facts& facts);

}  // namespace nccl_analyze::evidence
