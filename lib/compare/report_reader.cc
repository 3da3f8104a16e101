// Reads a JSON report back into a model, as far as a comparison needs it.

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "compare/report_json.h"
#include "model/stable_sort.h"
#include "queries/members/host.h"
#include "queries/members/process.h"

namespace nccl_analyze {
namespace {

Process process_of(const Json& json, std::size_t hosts) {
  Process process = object_of<Process>(json);
  process.host_index = index_of(json, "place", hosts);
  const std::string driver = text_of(json, "driver");
  std::from_chars(driver.data(), driver.data() + driver.size(), process.driver);
  const Json& env = member(json, "env");
  if (env.is_object())
    for (const auto& [variable, value] : env.items())
      if (value.is_string()) process.env[variable].value = value.get<std::string>();
  // NCCL prints these facts only at level INFO.
  process.info_seen = !process.bootstrap_interface.empty() || !process.network.empty() || !process.plugins.empty() ||
                      !process.env.empty() || process.driver >= 0;
  return process;
}

Host host_of(const Json& json) {
  Host host = object_of<Host>(json);
  for (std::size_t i = 0; i < host.gpus.size(); ++i)
    for (const Json& nic : elements(member(json, "gpus")[i], "nics"))
      if (const int index = number_of(nic, static_cast<std::int64_t>(host.nics.size()) - 1); index >= 0)
        host.gpus[i].nics.push_back(index);
  return host;
}

/// The report nests findings once. A forged one may nest them deeper than the stack allows.
constexpr int max_finding_depth = 16;

void add_findings(const Json& list, std::vector<RunFinding>& found, int depth = 0) {
  if (depth > max_finding_depth) return;
  for (const Json& json : list) {
    RunFinding finding{text_of(json, "rule"), text_of(json, "name"), {}, text_of(json, "message"), {}};
    members::read(member(json, "severity"), members::word<Severity::error>, finding.severity);
    const Json& evidence = elements(json, "evidence");
    const int line = evidence.empty() ? -1 : number_of(member(evidence.front(), "line"));
    const int source = evidence.empty() ? -1 : number_of(member(evidence.front(), "source"));
    if (line >= 0 && source >= 0)
      finding.at = {static_cast<SourceId>(static_cast<std::uint32_t>(source)), static_cast<std::uint64_t>(line)};
    const auto known = std::ranges::find(found, finding.rule, &RunFinding::rule);
    if (known == found.end())
      found.push_back(std::move(finding));
    else if (finding.severity > known->severity)
      *known = std::move(finding);
    add_findings(elements(json, "consequences"), found, depth + 1);
  }
}

Model model_of(const Json& json) {
  Model model;
  for (const Json& source : elements(member(json, "input"), "sources"))
    model.sources.push_back({text_of(source, "name"), {}, {}});
  for (const Json& host : elements(json, "hosts")) model.hosts.push_back(host_of(host));
  for (const Json& process : elements(json, "processes"))
    model.processes.push_back(process_of(process, model.hosts.size()));
  for (const Json& comm : elements(json, "communicators"))
    model.communicators.push_back(read_communicator(comm, model.processes.size()));
  return model;
}

}  // namespace

ReadReport read_report(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return {{}, "this is no JSON, or a report that was cut off"};
  if (text_of(json, "schema") != "nccl-analyze.report") return {{}, "this is no report of nccl-analyze"};
  if (number_of(member(json, "version")) != 1)
    return {{}, "this report has a version that this nccl-analyze does not read"};
  ReadReport read{facts_of(model_of(json), {}), {}};
  add_findings(elements(json, "findings"), read.facts.findings);
  sort_stably_by(read.facts.findings, &RunFinding::rule);
  for (const Json& item : elements(json, "not_evaluated")) read.facts.not_judged.push_back(text_of(item, "rule"));
  std::ranges::sort(read.facts.not_judged);
  return read;
}

}  // namespace nccl_analyze
