#include "model/build/plugins.h"

#include <algorithm>

#include "model/build/incidents.h"
#include "model/loader_error.h"
#include "model/wording.h"
#include "text/lower_case.h"

namespace nccl_analyze::builder {

namespace {

/// Converts the printed kind of a plugin to the name in reports. Before 2.21 only network plugins exist, and lines do
/// not name the kind.
std::string kind_of(std::string_view text) {
  if (text.empty() || text == "network") return "net";
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// Whether `name` is `before`, the kind of a plugin and `behind`: `libnccl-net.so`.
bool is_named(std::string_view name, std::string_view before, std::string_view kind, std::string_view behind) {
  return name.size() == before.size() + kind.size() + behind.size() && name.starts_with(before) &&
         name.substr(before.size()).starts_with(kind) && name.ends_with(behind);
}

/// Whether the name is a truncated `Socket`, NCCL's built-in network.
bool is_cut_network(std::string_view name) { return name != "Socket" && std::string_view{"Socket"}.starts_with(name); }

Text listed(Context& context, const Text& before, std::string_view next) {
  return context.shared(before.empty() ? std::string(next) : before.str().append(", ").append(next));
}

/// Returns the plugin of this kind of the current process. Adds it if it does not exist.
Plugin& plugin_of(Context& context, std::string_view kind) {
  auto& plugins = context.facts->plugins;
  for (Plugin& known : plugins)
    if (known.kind == kind) return known;
  Plugin& made = plugins.emplace_back();
  made.kind = context.shared(kind);
  return made;
}

/// Records why the plugin failed.
void set_failure_reason(Context& context, Plugin& plugin, std::string_view reason) {
  const std::string words = lower_case(reason);
  plugin.reason = context.shared(reason);
  plugin.other_build = words.find("symbol") != std::string::npos || words.find("cuda") != std::string::npos;
}

/// Records what the loader said about a plugin. NCCL tries several names: an error that proves that the plugin is there
/// counts more than those about names that do not exist.
void record_loader_error(Context& context, Plugin& plugin, std::string_view reason, std::string_view tried) {
  const bool is_there = read_loader_error(reason, tried).fault != LoaderFault::none;
  if (is_there && plugin.status < PluginStatus::loaded) plugin.status = PluginStatus::failed;
  if (plugin.reason.empty() ||
      (is_there && read_loader_error(plugin.reason, plugin.library).fault == LoaderFault::none))
    set_failure_reason(context, plugin, reason);
}

/// Records a warning that the network plugin printed while it started. The plugin failed if an error trace follows, or
/// if NCCL uses another network.
void suspect_net_plugin(Context& context, std::string_view reason) {
  Plugin& net = plugin_of(context, "net");
  if (net.status == PluginStatus::initialized) return;
  context.process->plugin_warned = true;
  if (net.reason.empty()) set_failure_reason(context, net, reason);
  context.add_to(net.failure);
}

/// Whether a warning reports a missing symbol that is optional: aws-ofi-nccl looks up functions of newer releases.
bool misses_optional_symbol(std::string_view words) {
  return words.starts_with("Could not find ") && words.find(" symbol") != std::string_view::npos;
}

/// Whether `place` names a function of aws-ofi-nccl that transfers data or prepares transfers. A warning from such a
/// function does not mean that the plugin failed to start.
bool is_data_path(std::string_view place) {
  constexpr std::string_view parts[] = {"reg",     "send",   "recv",    "flush", "test_", "accept",
                                        "connect", "listen", "request", "_cq",   "rail",  "endpoint"};
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return place.find(part) != std::string_view::npos; });
}

/// Whether the words begin the report of a failed transfer, which may continue on the next line.
bool is_of_transfer(std::string_view words) {
  return words.starts_with("Request 0x") || words.starts_with("Remote write completed");
}

/// Handles a warning of aws-ofi-nccl: if it was printed before NCCL chose a network, the plugin may have failed.
/// `is_all`: the warning has no other incident, so this function adds one.
void fail_by_warning(Context& context, bool is_all = true) {
  constexpr std::string_view prefix = "NET/OFI ";
  if (!is_notable(context.record->level)) return;
  const std::string_view topic = phrase_of(*context.record).topic;
  if (is_all && !topic.empty() && topic != "net-plugin-failed")
    return add_incident(context, IncidentKind::other_warning, {}, {}, topic);
  const std::string_view message = context.record->message;
  const std::string_view words = trimmed(message.starts_with(prefix) ? message.substr(prefix.size()) : message);
  const bool is_optional = misses_optional_symbol(words);
  const bool starts =
      context.facts->network_at.line == 0 && !is_data_path(context.record->origin.location) && !is_of_transfer(words);
  if (is_all)
    add_incident(context, IncidentKind::other_warning, {}, {},
                 is_optional ? "none"
                 : starts    ? "net-plugin-failed"
                             : "");
  if (starts && !is_optional) suspect_net_plugin(context, words);
}

}  // namespace

