#pragma once
/// What the report shows of pods.

#include "queries/members/line.h"

namespace nccl_analyze::members {

template <>
inline constexpr auto members_of<PodResource> = std::tuple{
    in_line("pod_resource"),
    member("name", plain, &PodResource::name),
    member("amount", known, "Devices; bytes of huge pages.", &PodResource::amount),
};

template <>
inline constexpr auto members_of<PodContainer> = std::tuple{
    in_block("pod_container"),
    member("name", plain, &PodContainer::name),
    member("resources", List{Layout::line}, "Devices and huge pages that it asks for, by name.",
           &PodContainer::resources),
    member("privileged", plain, &PodContainer::privileged),
    member("ipc_lock", plain, "Whether it has the capability IPC_LOCK.", &PodContainer::ipc_lock),
    member("shm_volume", plain, "The volume at /dev/shm; empty: none.", &PodContainer::shm_volume),
    member("line", Line{}, &PodContainer::at),
};

template <>
inline constexpr auto members_of<PodVolume> = std::tuple{
    in_line("pod_volume"),
    member("name", plain, &PodVolume::name),
    member("in_memory", plain, &PodVolume::in_memory),
    member("limit", known, "Bytes; null: none.", &PodVolume::limit),
};

template <>
inline constexpr auto members_of<Pod> = std::tuple{
    in_block("pod"),
    member("kind", plain, "Pod, or the kind of the workload: Job.", &Pod::kind),
    member("name", plain, "Of a template: that of the workload.", &Pod::name),
    member("namespace", plain, &Pod::name_space),
    member("node", plain, "The node that the pod was bound to; empty: not known.", &Pod::node),
    member("host_network", plain, &Pod::host_network),
    member("host_ipc", plain, &Pod::host_ipc),
    member("complete", plain, "Whether the whole manifest was read; else nothing follows from a missing value.",
           &Pod::complete),
    flat(&Pod::at),
    member("containers", objects, &Pod::containers),
    member("volumes", objects, &Pod::volumes),
    member("hosts", references, "Indices of the hosts that the manifest declares.", &Pod::hosts),
};

}  // namespace nccl_analyze::members
