#pragma once
/// Copies of the records and counts of a parser's run, which outlive the parser's buffers.

#include <algorithm>
#include <string>
#include <vector>

#include "nccl_analyze/parser.h"

namespace nccl_analyze::test {

struct Seen {
  std::string host, message, event;
  std::int64_t pid = -1, tid = -1;
  Damage damage = Damage::none;
  LineRef at;
  friend bool operator==(const Seen&, const Seen&) = default;
};

struct Reading {
  std::vector<Seen> records;
  ParseStats stats;
};

inline Reading read(std::string_view text, std::size_t chunk = std::string_view::npos) {
  Reading reading;
  Parser parser(SourceId{0}, [&](const Record& record) {
    reading.records.push_back({std::string(record.origin.host), std::string(record.message),
                               std::string(event_name(record.event)), record.origin.pid, record.origin.tid,
                               record.damage, record.at});
  });
  for (std::size_t at = 0; at < text.size(); at += std::min(chunk, text.size() - at))
    parser.feed(text.substr(at, chunk));
  parser.finish();
  reading.stats = parser.stats();
  return reading;
}

}  // namespace nccl_analyze::test
