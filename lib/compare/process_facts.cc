// Facts of a process: network, plugins, versions, settings.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "compare/collector.h"
#include "queries/settings.h"
#include "text/message_text.h"
#include "text/search.h"
#include "text/split.h"

namespace nccl_analyze {
namespace {

/// Formats the version of the CUDA driver: 12080 is `12.8`. Empty if unknown.
std::string driver_text(int driver) {
  return driver < 0 ? std::string{} : concat(driver / 1000, ".", driver % 1000 / 10);
}

/// Returns the interface, followed by `over IPv6` if its address is IPv6. The address itself differs in every run.
std::string bootstrap_text(const Process& process) {
  const bool six = std::ranges::count(process.bootstrap_address.view(), ':') > 1;
  const std::string interface = process.bootstrap_interface.str();
  return six && !interface.empty() ? interface + " over IPv6" : interface;
}

/// Whether NCCL looks for all of these libraries even if no setting names them. `libraries` are separated by blanks.
bool are_defaults(std::string_view libraries) {
  while (!libraries.empty()) {
    const std::string_view library = take_until(libraries, ' ');
    if (!one_of(library, {"libnccl-net.so", "libnccl-tuner.so", "libnccl-profiler.so", "libnccl-collnet.so"}))
      return false;
  }
  return true;
}

/// Describes the state of a plugin: its name if it was loaded, else its name with `missing` or `failed`. Empty if the
/// log only names the plugin, or if a plugin is missing that NCCL looks for even without a setting.
std::string plugin_text(const Plugin& plugin) {
  const std::string_view name = plugin.name.empty() ? plugin.library.view() : plugin.name.view();
  switch (plugin.status) {
    case PluginStatus::named:
      return {};
    case PluginStatus::missing:
      return are_defaults(plugin.library) ? std::string{} : concat(name, " missing");
    case PluginStatus::failed:
      return concat(name, " failed");
    case PluginStatus::loaded:
    case PluginStatus::initialized:
      return std::string{name};
  }
  return {};
}

/// Adds the names and versions of the plugins of one kind. The names are `none` if the log shows that NCCL looked for a
/// plugin and found none.
void add_plugins(const Process& process, std::string_view kind, Subject subject, FactCollector& into) {
  std::vector<std::string> texts, versions;
  LineRef at;
  bool any = false;
  for (const Plugin& plugin : process.plugins) {
    if (plugin.kind != kind) continue;
    any = any || plugin.status != PluginStatus::named;
    std::string text = plugin_text(plugin);
    if (text.empty()) continue;
    if (at.line == 0 && !plugin.evidence.lines.empty()) at = plugin.evidence.lines.front();
    add_once(texts, std::move(text));
    std::string version = plugin.version.str();
    if (!plugin.api.empty()) version += concat(version.empty() ? "" : ", ", "interface ", plugin.api.view());
    if (!version.empty()) add_once(versions, std::move(version));
  }
  if (!any) return;
  std::sort(texts.begin(), texts.end());
  std::sort(versions.begin(), versions.end());
  into.add(Topic::network, concat(kind, " plugin"), subject, texts.empty() ? "none" : list_text(texts, 8), at);
  into.add(Topic::versions, concat(kind, " plugin"), subject, list_text(versions, 8), at);
}

/// Whether the value of the variable differs in every run or process. For such a variable, only its presence is
/// compared.
bool is_of_one_run(std::string_view variable) {
  return variable == "NCCL_COMM_ID" || variable == "NCCL_HOSTID" || variable == "NCCL_DEBUG_FILE" ||
         variable.ends_with("_DUMP_FILE");
}

}  // namespace

void add_process_facts(const Process& process, Subject subject, FactCollector& into) {
  into.add(Topic::network, "network", subject, process.network, process.network_at);
  into.add(Topic::nics, "interface of the bootstrap", subject, bootstrap_text(process), process.bootstrap_at);
  for (const std::string_view kind : {"net", "collnet", "tuner", "profiler"}) add_plugins(process, kind, subject, into);
  if (process.ib_absent) into.add(Topic::nics, "InfiniBand devices", subject, "none", process.ib_at);

  const std::string_view library = process.library.empty() ? "NCCL" : process.library.view();
  into.add(Topic::versions, library, subject, process.version, process.version_at);
  into.add(Topic::versions, "CUDA of NCCL", subject, process.toolkit, process.version_at);
  into.add(Topic::versions, "CUDA driver", subject, driver_text(process.driver), process.driver_at);
  into.add(Topic::machines, "instance type", subject, process.platform, process.platform_at);
  for (const auto& [variable, setting] : process.env)
    into.add(Topic::settings, variable.view(), subject,
             is_of_one_run(variable.view()) ? "set"
             : setting.value.empty()        ? "(empty)"
                                            : setting.value.view(),
             setting.at);
}

}  // namespace nccl_analyze
