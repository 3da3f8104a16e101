#include "rules/external/host_failures.h"

#include <algorithm>
#include <array>

#include "nccl_analyze/events/external.h"
#include "rules/support/external_failures.h"
#include "rules/support/pod_failures.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view memory_group = "memory", node_group = "node";

/// What the kernel says of a device, and what that is in words.
struct DeviceWords {
  std::string_view what;  ///< DeviceFaulted::what
  std::string_view name;  ///< The value `device` of the finding.
  std::string_view title, text;
};
constexpr std::array device_words = {
    DeviceWords{"SXid", "SXid", "The driver reports a fatal SXid of an NVSwitch",
                "The driver of the NVSwitches reports a fatal SXid"},
    DeviceWords{"Link down", "link", "The kernel reports that a NIC lost its link",
                "The kernel reports that a NIC lost its link"},
    DeviceWords{"", "firmware", "The firmware of a NIC failed", "The kernel reports that the firmware of a NIC failed"},
    DeviceWords{"received", "PCIe", "The kernel reports a fatal PCIe error", "The kernel reports a fatal PCIe error"},
    DeviceWords{"fallen off the bus", "gpu", "A GPU does not answer on PCIe",
                "The driver reports that a GPU does not answer"},
    DeviceWords{"the device handle", "gpu", "A GPU does not answer", "nvidia-smi cannot reach a GPU"},
    DeviceWords{"GPU is lost", "gpu", "A GPU does not answer", "The kubelet reports that a GPU is lost"},
    DeviceWords{"GPU reset begin", "amdgpu", "The kernel resets an AMD GPU", "The kernel's driver resets an AMD GPU"},
    DeviceWords{"uncorrectable hardware error", "amdgpu", "An AMD GPU has a hardware error",
                "The kernel's driver reports a hardware error of an AMD GPU"},
};

const DeviceWords& words_of(const Incident& incident) {
  const std::string_view what = incident.event.as<DeviceFaulted>().what;
  const auto* const found = std::ranges::find(device_words, what, &DeviceWords::what);
  return found == device_words.end() ? device_words.front() : *found;
}

std::string device_text(const DeviceFaulted& event) {
  std::string_view device = event.device;
  if (device.ends_with(':')) device.remove_suffix(1);
  std::string text = excerpt(device, 40);
  if (event.code >= 0) text += concat(" (", event.code, ": ", excerpt(event.words, 80), ")");
  if (event.what == "Link down") text += concat(" (", excerpt(event.words, 40), ")");
  return text;
}

/// The distinct, non-empty texts of the incidents, in their order.
template <class Text>
std::vector<std::string> texts_of(const Model& model, std::span<const Index> incidents, const Text& text_of) {
  std::vector<std::string> texts;
  for (const Index index : incidents)
    if (std::string text = text_of(model.incidents[index]); !text.empty()) add_once(texts, std::move(text));
  return texts;
}

HostFailure describe_memory(const Model& model, std::span<const Index> incidents) {
  const std::vector<std::string> names = texts_of(model, incidents, [](const Incident& incident) {
    return incident.kind == IncidentKind::memory_killed ? excerpt(incident.error, 80) : std::string();
  });
  const std::string who = names.empty()       ? std::string("A process was")
                          : names.size() == 1 ? concat("A process (", names.front(), ") was")
                                              : concat("Processes (", list_text(names), ") were");
  HostFailure failure;
  failure.title = "A process was killed because memory was used up";
  failure.message = concat(who, " killed because the host's memory, or the container's limit, was used up");
  return failure;
}

HostFailure describe_node(const Model& model, std::span<const Index> incidents) {
  const std::vector<std::string> hosts = texts_of(model, incidents, [](const Incident& incident) {
    return incident.kind == IncidentKind::node_lost ? excerpt(incident.error, 80) : std::string();
  });
  const auto says = [&](std::initializer_list<std::string_view> whos) {
    return std::ranges::any_of(incidents, [&](Index index) {
      const Incident& incident = model.incidents[index];
      return incident.kind == IncidentKind::node_lost && one_of(incident.event.as<NodeLost>().who, whos);
    });
  };
  const bool of_slurm = says({"srun", "salloc"}) || std::ranges::any_of(incidents, [&](Index index) {
                          return model.incidents[index].kind == IncidentKind::job_cancelled;
                        });
  const bool of_mpi = !of_slurm && says({"ORTE", "PRTE", "Remote daemon"});
  const std::string node = hosts.empty()       ? std::string("a node of the job")
                           : hosts.size() == 1 ? concat("node ", hosts.front())
                                               : concat("nodes ", list_text(hosts));
  HostFailure failure;
  failure.title = of_slurm ? "A node of the job failed" : of_mpi ? "mpirun lost a node" : "Ray lost a node";
  failure.message = of_slurm ? concat("Slurm reports that ", node, " failed")
                    : of_mpi ? concat("mpirun lost its connection to its daemon on ", node)
                             : concat("Ray lost ", node);
  failure.is_nobodys = true;
  failure.values.emplace_back("lost", of_slurm ? "slurm" : of_mpi ? "mpi" : "ray");
  if (hosts.size() == 1) failure.values.emplace_back("lost_node", hosts.front());
  return failure;
}

