#include "model/build/processes.h"

#include <algorithm>
#include <string>

#include "model/build/ranks.h"
#include "model/versions.h"
#include "text/escape.h"
#include "text/program_text.h"

namespace nccl_analyze::builder {

namespace {

/// Removes the period that NCCL prints after numeric settings: `NCCL_IB_TIMEOUT set by environment to 22.`
std::string_view without_period(std::string_view value) {
  if (!value.ends_with('.')) return value;
  const std::string_view number = value.substr(0, value.size() - 1);
  const bool numeric = !number.empty() && number.find_first_not_of("-0123456789") == std::string_view::npos;
  return numeric ? number : value;
}

enum class AddressState : std::uint8_t { whole, unknown, damaged };

bool is_address_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '.' || c == ':';
}

/// Classifies an address: whole (`10.0.0.1<0>`, `fe80::1%eth0<0>`), unknown (masked, truncated, or without the `<0>`
/// that a web page removed as a tag), or damaged (anything else).
AddressState address_state(std::string_view text) {
  if (text.empty() || std::string_view{"xX<[*"}.find(text.front()) != std::string_view::npos)
    return AddressState::unknown;
  const std::string_view ip = text.substr(0, text.find_first_of("<%"));
  if (ip.empty() || !std::all_of(ip.begin(), ip.end(), is_address_letter)) return AddressState::damaged;
  return text.ends_with('>') ? AddressState::whole : AddressState::unknown;
}

/// Whether the text is three numbers, with an optional suffix: `2.27.3`, `2.21.5-5d1b0e8`.
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

/// Returns the CUDA version of NCCL's build, such as `12.9`; empty if the build did not define it, so that NCCL prints
/// the macro names `CUDA_MAJOR.CUDA_MINOR`.
std::string_view known_toolkit(std::string_view printed) {
  return !printed.empty() && printed.front() >= '0' && printed.front() <= '9' ? printed : std::string_view{};
}

/// Notes the version of a line that NCCL itself printed, which names the CUDA version of its build.
void note_different(Context& context, const VersionPrinted& event, const std::string& version, BareVersion& kept) {
  if (event.library != "NCCL" || event.toolkit.empty() || !is_version(event.version) || !kept.second.empty() ||
      kept.first == version)
    return;
  (kept.first.empty() ? kept.first_at : kept.second_at) = context.quote();
  (kept.first.empty() ? kept.first : kept.second) = version;
}

}  // namespace

void add_bare_version(Context& context, const VersionPrinted& event) {
  BareVersion& kept = context.state.bare_versions[context.record->at.source];
  const std::string version = meant_version(event.version);
  if (kept.version.empty()) kept.at = context.quote();
  kept.differ = kept.differ || (!kept.version.empty() && kept.version != version);
  kept.version = version;
  kept.library = event.library;
  note_different(context, event, version, kept);
  if (const std::string_view toolkit = known_toolkit(event.toolkit); !toolkit.empty()) kept.toolkit = toolkit;
  if (!is_version_of_program(context.record->message)) kept.lines.nccl_lines += context.record->times;
}

void Processes::apply(Context& context, const BootstrapInterfaceChosen& event) {
  const AddressState state = address_state(event.address);
  if (state == AddressState::damaged) return;
  context.facts->bootstrap_interface = context.shared(event.interface);
  if (state == AddressState::whole)
    context.facts->bootstrap_address = context.shared(event.address.substr(0, event.address.find('<')));
  context.facts->bootstrap_at = context.quote();
}

void Processes::apply(Context& context, const SocketInterfaceUsed& event) {
  if (context.facts->bootstrap_interface.empty())
    apply(context, BootstrapInterfaceChosen{.interface = event.interface, .address = event.address});
  constexpr std::size_t most = 1024;  // limit in bytes, because a process that restarts prints its interfaces again
  const std::string_view known = context.facts->socket_devices;
  const std::string device = std::string(event.interface) + ":" + std::string(event.address);
  if (known.size() > most || known.find("]" + device) != std::string_view::npos) return;
  const auto number = std::count(known.begin(), known.end(), '[');
  context.facts->socket_devices =
      context.shared(std::string(known) + (known.empty() ? "[" : " [") + std::to_string(number) + "]" + device);
  context.facts->socket_at = context.quote();
}

