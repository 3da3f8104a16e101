#pragma once
// Where one record ends and the next begins when the newline between them was lost.

#include <cstddef>
#include <string_view>
#include <vector>

#include "messages/matcher.h"
#include "text/prefix.h"

namespace nccl_analyze {

/// Length of what stands before `host` at the end of `text`, which looks like a longer host; 0 when nothing does.
std::size_t bytes_before_host(std::string_view text, std::string_view host);

/// Takes `length` bytes, which are none of its own, off the front of a record and its host.
void drop_front(RecordView& record, std::size_t length);

/// Record i of `found` in `text` runs up to the host of record i + 1. Gives back what is not its own: the wrapper of
/// the next record, or takes what is not the next one's: what looks like the beginning of its host.
void part(std::string_view text, std::vector<RecordView>& found, std::size_t i, const Matcher& matcher);

}  // namespace nccl_analyze
