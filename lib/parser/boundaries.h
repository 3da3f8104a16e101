#pragma once
// Finds the boundary between two records on one line if the newline between them was lost.

#include <cstddef>
#include <string_view>
#include <vector>

#include "messages/matcher.h"
#include "text/prefix.h"

namespace nccl_analyze {

/// Returns the number of bytes before `host` if `text`, which was parsed as a host, ends with `host`: these bytes
/// belong to another record. Returns 0 if `text` does not end with `host`.
std::size_t bytes_before_host(std::string_view text, std::string_view host);

/// Removes the first `length` bytes, which belong to another record, from a record and from its host.
void drop_front(RecordView& record, std::size_t length);

/// Corrects the boundary between records i and i + 1 of `found` in `text`. find_records() assumes that the second
/// record starts with its host. This function removes the second record's decoration from the end of the first record,
/// and moves bytes of the first record that were parsed as part of the second record's host back to the first record.
void split_records(std::string_view text, std::vector<RecordView>& found, std::size_t i, const Matcher& matcher);

}  // namespace nccl_analyze
