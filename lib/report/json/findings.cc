// Writes findings with their suspects, evidence and consequences.

#include "report/json/findings.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "nccl_analyze/rule_parts.h"
#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/json_writer.h"
#include "text/literal.h"

namespace nccl_analyze {
namespace {

/// Limit on the array `rank_list`, which is null for more ranks; `ranks` has all of them as text.
constexpr std::size_t max_listed = std::size_t{1} << 16;

void write_hosts_of(JsonWriter& json, const Model& model, const Finding& finding) {
  std::set<std::string_view> hosts;
  std::set<std::string> written;  // escaped names: names with different invalid bytes may become equal
  for (const Index process : finding.processes)
    if (process >= 0) hosts.insert(model.processes[process].host);
  for (const Suspect& suspect : finding.suspects) hosts.insert(address_of(model, suspect, finding.communicators).host);
  hosts.erase("");
  json.begin_array("hosts", Layout::line);
  for (const std::string_view host : hosts) {
    std::string text;
    append_json_string(text, host);
    if (written.insert(std::move(text)).second) json.value(host);
  }
  json.end();
}

void write_suspect(JsonWriter& json, const Model& model, const Suspect& suspect, const Finding& finding) {
  const Address address = address_of(model, suspect, finding.communicators);
  json.begin_object(Layout::line);
  json.member("rank", known(address.rank));
  json.member("process", known(address.process));
  json.member("host", known(address.host));
  json.member("pod", known(address.pod));
  json.member("container", known(address.container));
  json.member("pid", known(address.pid));
  json.member("gpu", known(address.gpu));
  json.member("why", known(suspect.why));
  json.member("inferred", suspect.inferred);
  json.end();
}

void write_rank_list(JsonWriter& json, std::vector<int> ranks) {
  std::erase_if(ranks, [](int rank) { return rank < 0; });
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  json.key("rank_list");
  if (ranks.size() > max_listed) return json.null();
  json.begin_array(Layout::line);
  for (const int rank : ranks) json.value(rank);
  json.end();
}

void write_evidence(JsonWriter& json, const Model& model, const Finding& finding) {
  const Evidence& evidence = finding.evidence;
  json.begin_array("evidence");
  for (const LineRef at : evidence.lines) {
    if (at.line == 0) continue;  // line 0 stands for no line
    json.begin_object(Layout::line);
    json.member("source", static_cast<std::uint32_t>(at.source));
    json.member("line", model.place_in_source(at));
    json.member("text", known(without_cut_marks(model.quote(at))));
    if (const Meaning* const meaning = meaning_at(model, finding, at)) json.member("meaning", meaning->text);
    json.end();
  }
  json.end();
  json.member("evidence_count", evidence.count);
}

void write_steps(JsonWriter& json, const Finding& finding) {
  json.begin_array("steps");
  for (const Step& step : steps_of(finding)) {
    json.begin_object();
    json.member("text", step.text);
    json.member("command", known(step.command));
    json.member("because", known(step.because));
    json.member("reference", known(step.reference));
    json.end();
  }
  json.end();
}

}  // namespace

void write_finding(JsonWriter& json, const Model& model, const Finding& finding, Layout layout) {
  const RuleInfo& rule = *finding.rule;
  json.begin_object(layout);
  json.member("rule", rule.id);
  json.member("name", rule.name);
  json.member("severity", to_string(finding.severity()));
  json.member("stage", to_string(finding.stage()));
  json.member("title", finding.shown_title());
  json.member("message", finding.message);
  json.member("explanation", rule.words->explanation);
  json.member("fix", fix_of(finding));
  write_steps(json, finding);
  json.member("consequence", finding.consequence);
  json.begin_array("communicators", Layout::line);
  for (const Index communicator : finding.communicators) json.value(communicator);
  json.end();
  json.member("ranks", known(rank_set(finding.ranks)));
  write_rank_list(json, finding.ranks);
  json.begin_array("suspects");
  for (const Suspect& suspect : finding.suspects) write_suspect(json, model, suspect, finding);
  json.end();
  write_hosts_of(json, model, finding);
  write_evidence(json, model, finding);
  json.begin_array("consequences");
  for (const Finding& consequence : finding.consequences) write_finding(json, model, consequence);
  json.end();
  json.end();
}

void write_findings(JsonWriter& json, const Model& model, const Report& report) {
  json.begin_array("findings");
  for (const Finding& finding : report.findings) write_finding(json, model, finding);
  json.end();
}

}  // namespace nccl_analyze
