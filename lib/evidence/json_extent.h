#pragma once
// Finds the end of a JSON object in bytes that may continue with other text, such as a log.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nccl_analyze::evidence {

/// Reads the bytes of one object and considers only strings, braces, brackets and bytes that JSON does not have. The
/// result depends on the bytes, not on how they are divided into calls.
class JsonExtent {
 public:
  enum class State : std::uint8_t {
    open,      ///< More bytes are needed.
    complete,  ///< The object has ended.
    broken     ///< The bytes are no JSON, for example because the object is cut off and other text follows.
  };
  /// `depth`: the number of open braces and brackets before the first byte.
  explicit JsonExtent(std::size_t depth = 0) : depth_(depth) {}
  /// Reads further bytes. Returns the number of bytes read: fewer than all if the object ends, or turns out to be
  /// broken, among them.
  std::size_t take(std::string_view bytes);
  State state() const { return state_; }

 private:
  void take_outside(char c);
  void take_inside(char c);

  State state_ = State::open;
  std::size_t depth_ = 0;
  bool in_string_ = false, escaped_ = false;
};

}  // namespace nccl_analyze::evidence
