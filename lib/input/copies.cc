// Compares files by size, then by a hash of the head, then by all bytes. Each step is taken only for files that were
// equal in the step before.

#include "input/copies.h"

#include <algorithm>
#include <compare>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "input/descriptor.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t head_size = std::size_t{4} << 10U;
constexpr std::size_t compared_block = std::size_t{64} << 10U;

/// Reads a file in full blocks; only the last block may be shorter.
class Blocks {
 public:
  Blocks(const std::string& path, std::size_t size)
      : file_(path), size_(size), buffer_(std::make_unique_for_overwrite<char[]>(size)) {}

  /// Returns the next block, valid until the next call; empty at the end, nullopt if the file cannot be read.
  std::optional<std::string_view> next() {
    std::size_t filled = 0;
    while (filled < size_) {
      const ssize_t count = file_.read(buffer_.get() + filled, size_ - filled);
      if (count < 0) return std::nullopt;
      if (count == 0) break;
      filled += static_cast<std::size_t>(count);
    }
    return std::string_view(buffer_.get(), filled);
  }

 private:
  Descriptor file_;
  std::size_t size_;
  std::unique_ptr<char[]> buffer_;
};

std::optional<std::size_t> hash_head(const std::string& path) {
  Blocks file(path, head_size);
  const auto head = file.next();
  return head ? std::optional(std::hash<std::string_view>{}(*head)) : std::nullopt;
}

std::strong_ordering compare_bytes(const std::string& a, const std::string& b) {
  Blocks left(a, compared_block), right(b, compared_block);
  while (true) {
    const auto from_left = left.next(), from_right = right.next();
    if (!from_left || !from_right) return a <=> b;
    const auto order = *from_left <=> *from_right;
    if (order != 0 || from_left->empty()) return order;
  }
}

struct File {
  const Input* input;
  std::size_t head, number;
  friend bool operator<(const File& a, const File& b) {
    const auto quick = std::tie(a.input->size, a.head) <=> std::tie(b.input->size, b.head);
    return quick != 0 ? quick < 0 : compare_bytes(a.input->path, b.input->path) < 0;
  }
};

}  // namespace

std::vector<std::size_t> find_copies(const std::vector<Input>& inputs) {
  std::unordered_map<std::uintmax_t, std::size_t> files_of_size;
  for (const Input& input : inputs) ++files_of_size[input.size];

  std::vector<std::size_t> originals(inputs.size());
  std::iota(originals.begin(), originals.end(), std::size_t{0});
  std::set<File> distinct;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Input& input = inputs[i];
    if (input.size == 0 || input.path == "-" || files_of_size[input.size] == 1) continue;
    if (const auto head = hash_head(input.path))
      originals[i] = distinct.insert({.input = &input, .head = *head, .number = i}).first->number;
  }
  return originals;
}

}  // namespace nccl_analyze
