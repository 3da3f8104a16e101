#include "input/backwards.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/line_time.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t backward_block = std::size_t{1} << 18;
constexpr std::size_t max_entry = std::size_t{1} << 20;
constexpr std::size_t enough_out = std::size_t{1} << 16;
// Only this many bytes at the start of a line are examined to decide whether the line begins an entry.
constexpr std::size_t max_shown = std::size_t{1} << 16;

}  // namespace

void ReverseReader::pass(const std::function<bool(std::string_view)>& bytes) {
  std::uint64_t line = count_lines();
  // `lines`: how many lines of the entry were found. `number`: the number of its first line in the order of reading.
  std::uint64_t number = 1, lines = 0;
  std::uint64_t end = size_;
  if (load(end) && block_.back() == '\n') --end;
  for (std::uint64_t entry_end = end; line > 0; --line) {
    const std::uint64_t start = start_of_line(end);
    ++lines;
    if (start == 0 || entry_end - start >= max_entry || is_first_of_entry(start, end)) {
      places_.add(number, line, lines > 1 ? 1 : -1);
      if (!append(start, entry_end, bytes)) return;
      number += lines;
      lines = 0;
      entry_end = start - 1;
    }
    end = start - 1;
  }
  bytes(out_);
}

std::uint64_t ReverseReader::count_lines() {
  std::array<char, std::size_t{1} << 16> block{};
  std::uint64_t lines = 0;
  char last = '\n';
  for (std::uint64_t at = 0; at < size_;) {
    const std::size_t count = read_(block.data(), block.size(), at);
    if (count == 0) size_ = at;  // the file became shorter while it was read
    const std::string_view text(block.data(), count);
    lines += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    if (count > 0) last = text.back();
    at += count;
  }
  return lines + (last == '\n' ? 0 : 1);
}

/// Loads the block that ends at `end` into `block_`; newlines replace bytes that cannot be read. False if `end` is 0.
bool ReverseReader::load(std::uint64_t end) {
  const std::size_t size = std::min<std::uint64_t>(end, backward_block);
  block_at_ = end - size;
  block_.resize(size);
  std::size_t filled = 0;
  for (std::size_t count = 1; count != 0 && filled < size; filled += count)
    count = read_(block_.data() + filled, size - filled, block_at_ + filled);
  std::fill(block_.begin() + static_cast<std::ptrdiff_t>(filled), block_.end(), '\n');
  return size > 0;
}

/// Returns the offset of the first byte of the line that ends at `end`.
std::uint64_t ReverseReader::start_of_line(std::uint64_t end) {
  while (end > 0) {
    if (end <= block_at_ || end > block_at_ + block_.size()) load(end);
    const std::size_t newline = std::string_view(block_).substr(0, end - block_at_).rfind('\n');
    if (newline != std::string_view::npos) return block_at_ + newline + 1;
    end = block_at_;
  }
  return 0;
}

bool ReverseReader::is_first_of_entry(std::uint64_t start, std::uint64_t end) {
  const std::size_t size = std::min<std::uint64_t>(end - start, max_shown);
  if (start >= block_at_ && start + size <= block_at_ + block_.size())
    return begins_entry(std::string_view(block_).substr(start - block_at_, size));
  std::string line(size, '\n');
  line.resize(read_(line.data(), size, start));
  return begins_entry(line);
}

/// Appends the bytes from `start` to `end`, and a newline, to `out_`. Passes `out_` to `bytes` whenever it holds at
/// least `enough_out` bytes. False if `bytes` returns false.
bool ReverseReader::append(std::uint64_t start, std::uint64_t end, const std::function<bool(std::string_view)>& bytes) {
  while (start < end) {
    const std::size_t size = std::min<std::uint64_t>(end - start, enough_out);
    std::size_t filled = size;
    if (start >= block_at_ && start + size <= block_at_ + block_.size()) {
      out_.append(block_, start - block_at_, size);
    } else {
      const std::size_t before = out_.size();
      out_.resize(before + size);
      filled = read_(out_.data() + before, size, start);
      out_.resize(before + filled);
      if (filled == 0) break;
    }
    start += filled;
    if (out_.size() < enough_out) continue;
    if (!bytes(out_)) return false;
    out_.clear();
  }
  out_.push_back('\n');
  return true;
}

}  // namespace nccl_analyze
