#pragma once
// Parses the head of a record, which is the part before the `NCCL ` marker: `[timestamp] host:pid:tid [dev] location `.
// The head is parsed backwards from the marker, because any decoration may precede it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace nccl_analyze {

struct RecordView;

/// Maximum size of a location in bytes; NCCL's locations are shorter.
constexpr std::size_t max_location = 128;

/// `host:pid:tid [dev] `, as NCCL prints it before each record.
struct Prefix {
  std::size_t start = 0;  ///< Position of the prefix in the line.
  std::string_view host;
  std::int64_t pid = -1, tid = -1;
  int device = -1;
};

/// Whether `c` may occur in a host name.
bool is_host_char(char c);

// In these functions, `floor` is the end of the previous record, or 0. They do not read bytes before it.

/// Parses the prefix, `host:pid:tid ` or `host:pid:tid [dev] `, that ends exactly at `end`.
std::optional<Prefix> prefix_before(std::string_view line, std::size_t floor, std::size_t end);

/// If a timestamp such as `[2025-12-28 16:04:25] ` ends at `start`, returns the text inside its brackets and moves
/// `start` to the opening bracket. Else returns an empty view and leaves `start` unchanged.
std::string_view timestamp_before(std::string_view line, std::size_t floor, std::size_t& start);

/// Parses the timestamp, prefix and location before `marker` into `record`. Of a prefix that someone anonymised or
/// shortened, it parses the parts that are left.
void read_head(std::string_view line, std::size_t floor, std::size_t marker, RecordView& record);

}  // namespace nccl_analyze
