#pragma once
// Finds the end of a JSON object in bytes that may continue with other text, such as a log.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nccl_analyze::evidence {

/// Reads the bytes of one object and considers only strings and braces. The result depends on the bytes, not on how
/// they are divided into calls.
class JsonExtent {
 public:
  enum class State : std::uint8_t {
    open,      ///< More bytes are needed.
    complete,  ///< The object has ended.
    broken     ///< The bytes are no JSON: the object is cut, and other text follows.
  };
  /// `depth`: the number of braces that were opened before the first byte.
  explicit JsonExtent(std::size_t depth = 0) : depth_(depth) {}
  /// Reads further bytes. Returns how many of them belong to the object: fewer than all once the object is complete.
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