void Processes::apply(Context& context, const VersionPrinted& event) {
  if (!is_version(event.version)) return;
  const std::string version = meant_version(event.version);
  if (context.facts->pid < 0 && !context.facts->version.empty() && context.facts->version != version) {
    context.facts->second_version = context.facts->version;
    context.facts->second_version_at = context.facts->version_at;
  }
  context.facts->library = context.shared(event.library);
  context.facts->version = context.shared(version);
  context.facts->toolkit = context.shared(known_toolkit(event.toolkit));
  context.facts->version_at = context.quote();
}

void Processes::apply(Context& context, const DriverVersionPrinted& event) {
  context.facts->driver = event.driver;
  context.facts->driver_at = context.quote();
}

void Processes::apply(Context& context, const EnvSet& event) {
  // NCCL reads these files while it builds rings and trees.
  if (event.variable == "NCCL_TOPO_FILE" || event.variable == "NCCL_GRAPH_FILE")
    if (Rank* const rank = rank_in_init(context)) reach(*rank, InitPhase::topology);
  const std::string_view value = without_period(event.value);
  if (EnvValue* const known = context.facts->env.find(event.variable)) {
    known->value = context.shared(value);
    return;
  }
  if (context.facts->env.size() >= context.limits.max_env) {
    context.drop();
    return;
  }
  context.facts->env.add(context.shared(event.variable), {context.shared(value), context.quote()});
}

void Processes::apply(Context& context, const PlatformReported& event) {
  if (context.facts->platform == event.platform) return;
  context.facts->platform = context.shared(event.platform);
  context.facts->platform_at = context.quote();
}

void Processes::apply(Context& context, const IbDevicesAbsent&) {
  context.facts->ib_absent = true;
  context.facts->ib_at = context.quote();
}

void Processes::apply(Context& context, const IbDevicesListed& event) {
  std::string_view devices = trimmed(event.devices.text());
  // `[RO]` marks relaxed ordering and is not a device
  if (devices.ends_with("[RO]")) devices = trimmed(devices.substr(0, devices.size() - 4));
  devices = trimmed(devices.substr(0, devices.find_last_not_of(" ;") + 1));
  context.facts->ib_devices = context.shared(devices);
}

void Processes::apply(Context& context, const SocketInterfacesListed& event) {
  context.facts->socket_devices = context.shared(event.interfaces.text());
  context.facts->socket_at = context.quote();
}

void Processes::apply(Context& context, const GdrDecided& event) {
  GdrReasons& gdr = context.facts->gdr_reasons.made();
  if (event.state == "Enabled") {
    gdr.enabled += context.record->times;
    return;
  }
  context.add_to(gdr.disabled);
  if (event.distance < 0) return;  // the line has no distance
  if (gdr.nearest < 0 || event.distance < gdr.nearest) gdr.nearest = event.distance;
  gdr.limit = event.limit;
}

void Processes::apply(Context& context, const FabricReported& event) {
  context.facts->fabric_state = event.state;
  if ((event.uuid_high.value | event.uuid_low.value) != 0)
    context.facts->fabric = context.shared(to_hex(event.uuid_high.value) + "." + to_hex(event.uuid_low.value) + "/" +
                                           to_hex(event.clique.value));
  context.facts->fabric_at = context.quote();
  // Every release prints this after the bootstrap, while it gathers the data of its rank for the other ranks.
  if (Rank* const rank = rank_in_init(context)) reach(*rank, InitPhase::allgather);
}

void Processes::apply(Context& context, const NvlsReported& event) {
  context.facts->nvls = event.state == "available" ? 1 : 0;
}

void Processes::apply(Context& context, const BufferRegistered& event) {
  const BufferWay way = event.way == "NET"                                 ? BufferWay::net
                        : event.way == "IPC"                               ? BufferWay::ipc
                        : event.way == "COLLNET" || event.way == "collNet" ? BufferWay::collnet
                                                                           : BufferWay::nvls;
  BufferWays& buffers = context.facts->buffers;
  (event.refusal.empty() ? buffers.registered : buffers.refused) |= bit_of(way);
  if (event.gdr == 0) buffers.without_gdr |= bit_of(way);
}

void Processes::apply(Context& context, const Noted& event) {
  // NCCL up to 2.12 prints this once, when all ranks of the process have launched their first collective.
  if (event.wording.starts_with("Launch mode ")) context.note_progress();
}

}  // namespace nccl_analyze::builder
