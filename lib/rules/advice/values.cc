// The table of all placeholders, and their replacement by what the log shows.

#include "rules/advice/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <vector>

#include "model/versions.h"
#include "nccl_analyze/events/environment.h"
#include "nccl_analyze/events/external.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/events/lists.h"
#include "queries/bootstrap_address.h"
#include "queries/gpu_products.h"
#include "queries/interfaces.h"
#include "queries/network.h"
#include "queries/settings.h"
#include "rules/advice/remedies.h"
#include "rules/support/nccl_symbols.h"
#include "rules/support/pod_failures.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

using Words = std::string_view;

/// Returns the first text that `of` finds in an incident and that is not empty; empty if there is none.
template <class Of>
std::string first_of_incidents(const Facts& facts, Of of) {
  for (const Incident* incident : facts.incidents)
    if (const Words text = of(*incident); !text.empty()) return std::string(text);
  return {};
}
template <class Of>
std::string first_of_processes(const Facts& facts, Of of) {
  for (const Process* process : facts.processes)
    if (const Words text = of(*process); !text.empty()) return std::string(text);
  return {};
}

std::string number_text(std::int64_t number) { return number < 0 ? std::string() : std::to_string(number); }

std::string find_bus_id(const Facts& facts) {
  return first_of_incidents(facts, [](const Incident& incident) { return incident.event.as<GpuFaulted>().bus_id; });
}
std::string find_bytes(const Facts& facts) {
  for (const Incident* incident : facts.incidents)
    if (const std::int64_t bytes = incident->event.as<AllocationFailed>().bytes; bytes > 0)
      return std::to_string(bytes);
  return {};
}
std::string find_call(const Facts& facts) {
  return first_of_incidents(facts, [](const Incident& incident) { return incident.event.as<CallFailed>().call; });
}
std::string find_container(const Facts& facts) {
  return first_of_processes(facts, [](const Process& process) { return process.container.view(); });
}
std::string find_gid_index(const Facts& facts) {
  for (const Incident* incident : facts.incidents)
    if (const int index = incident->event.as<CallFailed>().gid_index; index >= 0) return std::to_string(index);
  return first_of_processes(facts, [](const Process& process) {
    const EnvValue* const value = process.env.find("NCCL_IB_GID_INDEX");
    return value == nullptr ? Words{} : value->value.view();
  });
}
std::string find_gpu(const Facts& facts) {
  for (const Suspect& suspect : facts.finding.suspects)
    if (suspect.gpu >= 0) return std::to_string(suspect.gpu);
  for (const Incident* incident : facts.incidents)
    if (incident->device >= 0) return std::to_string(incident->device);
  return {};
}

