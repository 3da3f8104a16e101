// Fuzzes the documents that users write: site rules, a profile or expectations, selected by the first byte. A document
// is either refused with a message, or can be applied to a model.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.h"

namespace nccl_analyze {
namespace {

const std::string& log() {
  static const std::string text =
      "w0:1:1 [0] NCCL INFO NCCL version 2.27.3+cuda12.9\n"
      "w0:1:1 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth0\n"
      "w0:1:1 [0] NCCL INFO Using network Socket\n"
      "w0:1:1 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x2 - "
      "Init "
      "COMPLETE\n";
  return text;
}

void judge_by(const SiteRules& rules) {
  SiteMatcher matcher(rules);
  ModelBuilder builder;
  Parser parser(SourceId{0}, [&](const Record& record) {
    builder.add(record);
    matcher.add(record);
  });
  parser.feed(log());
  parser.finish();
  builder.add_source(SourceId{0}, "log", parser.stats());
  Model model = std::move(builder).build();
  Report report = analyze(model);
  const std::vector<const RuleInfo*> wanted = rules.infos();
  matcher.judge(wanted, true, model, report);
}

void judge_by(const std::vector<Expectation>& expectations) {
  const Model model = fuzz::model_of(log());
  Report report = analyze(model);
  check_expectations(model, expectations, all_rules(), report);
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const std::string_view bytes = fuzz::view_of(data, size);
  if (bytes.empty()) return 0;
  const std::string_view document = bytes.substr(1);
  switch (bytes.front() % 3) {
    case 0: {
      SiteRules rules;
      if (rules.add("rules.json", document).empty()) judge_by(rules);
      break;
    }
    case 1: {
      const ParsedProfile parsed = parse_profile("profile.json", document);
      if (parsed.error.empty()) judge_by(parsed.profile.expectations);
      break;
    }
    default: {
      const ParsedExpectations parsed = parse_expectations(document);
      if (parsed.error.empty()) judge_by(parsed.expectations);
    }
  }
  return 0;
}
