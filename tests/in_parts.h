#pragma once
/// A log read as several threads read it, on one: parts are parsed with what was known some parts before them.

#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "nccl_analyze/part_parser.h"
#include "nccl_analyze/record_batch.h"

namespace nccl_analyze {

struct ReadInParts {
  ParseStats stats;
  std::size_t parts = 0;   ///< Behind the first.
  std::size_t passed = 0;  ///< Those whose records were right.
};

/// Parts of at least `size` bytes; knowledge is `lag` parts old.
inline ReadInParts read_in_parts(std::string_view log, std::size_t size, std::size_t lag, const Parser::Sink& sink,
                                 ParserLimits limits = {}) {
  ReadInParts read;
  RecordBatch batch;
  Parser parser(SourceId{0}, sink, limits);
  std::vector<PartParser> part_parsers;
  for (std::uint16_t i = 1; i <= 2; ++i)
    part_parsers.emplace_back(
        SourceId{0}, [&](const Record& record) { batch.add(record); }, i, limits);
  std::deque<std::shared_ptr<const ParserKnowledge>> known;
  for (bool first = true; !log.empty(); first = false) {
    const std::size_t newline = size < log.size() ? log.find('\n', size) : std::string_view::npos;
    const std::string_view lines = log.substr(0, newline == std::string_view::npos ? newline : newline + 1);
    log.remove_prefix(lines.size());
    if (!first) ++read.parts;
    std::optional<ParsedPart> part;
    batch.clear();
    if (!first && newline != std::string_view::npos && known.front() != nullptr)
      part = part_parsers[read.parts % part_parsers.size()].parse(lines, known.front());
    const std::uint64_t lines_before = parser.stats().lines;
    if (part && parser.pass(*part)) {
      ++read.passed;
      batch.move_to(SourceId{0}, lines_before);
      for (const Record& record : batch.records()) sink(record);
    } else {
      parser.feed(lines);
    }
    known.push_back(parser.knowledge());
    if (known.size() > lag + 1) known.pop_front();
  }
  parser.finish();
  read.stats = parser.stats();
  return read;
}

}  // namespace nccl_analyze