/// Returns the devices of a list such as `[0]mlx5_0:1/IB [1]mlx5_1:1/IB`, joined by commas: `mlx5_0,mlx5_1`. The list
/// is that of the first process with RDMA devices.
std::string list_hcas(const Facts& facts) {
  std::string names;
  for (const Process* process : facts.processes) {
    NicList list{process->ib_devices.view()};
    for (Nic nic; list.next(nic);) names += (names.empty() ? "" : ",") + std::string(nic.device);
    if (!names.empty()) break;
  }
  return names;
}
std::string find_hca(const Facts& facts) {
  std::string device = first_of_incidents(facts, [](const Incident& incident) {
    for (const Words name : {incident.event.as<CallFailed>().device, incident.event.as<IbCompletionFailed>().hca,
                             incident.event.as<IbAsyncEvent>().device, incident.event.as<IbDeviceUnusable>().device,
                             incident.event.as<IbDevicesIncompatible>().local, incident.event.as<WqeDelayed>().device})
      if (!name.empty()) return name;
    return Words{};
  });
  return device.empty() ? list_hcas(facts).substr(0, list_hcas(facts).find(',')) : device;
}
/// Returns the newest CUDA version that the driver supports: 12.8 for 12080.
std::string find_driver(const Facts& facts) {
  for (const Process* process : facts.processes)
    if (process->driver > 0) return concat(process->driver / 1000, ".", process->driver % 1000 / 10);
  return {};
}
std::string find_architecture(const Facts& facts) { return gpu_architecture(facts.model); }
/// Returns the missing function that the newest release added: a library that has it has the others too.
std::string find_missing_function(const Facts& facts) {
  Words newest;
  for (const Saying& saying : facts.sayings)
    if (const Words name = missing_function(saying.text);
        newest.empty() ||
        nccl_analyze::release_of(first_release_with(name)) > nccl_analyze::release_of(first_release_with(newest)))
      newest = name;
  return std::string(newest);
}
std::string find_first_release(const Facts& facts) {
  return std::string(first_release_with(find_missing_function(facts)));
}
/// Returns the ports with the less frequent of two link layers in a process: `mlx5_2` if it is the only RoCE port
/// beside three InfiniBand ports. Empty if no process has such ports.
std::string list_odd_hcas(const Facts& facts) {
  for (const Process* process : facts.processes) {
    std::map<Words, std::vector<Words>> by_link;
    NicList list{process->ib_devices.view()};
    for (Nic nic; list.next(nic);) by_link[nic.link].push_back(nic.device);
    if (by_link.size() != 2) continue;
    const auto& [one, other] = std::minmax(by_link.begin()->second, by_link.rbegin()->second,
                                           [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (one.size() == other.size()) continue;
    std::string names;
    for (const Words name : one) names += (names.empty() ? "" : ",") + std::string(name);
    return names;
  }
  return {};
}
std::string find_toolkit(const Facts& facts) {
  return first_of_processes(facts, [](const Process& process) { return process.toolkit.view(); });
}
std::string find_chosen_interfaces(const Facts& facts) {
  return first_of_processes(facts, [](const Process& process) {
    const EnvValue* const value = setting(process, "NCCL_SOCKET_IFNAME");
    return value == nullptr ? Words{} : value->value.view();
  });
}
/// Returns the first interface of NET/Socket that is not known to be unsuitable; empty if there is none.
Words suitable_interface(const Process& process) {
  InterfaceList devices(process.socket_devices);
  for (NetworkInterface device; devices.next(device);)
    if (find_unsuitable_interface(device.name, ip_of(device.address)) == nullptr) return device.name;
  return {};
}
/// Returns the suitable interfaces of the hosts, joined by commas, because a list of names serves hosts that name their
/// interfaces differently. Those of the finding come first. Empty if these have none.
std::string find_other_interface(const Facts& facts) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  const auto add = [&](const Process& process) {
    const Words name = suitable_interface(process);
    if (!name.empty() && names.size() < most) add_once(names, std::string(name));
  };
  for (const Process* process : facts.processes) add(*process);
  if (names.empty()) return {};
  for (std::size_t i = 0; i < std::min(facts.model.processes.size(), Facts::max_processes); ++i)
    add(facts.model.processes[i]);
  std::string list = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) list += "," + names[i];
  return list;
}
/// Returns the address in a GID: a mapped IPv4 address or a global IPv6 address; empty for link-local GIDs.
std::string address_of_gid(Words gid) {
  constexpr Words mapped = "::ffff:";
  if (gid.starts_with(mapped)) gid.remove_prefix(mapped.size());
  const bool is_address =
      gid != "::" && !gid.starts_with("fe80") && gid.find_first_not_of("0123456789abcdef.:") == Words::npos;
  return is_address ? std::string(gid) : std::string();
}
std::string find_local_address(const Facts& facts) {
  return address_of_gid(first_of_incidents(facts, [](const Incident& incident) {
    const Words gid = incident.event.as<CallFailed>().local_gid;
    return gid.empty() ? incident.event.as<IbCompletionFailed>().local_gid : gid;
  }));
}
std::string find_remote_address(const Facts& facts) {
  return address_of_gid(first_of_incidents(facts, [](const Incident& incident) {
    const Words gid = incident.event.as<CallFailed>().remote_gid;
    return gid.empty() ? incident.event.as<IbCompletionFailed>().remote_gid : gid;
  }));
}
/// Returns the first three numbers of the other NIC's IPv4 address, if those of this NIC's are others.
std::string find_other_network(const Facts& facts) {
  const std::string here = find_local_address(facts), there = find_remote_address(facts);
  const std::size_t end = here.rfind('.'), other_end = there.rfind('.');
  if (end == std::string::npos || other_end == std::string::npos) return {};
  return here.substr(0, end) == there.substr(0, other_end) ? std::string() : there.substr(0, other_end);
}
/// Returns how many processes PyTorch's store counted, if they are more than the job has: 16 for `(world_size=4,
/// worker_count=16, ...`. Newer releases say `num_workers_joined`.
std::string find_surplus(const Facts& facts) {
  const auto number_at = [](Words text, std::size_t at) {
    std::int64_t number = -1;
    std::from_chars(text.data() + at, text.data() + text.size(), number);
    return number;
  };
  for (const Incident* incident : facts.incidents)
    for (const Words name : {", worker_count=", ", num_workers_joined="}) {
      const Words message = incident->message;
      const std::size_t at = message.find(name), size = message.substr(0, std::min(at, message.size())).rfind('=');
      if (at == Words::npos || size == Words::npos) continue;
      const std::int64_t came = number_at(message, at + name.size()), wanted = number_at(message, size + 1);
      if (wanted > 0 && came > wanted) return std::to_string(came);
    }
  return {};
}
/// Returns the host that a line on the end of a process names; Open MPI's line on a signal begins with host and pid.
Words host_of_end(const Incident& incident) {
  if (is_of_pod(incident)) return {};
  const ProcessEnded& event = incident.event.as<ProcessEnded>();
  if (!event.host.empty()) return event.host;
  const std::size_t end =
      event.signal > 0 && event.program.empty() && incident.process < 0 ? incident.error.find(", pid ") : Words::npos;
  return end == Words::npos ? Words{} : Words(incident.error).substr(0, end);
}
/// Whether the finding is about the end of a process of which the log has no other line: it may have run on any host.
bool is_about_unknown_end(const Facts& facts) {
  return facts.finding.processes.empty() && std::ranges::any_of(facts.incidents, [](const Incident* one) {
           return one->kind == IncidentKind::process_ended;
         });
}
std::string find_host(const Facts& facts) {
  for (const Suspect& suspect : facts.finding.suspects)
    if (!suspect.host.empty()) return std::string(suspect.host.view());
  std::string ended = first_of_incidents(facts, host_of_end);
  if (!ended.empty() || is_about_unknown_end(facts)) return ended;
  return first_of_processes(facts, [](const Process& process) { return process.host.view(); });
}
std::string find_interface(const Facts& facts) {
  return first_of_processes(facts, [](const Process& process) { return process.bootstrap_interface.view(); });
}
std::string find_address(const Facts& facts) {
  return first_of_processes(facts, [](const Process& process) { return ip_of(process.bootstrap_address.view()); });
}
std::string find_instance(const Facts& facts) {
  return first_of_processes(facts, [](const Process& process) { return process.platform.view(); });
}
std::string find_job(const Facts& facts) {
  const auto& incidents = facts.model.incidents;
  for (std::size_t i = 0; i < std::min(incidents.size(), Facts::max_incidents); ++i)
    if (const Words job = incidents[i].event.as<JobCancelled>().job; !job.empty()) return std::string(job);
  return {};
}
std::string find_library(const Facts& facts) {
  return first_of_processes(facts, [](const Process& process) { return process.library.view(); });
}

