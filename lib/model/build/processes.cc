// Facts of processes: versions, settings, plugins, networks, the machine.

#include <algorithm>

#include "model/build/builder.h"
#include "model/wording.h"
#include "text/lower_case.h"

namespace nccl_analyze::draft {

namespace {

/// NCCL ends numeric settings with a period: `NCCL_IB_TIMEOUT set by environment to 22.`
std::string_view without_period(std::string_view value) {
  if (!value.ends_with('.')) return value;
  const std::string_view number = value.substr(0, value.size() - 1);
  const bool numeric = !number.empty() && number.find_first_not_of("-0123456789") == std::string_view::npos;
  return numeric ? number : value;
}

/// A kind of plugin as the report names it; before 2.21 only the network had one, and lines do not say so.
std::string kind_of(std::string_view text) {
  if (text.empty() || text == "network") return "net";
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

enum class AddressState : std::uint8_t { whole, unknown, damaged };

bool is_address_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '.' || c == ':';
}

/// `10.0.0.1<0>` and `fe80::1%eth0<0>` are whole. People hide addresses, pages eat `<0>`, lines are cut: then it is not
/// known. Anything else is damage.
AddressState state_of(std::string_view text) {
  if (text.empty() || std::string_view{"xX<[*"}.find(text.front()) != std::string_view::npos)
    return AddressState::unknown;
  const std::string_view ip = text.substr(0, text.find_first_of("<%"));
  if (ip.empty() || !std::all_of(ip.begin(), ip.end(), is_address_letter)) return AddressState::damaged;
  return text.ends_with('>') ? AddressState::whole : AddressState::unknown;
}

/// `2.27.3`, `2.21.5-5d1b0e8`: three numbers.
bool is_version(std::string_view text) {
  int dots = 0;
  for (std::size_t i = 0; i < text.size() && dots < 3; ++i) {
    if (text[i] == '.' && i > 0 && i + 1 < text.size()) {
      ++dots;
    } else if (text[i] < '0' || text[i] > '9') {
      return dots == 2 && text[i] == '-';
    }
  }
  return dots == 2 && text.back() != '.';
}

/// NCCL's own network, cut short.
bool is_cut_network(std::string_view name) { return name != "Socket" && std::string_view{"Socket"}.starts_with(name); }

}  // namespace

void Folding::apply(const BootstrapInterfaceChosen& event) {
  const AddressState state = state_of(event.address);
  if (state == AddressState::damaged) return;
  facts().bootstrap_interface = shared(event.interface);
  if (state == AddressState::whole)
    facts().bootstrap_address = shared(event.address.substr(0, event.address.find('<')));
  facts().bootstrap_at = quoted();
}

void Folding::apply(const SocketInterfaceUsed& event) {
  if (facts().bootstrap_interface.empty())
    apply(BootstrapInterfaceChosen{.interface = event.interface, .address = event.address});
  constexpr std::size_t most = 1024;  // bytes; processes that start again print them again
  const std::string_view known = facts().socket_devices;
  const std::string device = std::string(event.interface) + ":" + std::string(event.address);
  if (known.size() > most || known.find("]" + device) != std::string_view::npos) return;
  const auto number = std::count(known.begin(), known.end(), '[');
  facts().socket_devices =
      shared(std::string(known) + (known.empty() ? "[" : " [") + std::to_string(number) + "]" + device);
  facts().socket_at = quoted();
}

void Folding::apply(const VersionPrinted& event) {
  if (!is_version(event.version)) return;
  if (facts().pid < 0 && !facts().version.empty() && facts().version != event.version) {
    facts().second_version = facts().version;
    facts().second_version_at = facts().version_at;
  }
  facts().library = shared(event.library);
  facts().version = shared(event.version);
  facts().toolkit = shared(known_toolkit(event.toolkit));
  facts().version_at = quoted();
}

void Folding::apply(const DriverVersionPrinted& event) {
  facts().driver = event.driver;
  facts().driver_at = quoted();
}

void Folding::apply(const EnvSet& event) {
  const std::string_view value = without_period(event.value);
  if (EnvValue* const known = facts().env.find(event.variable)) {
    known->value = shared(value);
    return;
  }
  if (facts().env.size() >= limits_.max_env) {
    dropped_ += record_->times;
    return;
  }
  facts().env.add(shared(event.variable), {shared(value), quoted()});
}

void Folding::apply(const EnvRejected& event) { incident(IncidentKind::env_rejected, event); }

Text Folding::shared(std::string_view text) {
  if (text.empty()) return {};
  // the parser keeps messages that it met before, so that their words stand where they stood
  Text& recent = recent_texts_[reinterpret_cast<std::uintptr_t>(text.data()) / 8 % recent_texts_.size()];
  if (recent == text) return recent;
  const std::size_t hash = hash_of(text);
  const auto text_at = [this](Index index) -> const Text& { return texts_[static_cast<std::size_t>(index)]; };
  if (const Index* const known = text_index_.find(hash, [&](Index index) { return text_at(index) == text; }))
    return recent = text_at(*known);
  const auto made = static_cast<Index>(texts_.size());
  texts_.emplace_back(text);
  text_index_.add(made, hash, [&](Index index) { return hash_of(text_at(index)); });
  return recent = texts_.back();
}

Text Folding::listed(const Text& before, std::string_view next) {
  return shared(before.empty() ? std::string(next) : before.str().append(", ").append(next));
}

Plugin& Folding::plugin(std::string_view kind) {
  auto& plugins = facts().plugins;
  for (Plugin& known : plugins)
    if (known.kind == kind) return known;
  Plugin& made = plugins.emplace_back();
  made.kind = shared(kind);
  return made;
}

void Folding::blame(Plugin& plugin, std::string_view reason) {
  const std::string words = lower_case(reason);
  plugin.reason = shared(reason);
  plugin.other_build = words.find("symbol") != std::string::npos || words.find("cuda") != std::string::npos;
}

void Folding::note(Evidence& evidence) {
  evidence.add(record_->at, record_->times);
  if (evidence.lines.size() <= Evidence::max_lines && evidence.lines.back() == record_->at) quoted();
}

void Folding::apply(const PluginNamed& event) {
  Plugin& named = plugin(kind_of(event.kind));
  named.requested = true;
  named.library = shared(event.library);
  note(named.evidence);
}

void Folding::apply(const PluginNotFound& event) {
  const std::string kind = kind_of(event.kind);
  const std::string_view tried = trimmed(event.libraries.substr(0, event.libraries.find(". ")));
  const std::string_view libraries = tried.ends_with('.') ? tried.substr(0, tried.size() - 1) : tried;
  const std::string name = "-" + kind + ".so";
  const bool usual = libraries == "libnccl" + name || libraries == "librccl" + name;
  const bool damaged = libraries.find_first_of(":[") != std::string_view::npos ||
                       (!usual && !libraries.empty() && ("libnccl" + name).starts_with(libraries));
  if (damaged) return;
  Plugin& missing = plugin(kind);
  // A name that NCCL would not try by itself was asked for; "none" is how one asks for no plugin.
  const bool none = libraries == "libnccl-" + missing.kind + "-none.so" || libraries == "none";
  if (!libraries.empty() && !usual && !none) missing.requested = true;
  if (missing.status < PluginStatus::loaded) missing.status = PluginStatus::missing;
  missing.library = shared(libraries);
  note(missing.evidence);
}

void Folding::apply(const PluginLoadFailed& event) {
  Plugin& failed = plugin(kind_of(event.kind));
  if (failed.status < PluginStatus::loaded) failed.status = PluginStatus::missing;
  if (failed.reason.empty()) blame(failed, event.reason);
  note(failed.evidence);
}

void Folding::apply(const PluginLoaded& event) {
  const std::string kind = event.kind == "coll" ? "collnet" : kind_of(event.kind);
  Plugin& loaded = plugin(kind);
  loaded.name = shared(event.plugin);
  if (event.api >= 0) loaded.api = shared("v" + std::to_string(event.api));
  loaded.status = PluginStatus::loaded;
  note(loaded.evidence);
}

void Folding::apply(const PluginLibraryLoaded& event) { plugin(kind_of(event.kind)).library = shared(event.library); }

void Folding::apply(const PluginInitialized& event) {
  for (Plugin& known : facts().plugins)
    if (known.kind == "net" && known.name == event.plugin && known.status != PluginStatus::failed)
      known.status = PluginStatus::initialized;
}

void Folding::apply(const PluginInitFailed& event) {
  for (Plugin& known : facts().plugins) {
    if (known.kind != "net" || known.name != event.plugin || known.status == PluginStatus::initialized) continue;
    known.status = PluginStatus::failed;
    if (known.reason.empty()) blame(known, record_->message);
    note(known.failure);
  }
}

void Folding::apply(const NetworkChosen& event) {
  ThreadDraft& now = thread();
  if (now.idle_since == 0) now.idle_since = record_->at.line;
  now.entered = stamps_of(record_->origin);
  now.entered_at = record_->at;
  now.to_start = -1;
  if (is_cut_network(event.network)) return;
  const bool first = facts().network.empty();
  facts().network = shared(event.network);
  if (first) facts().network_at = quoted();
  for (Plugin& known : facts().plugins) {
    if (known.kind != "net" || known.name.empty()) continue;
    if (known.name == event.network && known.status != PluginStatus::failed) known.status = PluginStatus::initialized;
  }
}

void Folding::apply(const NetworkMissing& event) { incident(IncidentKind::network_missing, event); }

void Folding::apply(const OfiStarted& event) {
  Plugin& net = plugin("net");
  net.version = shared("aws-ofi-nccl " + std::string(event.version));
  note(net.evidence);
}

void Folding::apply(const OfiLibfabricUsed& event) {
  Plugin& net = plugin("net");
  if (net.version.view().find("libfabric") == std::string_view::npos)
    net.version = listed(net.version, "libfabric " + std::string(event.version));
}

void Folding::fail_net_plugin(std::string_view reason) {
  Plugin& net = plugin("net");
  if (net.status == PluginStatus::initialized) return;
  net.status = PluginStatus::failed;
  if (net.reason.empty()) blame(net, reason);
  note(net.failure);
}

void Folding::apply(const OfiProviderMissing&) {
  Plugin& net = plugin("net");
  if (net.status != PluginStatus::initialized) blame(net, "No eligible providers were found");
  note(net.failure);
}

void Folding::apply(const OfiProviderSelected& event) {
  Plugin& net = plugin("net");
  net.version = listed(net.version, "provider " + std::string(event.provider));
  note(net.evidence);
}

namespace {

/// A function of aws-ofi-nccl that moves data or prepares it; a warning there says nothing about the plugin's start.
bool is_data_path(std::string_view place) {
  constexpr std::string_view parts[] = {"reg",     "send",   "recv",    "flush", "test_", "accept",
                                        "connect", "listen", "request", "_cq",   "rail",  "endpoint"};
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return place.find(part) != std::string_view::npos; });
}

}  // namespace

