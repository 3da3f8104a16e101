// Decompresses a stream member by member; zeros after a member are padding.

#include "input/decompress.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace nccl_analyze {
namespace {

constexpr std::size_t unpacked_block = std::size_t{64} << 10U;

}  // namespace

Decompression::Decompression(std::unique_ptr<Codec> codec, std::string_view head, const NextBlock& more)
    : codec_(std::move(codec)), more_(more), out_(std::make_unique_for_overwrite<char[]>(unpacked_block)), in_(head) {}

/// Reads more input if in_ is empty. False at the end of the input, or if the input cannot be read.
bool Decompression::fill() {
  if (!in_.empty()) return true;
  const auto block = more_();
  if (block) in_ = *block;
  return block && !block->empty();
}

/// Skips padding and begins the next member; false if there is none.
bool Decompression::begin_member() {
  while (fill()) {
    in_.remove_prefix(std::min(in_.find_first_not_of('\0'), in_.size()));
    if (in_.empty()) continue;
    codec_->restart();
    first_ = false;
    member_bytes_ = 0;
    return in_member_ = true;
  }
  return false;
}

std::optional<std::string_view> Decompression::next() {
  std::size_t filled = 0;
  while (!ended_ && filled < unpacked_block) {
    if (!in_member_ && !begin_member()) {
      ended_ = true;
    } else if (fill()) {
      const Codec::Step step = codec_->step(in_, out_.get() + filled, unpacked_block - filled);
      in_.remove_prefix(step.read);
      filled += step.written;
      member_bytes_ += step.written;
      in_member_ = !step.ended;
      const bool stuck = step.read == 0 && step.written == 0 && !step.ended;
      ended_ = !step.wrong.empty() || stuck;
      trailing_ = ended_ && !first_ && member_bytes_ == 0;
      if (ended_ && !trailing_) wrong_ = step.wrong.empty() ? "it is damaged" : step.wrong;
    } else {
      // The input has ended, but the codec may still hold output.
      const Codec::Step step = codec_->step({}, out_.get() + filled, unpacked_block - filled);
      filled += step.written;
      ended_ = step.written == 0;
      if (ended_) wrong_ = "it is cut off";
    }
  }
  if (filled > 0) return std::string_view(out_.get(), filled);
  return wrong_.empty() ? std::optional(std::string_view()) : std::nullopt;
}

}  // namespace nccl_analyze
