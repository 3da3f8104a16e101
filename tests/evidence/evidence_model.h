#pragma once
// Builds models from the output of tools, fed whole, in chunks and through a summary.

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze::evidence {

struct NamedText {
  std::string name, text;
};

template <class Taker>
void read_into(Taker& taker, const std::vector<NamedText>& sources, std::size_t chunk = std::string_view::npos) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const SourceId source{static_cast<std::uint32_t>(i)};
    Parser parser(source, [&](const Record& record) { taker.add(record); });
    const std::string_view text = sources[i].text;
    for (std::size_t at = 0; at < text.size(); at += std::min(chunk, text.size() - at))
      parser.feed(text.substr(at, chunk));
    parser.finish();
    taker.add_source(source, sources[i].name, parser.stats());
  }
}

inline Model model_of(const std::vector<NamedText>& sources, std::size_t chunk = std::string_view::npos) {
  ModelBuilder builder;
  read_into(builder, sources, chunk);
  return std::move(builder).build();
}

inline Model through_summary(const std::vector<NamedText>& sources) {
  Summary summary;
  read_into(summary, sources);
  std::stringstream file;
  write_summary(file, summary);
  Summary read;
  SummaryReader reader(read);
  reader.feed(file.str());
  REQUIRE(reader.finish().empty());
  ModelBuilder builder;
  read.replay(builder);
  return std::move(builder).build();
}

inline std::string json_of(const Model& model) {
  std::ostringstream out;
  write_json(out, model, analyze(model));
  return out.str();
}

/// Checks that the whole report is the same however the bytes arrive.
inline void check_same_in_any_pieces(const std::vector<NamedText>& sources) {
  const std::string whole = json_of(model_of(sources));
  CHECK(json_of(model_of(sources, 1)) == whole);
  CHECK(json_of(model_of(sources, 7)) == whole);
  CHECK(json_of(through_summary(sources)) == whole);
}

/// The findings of a rule.
inline std::vector<Finding> findings_of(const Model& model, std::string_view rule) {
  std::vector<Finding> found;
  for (const Finding& finding : analyze(model).findings)
    if (finding.rule->name == rule) found.push_back(finding);
  return found;
}

}  // namespace nccl_analyze::evidence