void Folding::fail_by_warning(bool is_all) {
  constexpr std::string_view prefix = "NET/OFI ";
  if (record_->level != Level::warn) return;
  const std::string_view topic = phrase_of(*record_).topic;
  if (is_all && !topic.empty() && topic != "net-plugin-failed")
    return add_incident(IncidentKind::other_warning, {}, {}, topic);
  const bool starts = facts().network_at.line == 0 && !is_data_path(record_->origin.location);
  if (is_all) add_incident(IncidentKind::other_warning, {}, {}, starts ? "net-plugin-failed" : "");
  if (!starts) return;
  const std::string_view words = record_->message;
  fail_net_plugin(trimmed(words.starts_with(prefix) ? words.substr(prefix.size()) : words));
}

void Folding::apply(const OfiNoted&) { fail_by_warning(); }

void Folding::apply(const OfiCallFailed&) { fail_by_warning(); }

void Folding::apply(const OfiProtocolFailed&) { fail_by_warning(); }

void Folding::apply(const OfiGdrDisabled& event) {
  fail_by_warning(false);
  incident(IncidentKind::gdr_disabled, event);
}

void Folding::apply(const OfiRequestFailed& event) {
  fail_by_warning(false);
  incident(IncidentKind::ofi_request_failed, event, event.error);
}

