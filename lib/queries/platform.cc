// Detects cloud, fabric and GPU vendor from host names, product names, plugins and versions in the log.

#include "queries/platform.h"

#include <algorithm>

#include "model/versions.h"
#include "queries/network.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "queries/site.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr int first_early_start = 223;  ///< The first release that prints Init START before the bootstrap, as 2.23.

/// Whether the product name has the form of an EC2 instance type: `p5.48xlarge`, `g4dn.metal`.
bool is_instance_type(std::string_view platform) {
  return contains(platform, ".") && (platform.ends_with("large") || platform.ends_with("metal"));
}

/// Whether the host name has the form of an EC2 host name: `ip-10-0-1-11`, with or without a domain.
bool is_ec2_name(std::string_view host) {
  return host.starts_with("ip-") && std::count(host.begin(), host.end(), '-') >= 4 && host[3] >= '0' && host[3] <= '9';
}

/// Whether any plugin printed libfabric's provider efa (`efa` is true) or another provider (`efa` is false).
bool names_provider(const Process& process, bool efa) {
  constexpr std::string_view prefix = "provider ";
  return std::ranges::any_of(process.plugins, [&](const Plugin& plugin) {
    const std::string_view version = plugin.version;
    const std::size_t at = version.find(prefix);
    return at != std::string_view::npos && version.substr(at + prefix.size()).starts_with("efa") == efa;
  });
}

template <class Question>
bool any_process(const Model& model, const std::vector<Index>& processes, Question question) {
  return std::ranges::any_of(processes, [&](Index index) {
    const Process* process = process_of(model, index);
    return process != nullptr && question(*process);
  });
}

}  // namespace

bool is_on_aws(const Model& model, const std::vector<Index>& processes) {
  return any_process(model, processes, [](const Process& process) {
    return is_instance_type(process.platform) || names_provider(process, true) || is_ec2_name(process.host);
  });
}

bool is_on_ec2_host(const Model& model, const std::vector<Index>& processes) {
  return any_process(model, processes, [](const Process& process) { return is_ec2_name(process.host); });
}

bool uses_efa(const Model& model, const std::vector<Index>& processes) {
  return infrastructure_of(model, processes).efa &&
         !any_process(model, processes, [](const Process& process) { return names_provider(process, false); });
}

bool starts_after_bootstrap(const Model& model) {
  const auto is_before = [](const Text& version) { return release_of(version.view()) < first_early_start; };
  return std::ranges::any_of(model.processes, [&](const Process& process) {
    if (!process.version.empty()) return is_before(process.version);
    if (process.inferred_version) return std::ranges::all_of(process.inferred_version->versions, is_before);
    return process.releases.until != 0 && process.releases.until < first_early_start;
  });
}

bool may_start_after_bootstrap(const Model& model) {
  return std::ranges::all_of(model.processes, [](const Process& process) {
    return process.version.empty() && !process.inferred_version && process.releases.since < first_early_start;
  });
}

Releases releases_by_form(const Model& model, const Process& process) {
  constexpr int oldest_known = 204;  // the tables of messages begin with 2.4.2, and older releases print these as well
  const Releases& found = process.releases;
  const bool is_range = found.until == 0 || found.since <= std::max(found.until, oldest_known);
  return is_range && !runs_rccl(model) ? found : Releases{};
}

std::string_view last_line_about_connections(const Model& model) {
  bool is_known = false;
  for (const Process& process : model.processes) {
    const bool is_inferred = process.version.empty() && process.inferred_version;
    const Text version = is_inferred ? process.inferred_version->versions.back() : process.version;
    const EnvValue* const connect = setting(process, "NCCL_RUNTIME_CONNECT");
    const bool is_early = connect != nullptr && connect->value == "0";
    if (version.empty() && !is_early) continue;
    if (!is_early && !lower_version(version.view(), "2.22")) return "the first collective";
    is_known = true;
  }
  return is_known ? "`Init COMPLETE`" : "the first collective";
}

bool runs_rccl(const Model& model) {
  return std::ranges::any_of(model.processes, [](const Process& process) { return process.library == "RCCL"; });
}

}  // namespace nccl_analyze