/// Returns the pod whose end Kubernetes reports, else the pod that the log names for a process.
std::string find_pod(const Facts& facts) {
  for (const Incident* incident : facts.incidents)
    if (is_of_pod(*incident)) return std::string(incident->event.as<ProcessEnded>().host);
  return first_of_processes(facts, [](const Process& process) { return process.pod.view(); });
}
std::string find_namespace(const Facts& facts) {
  for (const Pod& pod : facts.model.pods)
    if (!pod.name_space.empty()) return pod.name_space;
  return {};
}
std::string find_node(const Facts& facts) {
  for (const Index index : facts.process_indices)
    for (const Pod& pod : facts.model.pods)
      if (!pod.node.empty() && std::ranges::binary_search(pod.hosts, facts.model.processes[index].host_index))
        return pod.node;
  return {};
}
std::string find_peer(const Facts& facts) {
  return first_of_incidents(facts, [](const Incident& incident) {
    const Words peer = incident.peer.empty() ? incident.event.as<IbCompletionFailed>().peer : Words{incident.peer};
    return peer.ends_with("..") ? Words{} : ip_of(peer);  // The address is shortened.
  });
}
/// Returns the host that a message on ssh names.
std::string find_login_host(const Facts& facts) {
  struct Place {
    Words before, behind;
  };
  constexpr Place places[] = {
      {"connect to host ", " "}, {"resolve hostname ", ":"}, {"host=", " "}, {"@", ": "}, {"failed on node ", ":"}};
  constexpr Words prolog = "Prolog failure on node ";
  return first_of_incidents(facts, [&](const Incident& incident) {
    const Words message = incident.message;
    if (const std::size_t at = message.find(prolog); at != Words::npos) return message.substr(at + prolog.size());
    for (const Place& place : places) {
      const std::size_t at = message.find(place.before);
      const std::size_t begin = at == Words::npos ? at : at + place.before.size();
      const std::size_t end = begin == Words::npos ? begin : message.find(place.behind, begin);
      if (end != Words::npos) return message.substr(begin, end - begin);
    }
    return Words{};
  });
}
std::string find_pid(const Facts& facts) {
  for (const Suspect& suspect : facts.finding.suspects)
    if (suspect.pid >= 0) return std::to_string(suspect.pid);
  return facts.processes.empty() ? std::string() : number_text(facts.processes.front()->pid);
}
std::string find_port(const Facts& facts) {
  for (const Incident* incident : facts.incidents)
    for (const int port : {incident->event.as<CallFailed>().port, incident->event.as<IbAsyncEvent>().port,
                           incident->event.as<IbDeviceUnusable>().port})
      if (port >= 0) return std::to_string(port);
  return {};
}
std::string find_rank(const Facts& facts) {
  for (const Suspect& suspect : facts.finding.suspects)
    if (suspect.rank >= 0) return std::to_string(suspect.rank);
  return facts.finding.ranks.empty() ? std::string() : std::to_string(facts.finding.ranks.front());
}
std::string find_ranks(const Facts& facts) { return rank_set(facts.finding.ranks); }
std::string find_remedy_step(const Facts& facts) { return std::string(remedy_of(facts).step); }
std::string find_remedy_command(const Facts& facts) { return std::string(remedy_of(facts).command); }
std::string list_interfaces(const Facts& facts) {
  for (const Process* process : facts.processes)
    if (std::string names = socket_interfaces(*process); !names.empty()) return names;
  return {};
}
std::string find_variable(const Facts& facts) {
  return first_of_incidents(facts, [](const Incident& incident) { return incident.event.as<EnvRejected>().variable; });
}
std::string find_version(const Facts& facts) {
  return first_of_processes(facts, [](const Process& process) { return process.version.view(); });
}

