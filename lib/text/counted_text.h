#pragma once
// What a parser of JSON reads a text through, so that whoever receives its events knows where in the text they are.

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace nccl_analyze {

/// An iterator over a text that counts the bytes read. After a number, the parser has read one byte more.
class CountedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedText(const char* at, std::uint64_t& read) : at_(at), read_(&read) {}
  reference operator*() const { return *at_; }
  CountedText& operator++() {
    ++*read_;
    ++at_;
    return *this;
  }
  bool operator==(const CountedText& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::uint64_t* read_;
};

}  // namespace nccl_analyze
