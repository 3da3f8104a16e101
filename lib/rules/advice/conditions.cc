// The table of all terms of conditions, with the functions that prove them.

#include "rules/advice/conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "model/versions.h"
#include "nccl_analyze/events/external.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/events/ib.h"
#include "queries/gpu_products.h"
#include "queries/hosts.h"
#include "queries/network.h"
#include "queries/places.h"
#include "queries/platform.h"
#include "queries/ranks.h"
#include "queries/settings.h"
#include "queries/site.h"
#include "rules/advice/values.h"
#include "rules/support/handle_places.h"
#include "rules/support/pods.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

using Proven = std::optional<std::string>;
using Words = std::string_view;

Proven fact(bool holds, std::string words) { return holds ? Proven(std::move(words)) : std::nullopt; }

bool contains_any_case(Words text, Words part) { return contains(lower_case(text), lower_case(part)); }

std::int64_t number_of(Words text) {
  std::int64_t number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

template <class Question>
bool any_incident(const Facts& facts, Question question) {
  return std::ranges::any_of(facts.incidents, [&](const Incident* incident) { return question(*incident); });
}
template <class Question>
bool any_process(const Facts& facts, Question question) {
  return std::ranges::any_of(facts.processes, [&](const Process* process) { return question(*process); });
}

Proven prove_errno(const Facts& facts, Words number) {
  const std::int64_t wanted = number_of(number);
  return fact(any_incident(facts, [&](const Incident& incident) { return incident.error_number == wanted; }),
              concat("errno ", number));
}

Proven prove_cuda(const Facts& facts, Words number) {
  const std::int64_t wanted = number_of(number);
  return fact(any_incident(facts,
                           [&](const Incident& incident) {
                             return incident.cuda_error == wanted || incident.event.as<CudaFailed>().code == wanted;
                           }),
              concat("CUDA error ", number));
}

Proven prove_result(const Facts& facts, Words number) {
  const std::int64_t wanted = number_of(number);
  return fact(
      any_incident(facts,
                   [&](const Incident& incident) { return incident.event.as<ErrorPropagated>().result == wanted; }),
      concat("NCCL's result ", number));
}

Proven prove_status(const Facts& facts, Words number) {
  const std::int64_t wanted = number_of(number);
  return fact(
      any_incident(facts,
                   [&](const Incident& incident) { return incident.event.as<IbCompletionFailed>().status == wanted; }),
      concat("completion status ", number));
}

Proven prove_xid(const Facts& facts, Words number) {
  const std::int64_t wanted = number_of(number);
  return fact(
      any_incident(facts, [&](const Incident& incident) { return incident.event.as<GpuFaulted>().xid == wanted; }),
      concat("Xid ", number));
}

Proven prove_call(const Facts& facts, Words name) {
  return fact(
      any_incident(facts,
                   [&](const Incident& incident) { return contains(incident.event.as<CallFailed>().call, name); }),
      concat("the call ", name));
}

Proven prove_message(const Facts& facts, Words words) {
  const auto says = [&](const Saying& saying) { return contains_any_case(saying.text, words); };
  return fact(std::ranges::any_of(facts.sayings, says), concat("\"", words, "\""));
}

/// Searches the incidents of the whole input, up to a limit, because the program or a collector may report a failure of
/// NCCL.
Proven prove_anywhere(const Facts& facts, Words words) {
  const auto& incidents = facts.model.incidents;
  const std::size_t most = std::min(incidents.size(), Facts::max_incidents);
  for (std::size_t i = 0; i < most; ++i) {
    const std::vector<LineRef>& lines = incidents[i].evidence.lines;
    // The text before a message may name the process that printed it: `(EngineCore_0 pid=11) ERROR [core.py:396]`.
    const Words quote = lines.empty() ? Words{} : facts.model.quote(lines.front());
    if (contains_any_case(incidents[i].message, words) || contains_any_case(incidents[i].error, words) ||
        contains_any_case(quote, words))
      return concat("\"", words, "\"");
  }
  return std::nullopt;
}

Proven prove_raised(const Facts& facts, Words) {
  const auto is_exception = [](const Incident& incident) {
    return incident.kind == IncidentKind::program_raised ||
           (incident.kind == IncidentKind::phrase_seen && !incident.error.empty());
  };
  return fact(any_incident(facts, is_exception), {});
}
Proven prove_kind(const Facts& facts, Words name) {
  return fact(any_incident(facts, [&](const Incident& incident) { return to_string(incident.kind) == name; }), {});
}

Proven prove_aspect(const Facts& facts, Words name) {
  return fact(any_incident(facts, [&](const Incident& incident) { return incident.aspect == name; }), {});
}

Proven prove_place(const Facts& facts, Words place) {
  return fact(any_incident(facts, [&](const Incident& incident) { return contains(incident.place, place); }),
              std::string(place));
}

/// Whether the process has connections over CUDA IPC and none over cuMem.
bool connects_by_ipc(const Model& model, const Process& process) {
  if (process.communicator < 0) return false;
  const Communicator& comm = model.communicators[process.communicator];
  return has_transport(comm, "P2P/IPC") && !has_transport(comm, "P2P/CUMEM");
}

/// Ranks share memory by one kind of handle, which a setting, their connections or the place of the error shows.
Proven prove_handle(const Facts& facts, Words name) {
  HandleKind found = HandleKind::unknown;
  for (const Incident* incident : facts.incidents) {
    const Process* const process = process_of(facts.model, incident->process);
    if (process == nullptr) continue;
    const EnvValue* const value = setting(*process, "NCCL_CUMEM_ENABLE");
    const bool is_ipc = (value != nullptr && value->value == "0") || connects_by_ipc(facts.model, *process);
    const HandleKind kind = is_ipc ? HandleKind::ipc : handle_kind_at(incident->place, *process);
    if (kind == HandleKind::unknown) continue;
    if (found != HandleKind::unknown && found != kind) return std::nullopt;
    found = kind;
  }
  const Words kind = found == HandleKind::ipc ? "ipc" : found == HandleKind::cumem ? "cumem" : Words{};
  return fact(!kind.empty() && kind == name, name == "ipc" ? "CUDA IPC" : "cuMem");
}

Proven prove_setting(const Facts& facts, Words setting_text) {
  const std::size_t equals = setting_text.find('=');
  const Words name = setting_text.substr(0, equals);
  for (const Process* process : facts.processes) {
    const EnvValue* const value = setting(*process, name);
    if (value == nullptr) continue;
    if (equals == Words::npos || value->value == setting_text.substr(equals + 1))
      return concat(name, "=", excerpt(value->value, 40), " is set");
  }
  return std::nullopt;
}

/// Whether the incident shows RCCL where no line names the library: a failed call of HIP, or a file of its build, which
/// copies NCCL's sources into folders of these names.
bool shows_rccl(const Incident& incident) {
  return incident.message.starts_with("hip") || contains(incident.message, "HIP failure") ||
         contains(incident.place, "hipify") || contains(incident.place, "rccl");
}

Proven prove_library(const Facts& facts, Words name) {
  const bool is_shown = name == "RCCL" && any_incident(facts, shows_rccl);
  return fact(is_shown || any_process(facts, [&](const Process& process) { return process.library == name; }),
              std::string(name));
}

/// Evaluates a comparison such as `< 2.27.3` or `>= 2.27.3`.
bool compares(Words version, Words comparison) {
  const std::size_t blank = comparison.find(' ');
  if (version.empty() || blank == Words::npos) return false;
  const bool is_lower = lower_version(version, comparison.substr(blank + 1));
  return comparison.starts_with('<') ? is_lower : !is_lower;
}

/// Whether the form of the lines of a process that shows no version proves a minor release of NCCL below `release`
/// (`is_before`), or one that is not below it. `release` is 100·major + minor.
Proven prove_form(const Facts& facts, bool is_before, int release) {
  for (const Process* process : facts.processes) {
    if (!process->version.empty() || process->inferred_version) continue;
    const Releases form = releases_by_form(facts.model, *process);
    const int proven = is_before ? form.until : form.since;
    if (proven == 0 || (is_before ? proven >= release : proven < release)) continue;
    const std::string minor = concat(proven / 100, ".", proven % 100, " by the form of its lines");
    return is_before ? concat("NCCL up to ", minor) : concat("NCCL from ", minor);
  }
  return std::nullopt;
}

Proven prove_version(const Facts& facts, Words comparison) {
  Words last;  // Most processes of a job have the version of the one before them.
  for (const Process* process : facts.processes) {
    if (process->version.view() == last) continue;
    last = process->version.view();
    if (compares(last, comparison)) return concat(process->library.view(), " ", excerpt(process->version, 20));
  }
  for (const Process* process : facts.processes) {
    const Boxed<InferredVersion>& inferred = process->inferred_version;
    const bool holds = inferred && std::ranges::all_of(inferred->versions, [&](const auto& version) {
                         return compares(version.view(), comparison);
                       });
    if (holds) return inferred_version_text(*inferred);
  }
  const bool is_before = comparison.starts_with('<');
  const Words version = comparison.substr(std::min(comparison.find(' ') + 1, comparison.size()));
  const bool is_patch = std::ranges::count(version, '.') > 1;  // a form tells minor releases apart
  return prove_form(facts, is_before, release_of(version) + (is_patch && !is_before ? 1 : 0));
}

/// A CUDA driver's version is printed as 1000·major + 10·minor.
Proven prove_driver(const Facts& facts, Words comparison) {
  for (const Process* process : facts.processes) {
    if (process->driver < 0) continue;
    const std::string version = concat(process->driver / 1000, ".", process->driver % 1000 / 10);
    if (compares(version, comparison)) return concat("the driver's CUDA ", version);
  }
  return std::nullopt;
}

Proven prove_plugin(const Facts& facts, Words name) {
  for (const Process* process : facts.processes)
    for (const Plugin& plugin : process->plugins) {
      const bool is_named = contains_any_case(plugin.name, name) || contains_any_case(plugin.library, name) ||
                            contains_any_case(plugin.version, name);
      if (is_named || (name == "ofi" && is_aws_plugin(plugin)))
        return concat("the plugin ", excerpt(plugin.version.empty() ? plugin.name : plugin.version, 40));
    }
  // aws-ofi-nccl begins every line with NET/OFI.
  if (name == "ofi") return prove_message(facts, "NET/OFI");
  return std::nullopt;
}

Proven prove_network(const Facts& facts, Words name) {
  return fact(any_process(facts, [&](const Process& process) { return contains_any_case(process.network, name); }),
              concat("the network ", name));
}

Proven prove_provider(const Facts& facts, Words name) {
  return fact(any_process(facts, [&](const Process& process) { return contains(libfabric_provider(process), name); }),
              concat("libfabric's provider ", name));
}

/// The bootstrap precedes everything that counts as Process::progress.
Proven prove_past_bootstrap(const Facts& facts, Words) {
  return fact(any_process(facts, [](const Process& process) { return process.progress.line > 0; }),
              "the bootstrap worked");
}

Proven prove_peer(const Facts& facts, Words prefix) {
  const std::string peer = value_of("peer", facts);
  return fact(!peer.empty() && peer.starts_with(prefix), concat("the address ", peer));
}

/// Docker gives its networks 172.17.0.0/16 to 172.31.0.0/16, and the bridge on the host the first address of each. A
/// network of the same numbers that the process itself uses is no bridge.
Proven prove_bridge(const Facts& facts, Words) {
  constexpr Words block = "172.", first_address = ".0.1";
  const std::string peer = value_of("peer", facts);
  if (!peer.starts_with(block) || !peer.ends_with(first_address)) return std::nullopt;
  const Words network = Words(peer).substr(0, peer.size() - first_address.size());
  const std::int64_t second = number_of(network.substr(block.size()));
  const bool is_own = any_process(facts, [&](const Process& process) {
    return process.bootstrap_address.view().starts_with(concat(network, "."));
  });
  return fact(network.find('.') == network.rfind('.') && second >= 17 && second <= 31 && !is_own,
              concat(peer, " is the address of a bridge"));
}

Proven prove_sockets(const Facts& facts, Words) { return fact(any_process(facts, uses_nccl_sockets), "TCP sockets"); }
Proven prove_efa(const Facts& facts, Words) {
  return fact(uses_efa(facts.model, facts.process_indices) && is_on_aws(facts.model, facts.process_indices), "EFA");
}
/// Whether a GID of a failed connection begins with `start`.
bool names_gid(const Facts& facts, Words start) {
  return any_incident(facts, [start](const Incident& incident) {
    const auto& call = incident.event.as<CallFailed>();
    const auto& completion = incident.event.as<IbCompletionFailed>();
    const Words gids[] = {call.local_gid, call.remote_gid, completion.local_gid, completion.remote_gid};
    return std::ranges::any_of(gids, [start](Words gid) { return !gid.empty() && gid.starts_with(start); });
  });
}
/// RoCE is proven by the list of devices, by a failed completion with GIDs, which NCCL prints only for RoCE, or by a
/// GID with an IPv4 address.
Proven prove_roce(const Facts& facts, Words) {
  const bool has_gids = any_incident(
      facts, [](const Incident& incident) { return !incident.event.as<IbCompletionFailed>().local_gid.empty(); });
  return fact(infrastructure_of(facts.model, facts.process_indices).roce || has_gids || names_gid(facts, "::ffff:"),
              "RoCE");
}
Proven prove_infiniband(const Facts& facts, Words) {
  return fact(infrastructure_of(facts.model, facts.process_indices).infiniband, "InfiniBand");
}

Proven prove_link_local(const Facts& facts, Words) {
  return fact(names_gid(facts, "fe80"), "a GID that begins with fe80");
}

Proven prove_ipv4_gid(const Facts& facts, Words) {
  return fact(names_gid(facts, "::ffff:"), "GIDs of RoCE v2 over IPv4");
}

Proven prove_ipv6(const Facts& facts, Words) {
  return fact(any_process(facts,
                          [](const Process& process) {
                            const Words address = process.bootstrap_address;
                            return std::ranges::count(address, ':') > 1;
                          }),
              "an IPv6 address");
}

Proven prove_aws(const Facts& facts, Words) { return fact(is_on_aws(facts.model, facts.process_indices), "AWS"); }

Proven prove_google(const Facts& facts, Words) {
  return fact(any_process(facts,
                          [](const Process& process) {
                            return process.host.view().starts_with("gke-") || contains(process.network, "FasTrak") ||
                                   contains(process.network, "gIB");
                          }),
              "Google Cloud");
}

Proven prove_instance(const Facts& facts, Words name) {
  return fact(any_process(facts, [&](const Process& process) { return process.platform.view().starts_with(name); }),
              concat("instance ", name));
}

Proven prove_kubernetes(const Facts& facts, Words) {
  return fact(!facts.model.pods.empty() || infrastructure_of(facts.model, facts.process_indices).kubernetes,
              "Kubernetes");
}

Proven prove_slurm(const Facts& facts, Words) {
  const auto& incidents = facts.model.incidents;
  const std::size_t most = std::min(incidents.size(), Facts::max_incidents);
  for (std::size_t i = 0; i < most; ++i)
    if (!incidents[i].event.as<JobCancelled>().job.empty() || contains(incidents[i].message, "slurm") ||
        contains(incidents[i].message, "srun: "))
      return "Slurm";
  return fact(
      std::ranges::any_of(facts.model.sources, [](const Source& source) { return contains(source.name, "slurm-"); }),
      "Slurm");
}

Proven prove_container(const Facts& facts, Words) {
  return fact(prove_kubernetes(facts, {}) || any_process(facts,
                                                         [](const Process& process) {
                                                           return !process.container.empty() ||
                                                                  is_container_name(process.host);
                                                         }),
              "a container");
}

Proven prove_several_hosts(const Facts& facts, Words) {
  return fact(facts.spans.of(facts.process_indices) == Proof::proven, "several hosts");
}
Proven prove_one_host(const Facts& facts, Words) {
  return fact(facts.spans.of(facts.process_indices) == Proof::disproven, "one host");
}

Proven prove_mnnvl(const Facts& facts, Words) {
  return fact(std::ranges::any_of(facts.model.communicators, [](const Communicator& comm) { return comm.mnnvl == 1; }),
              "MNNVL joins the ranks");
}

Proven prove_nvlink(const Facts& facts, Words) {
  return fact(any_process(facts,
                          [&](const Process& process) {
                            const bool is_known = process.host_index >= 0;
                            const Nvlink of_host =
                                is_known ? facts.model.hosts[process.host_index].nvlink : Nvlink::unknown;
                            return process.nvlink || of_host == Nvlink::present || of_host == Nvlink::direct ||
                                   of_host == Nvlink::switched;
                          }),
              "NVLink");
}

Proven prove_gpu(const Facts& facts, Words name) {
  const auto has_name = [name](Words product) { return contains(product, name); };
  return fact(std::ranges::any_of(gpu_products(facts.model), has_name), std::string(name));
}

Proven prove_architecture(const Facts& facts, Words comparison) {
  const std::string number = gpu_architecture(facts.model);
  return fact(compares(number, comparison), concat("the GPU's architecture sm_", number));
}

Proven prove_toolkit(const Facts& facts, Words comparison) {
  for (const Process* process : facts.processes)
    if (compares(process->toolkit.view(), comparison))
      return concat(process->library.view(), " was built with CUDA ", excerpt(process->toolkit, 20));
  return std::nullopt;
}

Proven prove_lack(const Facts& facts, Words what) {
  const auto& processes = facts.process_indices;
  const std::optional<PodLack> lack = what == "efa"    ? lacks_efa(facts.model, processes)
                                      : what == "rdma" ? lacks_rdma(facts.model, processes)
                                      : what == "shm"  ? lacks_shm(facts.model, processes)
                                                       : lacks_ipc_lock(facts.model, processes);
  return lack ? Proven(lack->text) : std::nullopt;
}

Proven prove_survived(const Facts& facts, Words) { return fact(facts.finding.survived, "the processes went on"); }

Proven prove_known(const Facts& facts, Words name) { return fact(!value_of(name, facts).empty(), {}); }

Proven prove_case(const Facts& facts, Words pair) {
  const std::size_t equals = pair.find('=');
  const Words value = facts.value(pair.substr(0, equals));
  return fact(!value.empty() && (equals == Words::npos || value == pair.substr(equals + 1)), {});
}

constexpr std::array conditions = {
    Condition{"anywhere", "WORDS",
              "The words stand in the line of a warning or exception of the input, of whichever finding.",
              prove_anywhere},
    Condition{"aspect", "NAME", "The form of the fault, as the table of messages names it.", prove_aspect},
    Condition{"aws", "", "The job runs on AWS: instance type, host name or libfabric's provider say so.", prove_aws},
    Condition{"bridge", "",
              "The IP address of the other end of the connection is that of a bridge of Docker on its host.",
              prove_bridge},
    Condition{"call", "NAME", "The failed call of a library or of the system has this in its name.", prove_call},
    Condition{"case", "NAME=VALUE", "The rule calls this case so; without a value, it gives the name any value.",
              prove_case},
    Condition{"container", "", "The process runs in a container: its name, or a host name of Docker, shows it.",
              prove_container},
    Condition{"cuda", "N", "A CUDA call failed with this number.", prove_cuda},
    Condition{"driver", "< N.N", "The CUDA version of the driver is lower, or with `>=` not lower.", prove_driver},
    Condition{"efa", "", "The network is EFA.", prove_efa},
    Condition{"errno", "N", "The operating system gave this error number.", prove_errno},
    Condition{"google", "", "The job runs on Google Cloud: host name or plugin say so.", prove_google},
    Condition{"gpu", "NAME", "The product name of a GPU, where a tool or PyTorch printed it, has this part.",
              prove_gpu},
    Condition{"handle", "cumem|ipc", "The rank opens the memory of others by this kind of handle.", prove_handle},
    Condition{"infiniband", "", "NCCL lists InfiniBand devices.", prove_infiniband},
    Condition{"instance", "NAME", "The instance type begins so.", prove_instance},
    Condition{"ipv4-gid", "", "A GID of the failed connection holds an IPv4 address.", prove_ipv4_gid},
    Condition{"ipv6", "", "The bootstrap uses an IPv6 address.", prove_ipv6},
    Condition{"kind", "NAME", "The incident has this kind.", prove_kind},
    Condition{"known", "NAME", "The value of the placeholder with this name is known.", prove_known},
    Condition{"kubernetes", "", "The job runs in pods.", prove_kubernetes},
    Condition{"lacks", "efa|rdma|shm|ipc_lock", "The pod's manifest does not ask for it.", prove_lack},
    Condition{"library", "NCCL|RCCL", "The process uses this library.", prove_library},
    Condition{"link-local", "", "A GID of the failed connection is a link-local address.", prove_link_local},
    Condition{"message", "WORDS", "The words stand in a message or quoted line of the finding, in any case.",
              prove_message},
    Condition{"mnnvl", "", "A communicator spans hosts by NVLink (MNNVL).", prove_mnnvl},
    Condition{"network", "NAME", "The network that NCCL uses has this in its name.", prove_network},
    Condition{"nvlink", "", "The host has NVLink.", prove_nvlink},
    Condition{"one-host", "", "The whole job runs on one host.", prove_one_host},
    Condition{"past-bootstrap", "", "The process connected channels, or came further.", prove_past_bootstrap},
    Condition{"peer", "PREFIX", "The IP address of the other end of the connection begins so.", prove_peer},
    Condition{"place", "TEXT", "The message comes from this place of NCCL's source.", prove_place},
    Condition{"plugin", "NAME", "A plugin with this in its name was found; `ofi`: aws-ofi-nccl.", prove_plugin},
    Condition{"provider", "NAME", "libfabric's provider has this in its name.", prove_provider},
    Condition{"raised", "", "A program raised the failure as an exception.", prove_raised},
    Condition{"result", "N", "NCCL's functions returned this result (ncclResult_t).", prove_result},
    Condition{"roce", "", "NCCL lists RoCE devices, or prints their GIDs.", prove_roce},
    Condition{"setting", "NAME=VALUE", "NCCL printed this setting; without a value, any value of it.", prove_setting},
    Condition{"several-hosts", "", "The job spans hosts.", prove_several_hosts},
    Condition{"slurm", "", "Slurm runs the job.", prove_slurm},
    Condition{"sm", "< N", "The number of the GPUs' architecture is lower, or with `>=` not lower.",
              prove_architecture},
    Condition{"sockets", "", "Data between hosts goes over TCP sockets.", prove_sockets},
    Condition{"status", "N", "A work request completed with this ibv_wc_status.", prove_status},
    Condition{"survived", "", "The processes went on after the fault.", prove_survived},
    Condition{"toolkit", "< N.N", "NCCL was built with a lower CUDA version, or with `>=` not lower.", prove_toolkit},
    Condition{"version", "< N.N.N", "The library's version is lower, or with `>=` not lower.", prove_version},
    Condition{"xid", "N", "The GPU's driver reported this Xid.", prove_xid},
};
static_assert(std::ranges::is_sorted(conditions, {}, &Condition::name));

}  // namespace

std::span<const Condition> all_conditions() { return conditions; }

}  // namespace nccl_analyze