constexpr std::array placeholders = {
    Placeholder{"address", "the address of the bootstrap", find_address},
    Placeholder{"asked", "the rank that the program asked for", nullptr},
    Placeholder{"bad_iface", "the interface that does not reach the other hosts", nullptr},
    Placeholder{"bus_id", "the PCI bus id of the GPU that failed", find_bus_id},
    Placeholder{"bytes", "the size of the allocation that failed", find_bytes},
    Placeholder{"call", "the call that failed", find_call},
    Placeholder{"common_iface",
                "the interface that all hosts list in one network, where their bootstrap uses different ones", nullptr},
    Placeholder{"container", "the container of the process", find_container},
    Placeholder{"driver", "the newest CUDA that the driver knows", find_driver},
    Placeholder{"exact_ifname", "the whole name that NCCL_SOCKET_IFNAME asks for", nullptr},
    Placeholder{"expected", "the value that should have been there", nullptr},
    Placeholder{"file", "the file that is missing", nullptr},
    Placeholder{"found", "the value that was there instead", nullptr},
    Placeholder{"free", "the free memory of the GPU in GiB", nullptr},
    Placeholder{"gid_index", "the GID index that was used, or the value of NCCL_IB_GID_INDEX", find_gid_index},
    Placeholder{"gid_right",
                "the index of the GID table's entry for RoCE v2 with an IPv4 address, if the input has the table",
                nullptr},
    Placeholder{"gpu", "the number of the GPU in its process", find_gpu},
    Placeholder{"hca", "the NIC that failed, else the first RDMA NIC of the process", find_hca},
    Placeholder{"hcas", "the RDMA NICs of the process, joined by commas", list_hcas},
    Placeholder{"host", "the host of the process", find_host},
    Placeholder{"hours", "the hours that a work needs for which the ranks wait", nullptr},
    Placeholder{"iface", "the interface of the bootstrap", find_interface},
    Placeholder{"ifname", "the value of NCCL_SOCKET_IFNAME", find_chosen_interfaces},
    Placeholder{"instance", "the instance type", find_instance},
    Placeholder{"interfaces", "the interfaces of NET/Socket", list_interfaces},
    Placeholder{"job", "the scheduler's number of the job", find_job},
    Placeholder{"library", "NCCL or RCCL", find_library},
    Placeholder{"local_address", "the IP address of the NIC whose connection failed, by its GID", find_local_address},
    Placeholder{"local_rank", "the number among the ranks of its host of the rank that went away", nullptr},
    Placeholder{"login_host", "the host to which a launcher could not log in, or on which it started nothing",
                find_login_host},
    Placeholder{"lost_node", "the node that a launcher lost", nullptr},
    Placeholder{"missing", "the ranks that the input does not show", nullptr},
    Placeholder{"named_host", "a host with an interface that NCCL_SOCKET_IFNAME names", nullptr},
    Placeholder{"namespace", "the namespace of the pods", find_namespace},
    Placeholder{"network", "the network that a setting asks for", nullptr},
    Placeholder{"node", "the node of the pod", find_node},
    Placeholder{"odd_hcas", "the RDMA NICs of the link layer that fewer NICs of the process have", list_odd_hcas},
    Placeholder{"other_iface",
                "the hosts' interfaces of NET/Socket that are no loopback, bridge or tunnel, joined by commas",
                find_other_interface},
    Placeholder{"other_network",
                "the first three numbers of the other NIC's IPv4 address, if those of this NIC's differ from them",
                find_other_network},
    Placeholder{"peer", "the IP address of the other end of the connection", find_peer},
    Placeholder{"phase", "the phase of the initialisation", nullptr},
    Placeholder{"pid", "the process id", find_pid},
    Placeholder{"pod", "the pod of the process", find_pod},
    Placeholder{"port", "the port of the NIC", find_port},
    Placeholder{"rank", "the first suspect's rank, else the first rank of the finding", find_rank},
    Placeholder{"ranks", "the ranks of the finding", find_ranks},
    Placeholder{"remedy", "the step for the very message, by the table of remedies", find_remedy_step, true},
    Placeholder{"remedy_command", "the command of that step", find_remedy_command, true},
    Placeholder{"remote_address", "the IP address of the other NIC of that connection, by its GID",
                find_remote_address},
    Placeholder{"result", "the number that NCCL returned and that is none of its results", nullptr},
    Placeholder{"seconds", "these hours in seconds", nullptr},
    Placeholder{"share", "the share of the GPU's memory that is free", nullptr},
    Placeholder{"since", "the first release of NCCL with the function that is missing", find_first_release},
    Placeholder{"size", "the number of ranks of the communicator that the program asked for", nullptr},
    Placeholder{"sm", "the number of the GPUs' architecture, as in `sm_90`", find_architecture},
    Placeholder{"surplus", "the number of processes that came to PyTorch's store, if it is more than the job has",
                find_surplus},
    Placeholder{"symbol", "the function of NCCL that is missing", find_missing_function},
    Placeholder{"toolkit", "the CUDA version that the library was built with", find_toolkit},
    Placeholder{"total", "the memory of the GPU in GiB", nullptr},
    Placeholder{"value", "the value of the setting", nullptr},
    Placeholder{"var", "the setting that NCCL rejected, or that a rule names", find_variable},
    Placeholder{"version", "the version of the library", find_version},
};
static_assert(std::ranges::is_sorted(placeholders, {}, &Placeholder::name));