HostFailure describe_devices(const Model& model, std::span<const Index> incidents) {
  const DeviceWords& words = words_of(model.incidents[incidents.front()]);
  const std::vector<std::string> devices = texts_of(
      model, incidents, [](const Incident& incident) { return device_text(incident.event.as<DeviceFaulted>()); });
  HostFailure failure;
  failure.title = words.title;
  failure.message = concat(words.text, when(!devices.empty(), ": ", list_text(devices)));
  failure.values.emplace_back("device", words.name);
  return failure;
}

/// Whether Ray says that a process of its own is gone, as all of a lost node are.
bool is_lost_actor(const Incident& incident) {
  return one_of(incident.event.as<ProgramRaised>().exception,
                {"ray.exceptions.ActorDiedError", "ray.exceptions.RayActorError"});
}

bool lost_node(const Model& model) {
  return std::ranges::any_of(model.incidents, [](const Incident& incident) {
    return incident.kind == IncidentKind::node_lost && !incident.survived;
  });
}

/// Whether the NIC has its link again, in the same source.
bool is_back(const Model& model, const Incident& down) {
  return std::ranges::any_of(model.incidents, [&](const Incident& up) {
    if (up.kind != IncidentKind::device_faulted || !is_link_up(up)) return false;
    const LineRef lost = down.evidence.lines.back(), back = up.evidence.lines.back();
    return up.event.as<DeviceFaulted>().device == down.event.as<DeviceFaulted>().device && lost.source == back.source &&
           lost < back;
  });
}

}  // namespace

std::string_view host_failure_of(const Model& model, const Incident& incident) {
  if (incident.survived || is_of_pod(incident)) return {};
  switch (incident.kind) {
    case IncidentKind::memory_killed:
      return memory_group;
    case IncidentKind::program_raised:
      if (contains(incident.error, "is killed by signal: Killed") && has_memory_kill(model)) return memory_group;
      return is_lost_actor(incident) && lost_node(model) ? node_group : std::string_view();
    case IncidentKind::node_lost:
      return node_group;
    case IncidentKind::job_cancelled:
      return contains(incident.error, "NODE FAILURE") ? node_group : std::string_view();
    case IncidentKind::device_faulted:
      return is_link_up(incident) ? std::string_view() : words_of(incident).name;
    default:
      return {};
  }
}

HostFailure describe_host_failure(const Model& model, std::span<const Index> incidents) {
  const std::string_view group = host_failure_of(model, model.incidents[incidents.front()]);
  if (group == memory_group) return describe_memory(model, incidents);
  return group == node_group ? describe_node(model, incidents) : describe_devices(model, incidents);
}

bool breaks_gpus(const Incident& incident) {
  if (incident.kind == IncidentKind::device_faulted)
    return one_of(incident.event.as<DeviceFaulted>().what,
                  {"SXid", "received", "fallen off the bus", "the device handle", "GPU is lost", "GPU reset begin",
                   "uncorrectable hardware error"});
  // Xid 13 and 31 are errors of a program's kernel, 43 and 45 ends of processes; 63 stops nothing.
  constexpr std::array of_programs = {13, 31, 43, 45, 63};
  return incident.kind == IncidentKind::gpu_faulted &&
         std::ranges::find(of_programs, incident.event.as<GpuFaulted>().xid) == of_programs.end();
}

/// Whether a kernel of the program failed by its own fault. A driver may reset the GPU after it, and a report of
/// another device beside it explains nothing.
bool has_kernel_of_program_failed(const Model& model) {
  return std::ranges::any_of(model.incidents, [](const Incident& incident) {
    return std::ranges::any_of(
        std::array{"device-side assert", "illegal memory access", "Memory access fault by GPU"},
        [&](std::string_view words) { return contains(incident.message, words) || contains(incident.error, words); });
  });
}

bool is_mild_fault(const Model& model, const Incident& incident) {
  const bool is_of_switch = incident.event.as<DeviceFaulted>().what == "SXid";
  if (incident.kind == IncidentKind::device_faulted && !is_of_switch && has_kernel_of_program_failed(model))
    return true;
  constexpr int row_remapped = 63, contained_error = 94;
  if (incident.kind == IncidentKind::gpu_faulted) {
    const int xid = incident.event.as<GpuFaulted>().xid;
    // The process that used the page ends.
    return xid == row_remapped || (xid == contained_error && !has_trouble(model));
  }
  return incident.kind == IncidentKind::device_faulted && incident.event.as<DeviceFaulted>().what == "Link down" &&
         (!has_trouble(model) || is_back(model, incident));
}

}  // namespace nccl_analyze
