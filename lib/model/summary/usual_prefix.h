#pragma once
// The prefix of most messages follows from their origin, so that a summary need not store it.

#include <charconv>
#include <cstdint>
#include <string_view>

#include "nccl_analyze/model/line.h"

namespace nccl_analyze::builder {

/// Calls `part` with the parts of the usual prefix, such as `worker-0:152:386 [0] NCCL INFO `, in order. `from` is an
/// Origin or a SummaryOrigin.
template <class From, class Part>
void for_usual_prefix(const From& from, Level level, Part part) {
  const auto number = [&part](std::int64_t value) {
    char digits[20];
    part(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, value).ptr));
  };
  part(from.host);
  part(":");
  number(from.pid);
  part(":");
  number(from.tid);
  part(" [");
  number(from.device);
  part("] NCCL ");
  part(level == Level::warn ? "WARN " : "INFO ");
}

/// Whether `text` is the usual prefix of the origin.
template <class From>
bool is_usual_prefix(std::string_view text, const From& from, Level level) {
  bool same = true;
  for_usual_prefix(from, level, [&](std::string_view part) {
    same = same && text.starts_with(part);
    if (same) text.remove_prefix(part.size());
  });
  return same && text.empty();
}

}  // namespace nccl_analyze::builder
