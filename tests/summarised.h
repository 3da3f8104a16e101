#pragma once
/// Summaries of parts of logs, merged in any order and grouping, for tests and fuzzers. A summary that cannot be read
/// back ends the program.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze::test {

using Random = std::mt19937;  // Its numbers are the same on all platforms.

struct NamedLog {
  std::string name, text;
};

/// Returns a random division of a log into at most `wanted_parts` parts, as the number of lines before each part. No
/// part is empty.
inline std::vector<std::uint64_t> cut_anywhere(std::uint64_t lines, std::uint64_t wanted_parts, Random& random) {
  std::set<std::uint64_t> before{0};
  while (before.size() < std::min(wanted_parts, lines)) before.insert(1 + random() % (lines - 1));
  return {before.begin(), before.end()};
}

inline std::string written(const Summary& summary) {
  std::ostringstream out;
  write_summary(out, summary);
  return out.str();
}

/// The summary of each part of a log that is cut into `wanted_parts` parts.
inline std::vector<std::string> summaries_of_parts(const NamedLog& log, std::uint64_t wanted_parts, Random& random) {
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(log.text, '\n'));
  const std::vector<std::uint64_t> before = cut_anywhere(lines, wanted_parts, random);
  const std::size_t parts = before.size();
  std::vector<Summary> pieces(parts);
  std::uint64_t now = 0;
  Parser parser(SourceId{0}, [&](const Record& record) {
    now = std::max(now, record.at.line);  // A joined record belongs to the part of its last line.
    std::size_t part = parts - 1;
    while (part > 0 && before[part] >= now) --part;
    pieces[part].add(record);
  });
  parser.feed(log.text);
  parser.finish();
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < parts; ++i) {
    ParseStats stats = i == 0 ? parser.stats() : ParseStats{};
    stats.lines = (i + 1 < parts ? before[i + 1] : parser.stats().lines) - before[i];
    pieces[i].add_source(SourceId{0}, log.name, stats, before[i]);
    texts.push_back(written(pieces[i]));
  }
  return texts;
}

/// The summaries, merged one after the other.
inline Summary merged(const std::vector<std::string>& summaries) {
  Summary all;
  for (const std::string& text : summaries) {
    Summary one;
    SummaryReader reader(one);
    if (!reader.feed(text) || !reader.finish().empty()) std::abort();
    all.merge(std::move(one));
  }
  return all;
}

/// Merges random groups, and the results again, until one summary is left.
inline Summary merged_as_tree(std::vector<std::string> summaries, Random& random) {
  while (summaries.size() > 1) {
    std::ranges::shuffle(summaries, random);
    const std::size_t size = 2 + random() % 6;
    const auto end = summaries.begin() + static_cast<std::ptrdiff_t>(std::min(size, summaries.size()));
    std::string one = written(merged({summaries.begin(), end}));
    summaries.erase(summaries.begin(), end);
    summaries.push_back(std::move(one));
  }
  return merged(summaries);
}

/// The JSON report on a finished model.
inline std::string report_of(ModelBuilder&& builder) {
  const Model model = std::move(builder).build();
  std::ostringstream json;
  write_json(json, model, analyze(model));
  return json.str();
}

inline std::string report_of(const Summary& summary) {
  ModelBuilder builder;
  summary.replay(builder);
  return report_of(std::move(builder));
}

/// The JSON report on logs, which are sorted by name.
inline std::string report_of(const std::vector<NamedLog>& logs) {
  ModelBuilder builder;
  std::uint32_t source = 0;
  for (const NamedLog& log : logs) {
    Parser parser(SourceId{source}, [&](const Record& record) { builder.add(record); });
    parser.feed(log.text);
    parser.finish();
    builder.add_source(SourceId{source++}, log.name, parser.stats());
  }
  return report_of(std::move(builder));
}

}  // namespace nccl_analyze::test