void Folding::apply(const PlatformReported& event) {
  if (facts().platform == event.platform) return;
  facts().platform = shared(event.platform);
  facts().platform_at = quoted();
}

void Folding::apply(const IbDevicesAbsent&) {
  facts().ib_absent = true;
  facts().ib_at = quoted();
}

void Folding::apply(const IbDevicesListed& event) {
  std::string_view devices = trimmed(event.devices.text());
  // `[RO]` alone: relaxed ordering, no device
  if (devices.ends_with("[RO]")) devices = trimmed(devices.substr(0, devices.size() - 4));
  devices = trimmed(devices.substr(0, devices.find_last_not_of(" ;") + 1));
  facts().ib_devices = shared(devices);
}

void Folding::apply(const SocketInterfacesListed& event) {
  facts().socket_devices = shared(event.interfaces.text());
  facts().socket_at = quoted();
}

void Folding::apply(const GdrDecided& event) {
  GdrReasons& gdr = facts().gdr_reasons.made();
  if (event.state == "Enabled") {
    gdr.enabled += record_->times;
    return;
  }
  note(gdr.disabled);
  if (event.distance < 0) return;  // the path is not told
  if (gdr.nearest < 0 || event.distance < gdr.nearest) gdr.nearest = event.distance;
  gdr.limit = event.limit;
}

void Folding::apply(const FabricReported& event) {
  facts().fabric_state = event.state;
  if ((event.uuid_high.value | event.uuid_low.value) != 0)
    facts().fabric = shared(keeper_.hex(event.uuid_high.value) + "." + keeper_.hex(event.uuid_low.value) + "/" +
                            keeper_.hex(event.clique.value));
  facts().fabric_at = quoted();
}

void Folding::apply(const NvlsReported& event) { facts().nvls = event.state == "available" ? 1 : 0; }

}  // namespace nccl_analyze::draft
