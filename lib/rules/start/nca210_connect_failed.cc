// NCA210 reports TCP connections between ranks that could not be established, with a reason for each errno.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "model/versions.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/rule.h"
#include "queries/bootstrap_address.h"
#include "queries/interfaces.h"
#include "rules/findings.h"
#include "rules/support/failure.h"
#include "rules/support/rdma_findings.h"
#include "rules/topics.h"
#include "rules/words/table.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca210 {

namespace {

bool is_failed_connect(const Incident& incident) {
  return is_about(incident, "connect-failed") &&
         (warns(incident.level) || incident.kind == IncidentKind::connect_failed);
}

/// Whether the process was still trying to connect when the log ended, and the errno shows a timeout or an unreachable
/// address. A refused connection does not count, because it is normal while the peers start.
bool is_vain_retry(const Incident& incident) {
  constexpr int unreachable_network = 101, timed_out = 110, unreachable_host = 113;
  const int error = incident.error_number;
  return incident.kind == IncidentKind::connect_retried && !incident.survived &&
         (error == unreachable_network || error == timed_out || error == unreachable_host);
}

constexpr int in_progress = 115;

std::string_view reading(int error_number, bool is_trail) {
  if (is_trail && error_number == in_progress)
    return "the attempt ended in an error that NCCL does not name (no answer, or a host or firewall that says "
           "unreachable)";
  return table_text("NCA210", std::to_string(error_number));
}

/// The lines of misc/socket.cc that pass on a failed connect, in releases `from` to `until` (100 * major + minor).
struct ConnectLines {
  int from, until;
  std::array<int, 8> lines;
};
constexpr std::array<ConnectLines, 5> connect_lines = {{
    {216, 217, {497, 501, 531, 538, 557, 564, 0, 0}},
    {218, 218, {501, 504, 538, 541, 564, 567, 570, 0}},
    {219, 219, {505, 542, 565, 568, 571, 0, 0, 0}},
    {220, 222, {505, 544, 567, 570, 573, 0, 0, 0}},
    {223, 223, {546, 569, 572, 575, 0, 0, 0, 0}},
}};

/// Whether the error trace comes from NCCL's code that connects. EINPROGRESS is the error of the connect() before it:
/// poll() has reported the end of the attempt, and the trace shows the errno that was left over. For other traces the
/// line decides, if the release is known.
bool is_connect_trail(const Model& model, const Incident& incident) {
  if (incident.error_number == in_progress) return true;
  const Process* const process = process_of(model, incident.process);
  if (process == nullptr) return false;
  const bool is_inferred = process->version.empty() && process->inferred_version;
  const int release =
      release_of(is_inferred ? process->inferred_version->versions.front().view() : process->version.view());
  return std::ranges::any_of(connect_lines, [&](const ConnectLines& one) {
    return release >= one.from && release <= one.until &&
           std::ranges::find(one.lines, incident.event.as<ErrorPropagated>().line) != one.lines.end();
  });
}

struct Failure : ProcessGroup {
  int error_number = 0;
  bool is_connect = true;  ///< Whether NCCL tried to connect; false if it could not create a socket.
  bool is_trail = false;   ///< Whether an error trace is the only sign of the failure.
  bool is_connect_trail = false;
  bool is_retried = false;  ///< Whether the process was still trying when the log ended.

