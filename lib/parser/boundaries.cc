// Finds boundaries by the shape of decorations, the hosts of other records, and the rows that match.

#include "parser/boundaries.h"

#include <algorithm>

#include "text/decoration.h"

namespace nccl_analyze {

namespace {

std::size_t message_start(std::string_view text, const RecordView& record) {
  return static_cast<std::size_t>(record.message.data() - text.data());
}

/// Ends the record's message at position `end` of `text`, without trailing blanks.
void end_at(std::string_view text, RecordView& record, std::size_t end) {
  const std::size_t begin = message_start(text, record);
  const std::size_t last = text.substr(begin, end - begin).find_last_not_of(" \t");
  record.message = text.substr(begin, last == std::string_view::npos ? 0 : last + 1);
  record.text = text.substr(record.start, begin + record.message.size() - record.start);
  record.ended = RecordEnd::record;
}

/// Ends the first record before the decoration of the second record, if that decoration has the same shape as
/// `decoration`, the one at the start of the line.
void split_off_decoration(std::string_view text, std::string_view decoration, RecordView& first,
                          const RecordView& second) {
  constexpr std::size_t slack = 32, max_size = 256;
  if (decoration.empty() || decoration.size() > max_size) return;
  if (decoration.find_first_of("[]()<>|:") == std::string_view::npos) return;  // may be the last words of a message
  const std::size_t room = second.start - message_start(text, first);
  for (std::size_t at = second.start - std::min(room, decoration.size() + slack); at < second.start; ++at)
    if (same_shape(text.substr(at, second.start - at), decoration)) return end_at(text, first, at);
}

/// No host name and no address begins with a separator.
bool begins_host(char c) { return c != '.' && c != '-' && c != '_'; }

/// Returns the number of bytes at the start of the second record's host that belong to the first record. Bytes belong
/// to it if the rest of the host equals the first record's host, or if the rest may be a host and a row matches the
/// first record only with these bytes. 0 if there are no such bytes, or if the first record is complete without them.
std::size_t bytes_of_previous_record(std::string_view text, const RecordView& first, const RecordView& second,
                                     const Matcher& matcher) {
  const std::string_view host = second.origin.host;
  if (host == first.origin.host) return 0;
  Event event;
  const auto reads_with = [&](std::size_t more) {
    const std::size_t begin = message_start(text, first);
    const Row* const row = matcher.match(text.substr(begin, second.start - begin + more), event);
    // a row that ends with free text matches any bytes and proves nothing
    return row != nullptr && row->end != RowEnd::text;
  };
  const bool whole = matcher.match(first.message, event) != nullptr;
  if (const std::size_t length = bytes_before_host(host, first.origin.host); length != 0)
    return whole && !reads_with(length) ? 0 : length;
  if (whole) return 0;
  for (std::size_t tried = host.size() - 1; tried > 0; --tried)
    if (begins_host(host[tried]) && reads_with(tried)) return tried;
  return 0;
}

}  // namespace

std::size_t bytes_before_host(std::string_view text, std::string_view host) {
  constexpr std::size_t min_host = 3;  // in bytes; many host names end with a shorter name by chance
  return host.size() >= min_host && text.ends_with(host) ? text.size() - host.size() : 0;
}

void drop_front(RecordView& record, std::size_t length) {
  record.origin.host.remove_prefix(length);
  record.text.remove_prefix(length);
  record.start += length;
}

void split_records(std::string_view text, std::vector<RecordView>& found, std::size_t i, const Matcher& matcher) {
  RecordView& first = found[i];
  RecordView& second = found[i + 1];
  split_off_decoration(text, text.substr(0, found[0].start), first, second);
  if (first.level == Level::version || !second.has_prefix || second.origin.host.empty() ||
      !second.origin.timestamp.empty())
    return;
  const std::size_t length = bytes_of_previous_record(text, first, second, matcher);
  if (length == 0) return;
  end_at(text, first, second.start + length);
  drop_front(second, length);
}

}  // namespace nccl_analyze
