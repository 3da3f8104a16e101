// The reference implementation of the loops. It runs on every machine.

#include "text/line_scan_bytewise.h"

namespace nccl_analyze {

namespace {

/// Whether a plain line cannot contain `c`: a control character, a byte beyond ASCII or a double quote.
bool is_stop(char c) { return c == '"' || c < ' ' || static_cast<unsigned char>(c) >= 0x80; }

FoundWord find(const WordSet& words, std::string_view text, std::size_t from) {
  for (const std::size_t end = end_of_anchors(text); from < end; ++from) {
    if (words.buckets_at(text.data() + from) == 0) continue;
    if (const FoundWord word = words.word_at(text, from)) return word;
  }
  return {};
}

std::size_t count_newlines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool begins_plain(std::string_view text, PlainLine& line) {
  const auto stop = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_stop) - text.begin());
  if (stop == text.size() || text[stop] != '\n') return false;
  const std::string_view whole = text.substr(0, stop);
  const FoundWord marker = find(markers, whole, 0);
  if (!marker || !stands_at(whole, marker.anchor, nccl)) return false;
  for (std::size_t at = marker.anchor + 1; (at = whole.find(nccl, at)) != std::string_view::npos; ++at)
    if (begins_record(whole, at)) return false;
  line = {stop, marker.anchor};
  return true;
}

}  // namespace

const LineScan bytewise_scan{"bytewise", &find, &count_newlines, &begins_plain};

bool other_marker_at(std::string_view text, std::size_t at) {
  return at < end_of_anchors(text) && !stands_at(text, at, nccl) && markers.word_at(text, at);
}

}  // namespace nccl_analyze
