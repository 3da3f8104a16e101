#pragma once
// Finds the boundary between two records on one line, when the newline between them was lost.

#include <cstddef>
#include <string_view>
#include <vector>

#include "messages/matcher.h"
#include "text/prefix.h"

namespace nccl_analyze {

/// If `text`, which was read as a host, ends with `host`: the number of bytes before it, which another record left
/// there. Else 0.
std::size_t bytes_before_host(std::string_view text, std::string_view host);

/// Removes the first `length` bytes, which belong to another record, from a record and its host.
void drop_front(RecordView& record, std::size_t length);

/// Corrects the boundary between records i and i + 1 of `found` in `text`, which find_records() puts where the host of
/// the second seems to begin. The decoration of the second record is removed from the first, and bytes of the first
/// that were read as part of the second one's host are moved to the first.
void split_records(std::string_view text, std::vector<RecordView>& found, std::size_t i, const Matcher& matcher);

}  // namespace nccl_analyze
