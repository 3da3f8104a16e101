#pragma once
// Finds the end of an object of JSON in bytes that something else may follow, such as a log.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nccl_analyze::evidence {

/// Follows the bytes of one object, by its strings and braces alone. What it finds depends on the bytes, not on how
/// they are cut.
class JsonExtent {
 public:
  enum class State : std::uint8_t {
    open,      ///< More bytes are needed.
    complete,  ///< The object has ended.
    broken     ///< The bytes are no JSON: the object was torn, and another text follows.
  };
  /// `depth`: braces that were opened before the first byte.
  explicit JsonExtent(std::size_t depth = 0) : depth_(depth) {}
  /// Reads on. Returns how many of the bytes belong to the object: fewer than all once it is complete.
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
