// Reads a JSON report back into a model, as far as a comparison needs it.

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "compare/report_json.h"
#include "model/stable_sort.h"

namespace nccl_analyze {
namespace {

Plugin plugin_of(const Json& json) {
  Plugin plugin;
  plugin.kind = text_of(json, "kind");
  plugin.name = text_of(json, "name");
  plugin.api = text_of(json, "api");
  plugin.library = text_of(json, "library");
  plugin.version = text_of(json, "version");
  plugin.status = word_of(json, "status",
                          {PluginStatus::named, PluginStatus::missing, PluginStatus::loaded, PluginStatus::initialized,
                           PluginStatus::failed});
  plugin.requested = flag_of(json, "requested") == 1;
  return plugin;
}

Process process_of(const Json& json, std::size_t hosts) {
  Process process;
  process.host_index = index_of(json, "place", hosts);
  process.host = text_of(json, "host");
  process.pod = text_of(json, "pod");
  process.library = text_of(json, "library");
  process.version = text_of(json, "version");
  process.toolkit = text_of(json, "cuda");
  const std::string driver = text_of(json, "driver");
  std::from_chars(driver.data(), driver.data() + driver.size(), process.driver);
  process.bootstrap_interface = text_of(member(json, "bootstrap"), "interface");
  process.bootstrap_address = text_of(member(json, "bootstrap"), "address");
  process.network = text_of(json, "network");
  process.platform = text_of(json, "platform");
  for (const Json& plugin : elements(json, "plugins")) process.plugins.push_back(plugin_of(plugin));
  const Json& env = member(json, "env");
  if (env.is_object())
    for (const auto& [variable, value] : env.items())
      if (value.is_string()) process.env[variable].value = value.get<std::string>();
  // NCCL prints these facts only at level INFO.
  process.info_seen = !process.bootstrap_interface.empty() || !process.network.empty() || !process.plugins.empty() ||
                      !process.env.empty() || process.driver >= 0;
  return process;
}

HostNic nic_of(const Json& json) {
  HostNic nic;
  nic.network = text_of(json, "network");
  nic.index = number_of(json, "device");
  nic.name = text_of(json, "name");
  nic.port = number_of(json, "port");
  nic.link = text_of(json, "link");
  nic.speed = number_of(json, "speed");
  nic.gdr = flag_of(json, "gdr");
  return nic;
}

HostGpu gpu_of(const Json& json) {
  HostGpu gpu;
  gpu.bus_id = hex_of(json, "bus_id").value_or(0);
  gpu.nvml_dev = number_of(json, "nvml_dev");
  for (const Json& nic : elements(json, "nics")) gpu.nics.push_back(number_of(nic));
  gpu.pci_bandwidth = measure_of(json, "pci_bandwidth");
  gpu.nvlink_bandwidth = measure_of(json, "nvlink_bandwidth");
  gpu.nic_path = path_type(text_of(json, "nic_path"));
  return gpu;
}

Host host_of(const Json& json) {
  Host host;
  host.name = text_of(json, "name");
  host.pod = text_of(json, "pod");
  host.container = text_of(json, "container");
  host.cpus = number_of(json, "numa_nodes");
  host.cpu = text_of(json, "cpu");
  host.nvlink =
      word_of(json, "nvlink", {Nvlink::unknown, Nvlink::none, Nvlink::present, Nvlink::direct, Nvlink::switched});
  host.worst_path = path_type(text_of(json, "worst_gpu_path"));
  for (const Json& gpu : elements(json, "gpus")) host.gpus.push_back(gpu_of(gpu));
  for (const Json& nic : elements(json, "nics")) host.nics.push_back(nic_of(nic));
  return host;
}

void add_findings(const Json& list, std::vector<RunFinding>& found) {
  for (const Json& json : list) {
    RunFinding finding{text_of(json, "rule"),
                       text_of(json, "name"),
                       word_of(json, "severity", {Severity::info, Severity::warning, Severity::error}),
                       text_of(json, "message"),
                       {}};
    const Json& evidence = elements(json, "evidence");
    const int line = evidence.empty() ? -1 : number_of(evidence.front(), "line");
    const int source = evidence.empty() ? -1 : number_of(evidence.front(), "source");
    if (line >= 0 && source >= 0)
      finding.at = {static_cast<SourceId>(static_cast<std::uint32_t>(source)), static_cast<std::uint64_t>(line)};
    const auto known = std::ranges::find(found, finding.rule, &RunFinding::rule);
    if (known == found.end())
      found.push_back(std::move(finding));
    else if (finding.severity > known->severity)
      *known = std::move(finding);
    add_findings(elements(json, "consequences"), found);
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
  if (number_of(json, "version") != 1) return {{}, "this report has a version that this nccl-analyze does not read"};
  ReadReport read{facts_of(model_of(json), {}), {}};
  add_findings(elements(json, "findings"), read.facts.findings);
  sort_stably_by(read.facts.findings, &RunFinding::rule);
  for (const Json& item : elements(json, "not_evaluated")) read.facts.not_judged.push_back(text_of(item, "rule"));
  std::ranges::sort(read.facts.not_judged);
  return read;
}

}  // namespace nccl_analyze