void Plugins::apply(Context& context, const PluginNamed& event) {
  Plugin& named = plugin_of(context, kind_of(event.kind));
  named.requested = true;
  named.library = context.shared(event.library);
  context.add_to(named.evidence);
}

void Plugins::apply(Context& context, const PluginNotFound& event) {
  const std::string kind = kind_of(event.kind);
  const std::string_view tried = trimmed(event.libraries.substr(0, event.libraries.find(". ")));
  const std::string_view libraries = tried.ends_with('.') ? tried.substr(0, tried.size() - 1) : tried;
  const bool usual = is_named(libraries, "libnccl-", kind, ".so") || is_named(libraries, "librccl-", kind, ".so");
  const bool damaged = libraries.find_first_of(":[") != std::string_view::npos ||
                       (!usual && !libraries.empty() && ("libnccl-" + kind + ".so").starts_with(libraries));
  if (damaged) return;
  Plugin& missing = plugin_of(context, kind);
  // NCCL itself tries only the usual names, so the user set any other name; "none" disables plugins
  const bool none = is_named(libraries, "libnccl-", kind, "-none.so") || libraries == "none";
  if (!libraries.empty() && !usual && !none) missing.requested = true;
  if (missing.status < PluginStatus::loaded) missing.status = PluginStatus::missing;
  if (missing.library != libraries) missing.library = context.shared(libraries);
  if (read_loader_error(event.reason, libraries).fault != LoaderFault::none)
    record_loader_error(context, missing, event.reason, libraries);
  context.add_to(missing.evidence);
}

void Plugins::apply(Context& context, const PluginLoadFailed& event) {
  if (event.reason.starts_with("Using internal ")) return;  // The line after the errors of the loader, from 2.23 on.
  Plugin& failed = plugin_of(context, kind_of(event.kind));
  if (failed.status < PluginStatus::loaded) failed.status = PluginStatus::missing;
  record_loader_error(context, failed, event.reason, failed.library);
  context.add_to(failed.evidence);
}

void Plugins::apply(Context& context, const PluginLoaded& event) {
  const std::string kind = event.kind == "coll" ? "collnet" : kind_of(event.kind);
  Plugin& loaded = plugin_of(context, kind);
  loaded.name = context.shared(event.plugin);
  if (event.api >= 0) loaded.api = context.shared("v" + std::to_string(event.api));
  loaded.status = PluginStatus::loaded;
  context.add_to(loaded.evidence);
}

void Plugins::apply(Context& context, const PluginLibraryLoaded& event) {
  plugin_of(context, kind_of(event.kind)).library = context.shared(event.library);
}

void Plugins::apply(Context& context, const PluginInitialized& event) {
  for (Plugin& known : context.facts->plugins)
    if (known.kind == "net" && known.name == event.plugin && known.status != PluginStatus::failed)
      known.status = PluginStatus::initialized;
}

