#pragma once
// What stands before a record's marker: `[time] host:pid:tid [dev] location `.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace nccl_analyze {

struct RecordView;

constexpr std::size_t max_place = 128;  ///< Longer than any of NCCL's.

struct Prefix {
  std::size_t start = 0;
  std::string_view host;
  std::int64_t pid = -1, tid = -1;
  int device = -1;
};

/// Whether a host's name may hold it.
bool is_host_char(char c);

/// `host:pid:tid ` or `host:pid:tid [dev] ` that ends exactly at `end`; nothing before `floor` belongs to it.
std::optional<Prefix> prefix_before(std::string_view line, std::size_t floor, std::size_t end);

/// `[2025-12-28 16:04:25] ` right before `start`: moves `start` to it and returns what is inside.
std::string_view timestamp_before(std::string_view line, std::size_t floor, std::size_t& start);

/// Reads the prefix, or what is left of it, and the location that stand before `marker`.
void read_head(std::string_view line, std::size_t floor, std::size_t marker, RecordView& record);

}  // namespace nccl_analyze
