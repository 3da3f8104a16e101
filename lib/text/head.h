#pragma once
// Reads the head of a record, which stands before its `NCCL ` marker: `[timestamp] host:pid:tid [dev] location `. It is
// read backwards from the marker, because any decoration may stand before it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace nccl_analyze {

struct RecordView;

constexpr std::size_t max_location = 128;  ///< Bytes; NCCL's own locations are shorter.

/// `host:pid:tid [dev] `, as NCCL prints it before each record.
struct Prefix {
  std::size_t start = 0;  ///< Position in the line.
  std::string_view host;
  std::int64_t pid = -1, tid = -1;
  int device = -1;
};

/// Whether `c` may stand in a host name.
bool is_host_char(char c);

// In these functions `floor` is the end of the record before, or 0: no byte before it is read.

/// The prefix `host:pid:tid ` or `host:pid:tid [dev] ` that ends exactly at `end`.
std::optional<Prefix> prefix_before(std::string_view line, std::size_t floor, std::size_t end);

/// The text inside the brackets of `[2025-12-28 16:04:25] ` right before `start`; `start` moves to the bracket. Empty,
/// and `start` stays, where no timestamp stands there.
std::string_view timestamp_before(std::string_view line, std::size_t floor, std::size_t& start);

/// Reads the timestamp, prefix and location before `marker` into `record`. Where posters anonymised or cut the prefix,
/// reads the parts that are left.
void read_head(std::string_view line, std::size_t floor, std::size_t marker, RecordView& record);

}  // namespace nccl_analyze