/// Whether the text is safe in a shell and in Markdown: it is short, does not begin with `-` or, as bold words of
/// Markdown do, with `_`, and has only letters, digits and signs without a special meaning.
bool is_harmless(Words text) {
  constexpr Words signs = "_-.,:/=@%+";
  constexpr std::size_t most = 100;
  return text.size() <= most && !text.starts_with('-') && !text.starts_with('_') &&
         std::ranges::all_of(text, [signs](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  signs.find(c) != Words::npos;
         });
}

}  // namespace

std::span<const Placeholder> all_placeholders() { return placeholders; }

std::string value_of(std::string_view name, const Facts& facts) {
  std::string value(facts.value(name));
  const auto found = std::ranges::find(placeholders, name, &Placeholder::name);
  if (value.empty() && found != placeholders.end() && found->find != nullptr) value = found->find(facts);
  const bool is_ours = found != placeholders.end() && found->is_ours;
  return is_ours || is_harmless(value) ? value : std::string();
}

Hole hole_at(std::string_view text) {
  const std::size_t end = text.starts_with('{') ? text.find('}') : Words::npos;
  if (end == Words::npos) return {};
  const Words inside = text.substr(1, end - 1), name = inside.substr(0, inside.find('|'));
  const bool is_name =
      !name.empty() && std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  if (!is_name) return {};
  const bool has_example = name.size() < inside.size();
  return {name, has_example ? inside.substr(name.size() + 1) : Words{}, end + 1, has_example};
}

std::optional<std::string> fill(std::string_view text, const Facts& facts, std::vector<std::string>& examples) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Hole hole = hole_at(text.substr(at));
    if (hole.size == 0) {
      out += text[at++];
      continue;
    }
    at += hole.size;
    const std::string value = value_of(hole.name, facts);
    if (value.empty() && !hole.has_example) return std::nullopt;
    const bool is_name = hole.example.find(' ') == Words::npos;
    if (value.empty() && is_name && !hole.example.empty() &&
        std::ranges::find(examples, hole.example) == examples.end())
      examples.emplace_back(hole.example);
    out += value.empty() ? hole.example : Words{value};
  }
  return out;
}

}  // namespace nccl_analyze