  void add(const Model& model, const Incident& incident) {
    ProcessGroup::add(model, incident);
    error_number = incident.error_number;
  }
};

/// Failures, keyed by what_failed() and by the error text.
using Failures = std::map<std::pair<std::string, std::string>, Failure>;

/// Returns the failed call if it is one that NCCL makes before it connects (bind, listen, getsockname, socket); else
/// empty.
std::string_view call_before_connect(const Incident& incident) {
  const std::string_view call =
      incident.kind == IncidentKind::call_failed ? incident.event.as<CallFailed>().call : std::string_view{};
  return one_of(call, {"bind", "listen", "getsockname", "socket"}) ? call : std::string_view{};
}

/// Whether a connection had come, and the process could not take it.
bool is_accept(const Incident& incident) {
  return incident.message.starts_with("socketTryAccept") || incident.message.starts_with("ncclOsSocketTryAccept") ||
         contains(incident.message, "Call to accept failed");
}

std::string what_failed(const Model& model, const Incident& incident) {
  const std::string_view ip = ip_of(incident.peer);
  if (incident.kind == IncidentKind::error_propagated && !is_connect_trail(model, incident))
    return "failed in a system call on a TCP socket";
  if (const std::string_view call = call_before_connect(incident); !call.empty())
    return concat("could not make a socket (call to ", call, ")");
  if (is_accept(incident)) return "could not accept the connection of a peer";
  return concat("could not connect to ", ip.empty() ? std::string("a peer") : excerpt(ip, 60));
}

void add_retries(const Model& model, Failures& failures) {
  if (!failures.empty()) return;
  for (const Incident& incident : model.incidents) {
    if (!is_vain_retry(incident)) continue;
    Failure& failure = failures[{what_failed(model, incident), incident.error}];
    failure.is_retried = true;
    failure.add(model, incident);
  }
}

void add_socket_trails(const Model& model, Failures& failures) {
  if (!failures.empty()) return;
  for (const Incident& incident : model.incidents) {
    if (!is_socket_error_trace(model, incident)) continue;
    Failure& failure = failures[{what_failed(model, incident), incident.error}];
    failure.is_trail = true;
    failure.is_connect_trail = is_connect_trail(model, incident);
    failure.add(model, incident);
  }
}

/// Whether all these processes could not reach the address of their own bootstrap.
bool is_own_address(const Model& model, const Finding& finding) {
  const std::string_view peer = ip_of(model.incidents[static_cast<std::size_t>(finding.incidents.front())].peer);
  const std::vector<const Process*> processes = known_processes(model, finding.processes);
  return !peer.empty() && !processes.empty() && std::ranges::all_of(processes, [peer](const Process* process) {
    return ip_of(process->bootstrap_address.view()) == peer;
  });
}

/// Returns the network of an IPv4 address that most sites mean by one: its first three numbers; empty for others.
std::string_view network_of_ip(std::string_view ip) {
  return std::ranges::count(ip, '.') == 3 ? ip.substr(0, ip.rfind('.')) : std::string_view{};
}

/// Whether the peer is the address of another process, of the same interface name and network as these processes'.
bool shares_subnet(const Model& model, const Finding& finding) {
  const std::string_view peer = ip_of(model.incidents[static_cast<std::size_t>(finding.incidents.front())].peer);
  if (network_of_ip(peer).empty()) return false;
  const auto owner = std::ranges::find_if(
      model.processes, [peer](const Process& process) { return ip_of(process.bootstrap_address.view()) == peer; });
  const std::vector<const Process*> processes = known_processes(model, finding.processes);
  return owner != model.processes.end() && !processes.empty() &&
         std::ranges::all_of(processes, [&](const Process* process) {
           return process->host != owner->host && process->bootstrap_interface == owner->bootstrap_interface &&
                  network_of_ip(ip_of(process->bootstrap_address.view())) == network_of_ip(peer);
         });
}

/// Whether the interface of the bootstrap of all these processes is IP over InfiniBand by its name: `ib0`, `ibp12s0`.
bool is_over_infiniband(const Model& model, const Finding& finding) {
  const std::vector<const Process*> processes = known_processes(model, finding.processes);
  return !processes.empty() && std::ranges::all_of(processes, [](const Process* process) {
    return process->bootstrap_interface.view().starts_with("ib");
  });
}

/// The networks of the interfaces that a process lists, by their names.
std::map<std::string, std::string> listed_networks(const Process& process) {
  std::map<std::string, std::string> networks;
  InterfaceList devices(process.socket_devices);
  for (NetworkInterface device; devices.next(device);)
    if (const std::string_view network = network_of_ip(ip_of(device.address));
        !network.empty() && find_unsuitable_interface(device.name, ip_of(device.address)) == nullptr)
      networks.emplace(device.name, network);
  return networks;
}

/// Returns the name of an interface that every host lists with an address of one network, if the bootstrap of two hosts
/// uses interfaces of different networks; else empty.
std::string common_interface(const Model& model) {
  std::map<std::string, std::string> common;
  std::set<std::string_view> hosts, networks;
  for (const Process& process : model.processes) {
    const std::string_view own = network_of_ip(ip_of(process.bootstrap_address.view()));
    if (own.empty() || process.socket_devices.empty()) continue;
    const std::map<std::string, std::string> listed = listed_networks(process);
    if (hosts.empty()) common = listed;
    std::erase_if(common, [&](const auto& one) {
      const auto found = listed.find(one.first);
      return found == listed.end() || found->second != one.second;
    });
    hosts.insert(process.host.view());
    networks.insert(own);
  }
  return hosts.size() < 2 || networks.size() < 2 || common.size() != 1 ? std::string() : common.begin()->first;
}

void note_interfaces(const Model& model, Finding& finding) {
  if (is_own_address(model, finding)) finding.values.emplace_back("owner", "self");
  if (shares_subnet(model, finding)) finding.values.emplace_back("subnet", "shared");
  if (is_over_infiniband(model, finding)) finding.values.emplace_back("link", "ipoib");
  if (std::string name = common_interface(model); !name.empty()) finding.values.emplace_back("common_iface", name);
}

}  // namespace

RuleResult check(const Model& model) {
  Failures failures;
  for (const Incident& incident : model.incidents) {
    if (!is_failed_connect(incident)) continue;
    Failure& failure = failures[{what_failed(model, incident), incident.error}];
    failure.is_connect = call_before_connect(incident).empty();
    failure.add(model, incident);
  }
  add_socket_trails(model, failures);
  add_retries(model, failures);
  RuleResult result;
  for (auto& [what, failure] : failures) {
    const auto& [words, error] = what;
    Finding& finding = result.findings.emplace_back(finding_of(model, {}, ProcessGroup(failure)));
    const std::string_view why = failure.is_connect ? reading(failure.error_number, failure.is_trail) : "";
    finding.message = concat(who_text(finding), " ", words, when(!error.empty(), " (", excerpt(error, 80), ")"),
                             when(!why.empty(), ": ", why));
    if (failure.is_retried) {
      finding.message += "; it tries again";
      finding.own_severity = Severity::warning;
      finding.provisional = true;
    }
    const std::string_view form = failure.is_trail ? "trail" : failure.is_connect ? "connect" : "socket";
    finding.values = {{"form", std::string(form)}};
    if (failure.is_connect_trail) finding.values.emplace_back("trail", "connect");
    note_interfaces(model, finding);
  }
  return result;
}

}  // namespace nccl_analyze::nca210
