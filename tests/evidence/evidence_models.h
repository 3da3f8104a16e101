#pragma once
/// Models of texts, for tests of the readers of other tools' output.

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {

struct NamedText {
  std::string name, text;
};

/// Gives the records of a text, fed in chunks of this size, to a ModelBuilder or a Summary.
template <class Into>
void read_text(Into& into, SourceId source, const NamedText& from, std::size_t chunk = std::string_view::npos) {
  Parser parser(source, [&](const Record& record) { into.add(record); });
  const std::string_view text = from.text;
  for (std::size_t at = 0; at < text.size(); at += std::min(chunk, text.size() - at))
    parser.feed(text.substr(at, chunk));
  parser.finish();
  into.add_source(source, from.name, parser.stats());
}

inline Model model_of(const std::vector<NamedText>& texts, std::size_t chunk = std::string_view::npos) {
  ModelBuilder builder;
  std::uint32_t source = 0;
  for (const NamedText& text : texts) read_text(builder, SourceId{source++}, text, chunk);
  return std::move(builder).build();
}

inline Model model_of_text(std::string_view text, std::size_t chunk = std::string_view::npos) {
  return model_of({{"log", std::string(text)}}, chunk);
}

/// The model of texts whose names are sorted, through a summary of each.
inline Model through_summaries(const std::vector<NamedText>& texts) {
  std::stringstream file;
  std::uint32_t source = 0;
  for (const NamedText& text : texts) {
    Summary summary;
    read_text(summary, SourceId{source++}, text);
    write_summary(file, summary);
  }
  Summary read;
  SummaryReader reader(read);
  reader.feed(file.str());
  REQUIRE(reader.finish().empty());
  ModelBuilder builder;
  read.replay(builder);
  return std::move(builder).build();
}

/// The report as JSON, with the findings of all rules.
inline std::string report_of(const Model& model) {
  std::ostringstream out;
  write_json(out, model, analyze(model));
  return out.str();
}

/// Checks that texts, whose names are sorted, give the same report whole, in chunks and through summaries.
inline void check_same_report(const std::vector<NamedText>& texts) {
  const std::string whole = report_of(model_of(texts));
  CHECK(report_of(model_of(texts, 1)) == whole);
  CHECK(report_of(model_of(texts, 7)) == whole);
  CHECK(report_of(through_summaries(texts)) == whole);
}
inline void check_same_report(const std::string& text) { check_same_report(std::vector<NamedText>{{"log", text}}); }

/// The findings of a rule.
inline std::vector<Finding> findings_of(const Model& model, std::string_view rule) {
  std::vector<Finding> found;
  for (const Finding& finding : analyze(model).findings)
    if (finding.rule->name == rule) found.push_back(finding);
  return found;
}

}  // namespace nccl_analyze