void Plugins::apply(Context& context, const PluginInitFailed& event) {
  const bool is_built_in = event.plugin == "IB" || event.plugin == "Socket";
  const bool is_known = std::ranges::any_of(context.facts->plugins, [&](const Plugin& plugin) {
    return plugin.kind == "net" && plugin.name == event.plugin;
  });
  if (!is_known && !is_built_in) plugin_of(context, "net").name = context.shared(event.plugin);
  for (Plugin& known : context.facts->plugins) {
    if (known.kind != "net" || known.name != event.plugin || known.status == PluginStatus::initialized) continue;
    known.status = PluginStatus::failed;
    if (known.reason.empty()) set_failure_reason(context, known, context.record->message);
    context.add_to(known.failure);
  }
}

void Plugins::apply(Context& context, const PluginAssigned& event) {
  const std::string kind = kind_of(event.kind);
  if (kind == "net") return;  // NetworkChosen follows
  Plugin& assigned = plugin_of(context, kind);
  assigned.name = context.shared(event.plugin);
  assigned.status = PluginStatus::initialized;
}

void Plugins::apply(Context& context, const NetworkChosen& event) {
  ThreadState& now = context.thread();
  if (now.idle_since == 0) now.idle_since = context.record->at.line;
  now.entered = {};
  if (const Timestamps times = timestamps_of(context.record->origin);
      std::max(times.own.microseconds, times.collected.microseconds) >= 0)
    now.entered = Entered{times, context.record->at};
  if (is_cut_network(event.network)) return;
  const bool first = context.facts->network.empty();
  context.facts->network = context.shared(event.network);
  if (first) context.facts->network_at = context.quote();
  for (Plugin& known : context.facts->plugins) {
    const bool is_own = known.name == event.network || event.network.find("Libfabric") != std::string_view::npos;
    if (known.kind == "net" && context.process->plugin_warned && first && !is_own &&
        known.status != PluginStatus::initialized)
      known.status = PluginStatus::failed;
    if (known.kind != "net" || known.name.empty()) continue;
    if (known.name == event.network && known.status != PluginStatus::failed) known.status = PluginStatus::initialized;
  }
}

void Plugins::apply(Context& context, const OfiStarted& event) {
  Plugin& net = plugin_of(context, "net");
  net.version = context.shared("aws-ofi-nccl " + std::string(event.version));
  context.add_to(net.evidence);
}

void Plugins::apply(Context& context, const OfiLibfabricUsed& event) {
  Plugin& net = plugin_of(context, "net");
  if (net.version.view().find("libfabric") == std::string_view::npos)
    net.version = listed(context, net.version, "libfabric " + std::string(event.version));
}

void Plugins::apply(Context& context, const OfiProviderMissing&) {
  Plugin& net = plugin_of(context, "net");
  if (net.status != PluginStatus::initialized) set_failure_reason(context, net, "No eligible providers were found");
  context.add_to(net.failure);
}

void Plugins::apply(Context& context, const OfiProviderSelected& event) {
  Plugin& net = plugin_of(context, "net");
  net.version = listed(context, net.version, "provider " + std::string(event.provider));
  context.add_to(net.evidence);
}

void Plugins::apply(Context& context, const OfiNoted&) { fail_by_warning(context); }

void Plugins::apply(Context& context, const OfiCallFailed&) { fail_by_warning(context); }

void Plugins::apply(Context& context, const OfiProtocolFailed&) { fail_by_warning(context); }

void Plugins::apply(Context& context, const OfiGdrDisabled& event) {
  fail_by_warning(context, false);
  add_incident(context, IncidentKind::gdr_disabled, KeptEvent(event));
}

void Plugins::apply(Context& context, const OfiRequestFailed& event) {
  fail_by_warning(context, false);
  add_incident(context, IncidentKind::ofi_request_failed, KeptEvent(event), event.error);
}

}  // namespace nccl_analyze::builder
