#include "model/summary/old_facts.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "messages/hot_row.h"
#include "messages/views.h"

namespace nccl_analyze::builder {

namespace {

/// Whether a sentence has a certain form. If so, stores its event.
using OldFact = bool (*)(std::string_view message, Event& event);

template <class E, Wording wording, unsigned parts = 0>
constexpr OldFact old_fact = &nccl_analyze::detail::HotRow<E, wording, parts>::match;

constexpr std::array old_benchmarks{
    old_fact<BenchmarkStarted, "nccl-tests: {operation:word} began">,
    old_fact<BenchmarkRankListed,
             "nccl-tests: rank {rank} is pid {pid} on {host:word} with device {device} [{bus_id:word}] {gpu}">,
    old_fact<BenchmarkMeasured,
             "nccl-tests: {size} B ({count} x {type:word} {redop:word}) "
             "{place:in-place|out-of-place} in {time} us, algbw {algbw} GB/s, busbw {busbw} GB/s, "
             "wrong {wrong}">,
    old_fact<BenchmarkMeasured,
             "nccl-tests: {size} B ({count} x {type:word} {redop:word}) "
             "{place:in-place|out-of-place} in {time} us, algbw {algbw} GB/s, busbw {busbw} GB/s, "
             "wrong {wrong}, p99 {p99} us, cv {cv} %">,
    old_fact<BenchmarkEnded, "nccl-tests: ended with {out_of_bounds} wrong values, average busbw {busbw} GB/s">,
};

constexpr std::array old_pods{
    old_fact<PodManifestStarted, "manifest: pod of a {kind:word} began">,
    old_fact<PodManifestValue, "manifest: {part:pod|container|volume} {index} has {key:word} {value}">,
    old_fact<PodManifestEnded, "manifest: ended{complete?, read in full}">,
    old_fact<ProcessEnded,
             "kubernetes: container {program:word} of {about:pod} {host:word} ended: {why:word}, exit "
             "code {code}, at {detail}">,
    old_fact<ProcessEnded, "kubernetes: {about:pod} {host:word} failed: {why:word}: {detail}">,
    old_fact<ProcessEnded, "kubernetes: pod {host:word} has not started: {why:word}: {detail}">,
};

constexpr std::array old_recordings{
    old_fact<RasReported, "RAS report of NCCL {version:word} at {time}">,
    old_fact<RasCommunicatorReported,
             "RAS: communicator {comm_id} of {nranks} ranks, reported {reported}, missing {missing}">,
    old_fact<RasRanksLaunched, "RAS: {ranks} ranks have launched {launched} {operation:word}">,
    old_fact<RasRankLaunched,
             "RAS: rank {rank} (pid {pid} on {host:word}, device {device}) has launched {launched} "
             "{operation:word}">,
    old_fact<RasRankFailed,
             "RAS: rank {rank} (pid {pid} on {host:word}, device {device}) of communicator {comm_id} "
             "has the asynchronous error {error}: {words}">,
    old_fact<RasRankLost,
             "RAS: rank {rank} (pid {pid} on {host:word}, device {device}) is lost: {state:dead|unresponsive}">,
    old_fact<FlightRecorded,
             "flight recorder: process group {group:word} {description:word}, rank {global_rank}, "
             "members {members:word}: enqueued {enqueued}, completed {completed}">,
    old_fact<FlightRecorded,
             "flight recorder: process group {group:word} {description:word}, members {members:word}: "
             "enqueued {enqueued}, completed {completed}">,
    old_fact<FlightRecorded,
             "flight recorder: process group {group:word} {description:word}, rank {global_rank}, "
             "members {members:word}: enqueued {enqueued}, completed {completed}, "
             "{state:scheduled|started} {operation:word} number {sequence} of {elements_in} to "
             "{elements_out} elements, timeout {timeout} ms">,
    old_fact<FlightRecorded,
             "flight recorder: process group {group:word} {description:word}, members {members:word}: "
             "enqueued {enqueued}, completed {completed}, {state:scheduled|started} {operation:word} "
             "number {sequence} of {elements_in} to {elements_out} elements, timeout {timeout} ms">,
    old_fact<CollectivesInspected,
             "Inspector: rank {rank} of {nranks} of communicator {comm_id} named "
             "{comm_name:word} (pid {pid} on {host:word}): {completed} x {operation:word}, the "
             "last one number {last}, busbw up to {busbw} GB/s">,
};

constexpr std::array old_machines{
    old_fact<MachineDescribed, "machine: {tool:word} began">,
    old_fact<MachineDescribed, "machine: {tool:word} began on {host:word}">,
    old_fact<MachineEnded, "machine: {tool:word} ended">,
    old_fact<MachineCpuListed, "machine: NUMA node {numa} of host {host_hash}: {cpu}">,
    old_fact<MachineGpuListed,
             "machine: GPU {index} {bus_id}, rank {rank}, NUMA node {numa}, x{width} at {speed} "
             "GT/s, below {switches:word}">,
    old_fact<MachineNicListed,
             "machine: {label:word} is {device:word} port {port}, {bus_id}, GUID {guid}, {rate} "
             "Mbit/s, NUMA node {numa}, x{width} at {speed} GT/s, below {switches:word}">,
    old_fact<MachinePathsListed, "machine: paths of GPU {gpu} on NUMA node {numa}: {paths}">,
    old_fact<MachineNvlinkListed, "machine: NVLink from {from} to {to:word}: {links} links">,
    old_fact<MachineLinkListed,
             "machine: PCIe link of {kind:GPU|NIC} {bus_id}: x{width} of x{max_width}, {speed} of "
             "{max_speed} GT/s, {device}">,
    old_fact<MachineAcsListed, "machine: PCIe bridge {bus_id} over buses {first_bus} to {last_bus} has ACS {acs}">,
    old_fact<MachinePortListed,
             "machine: port {port} of {device:word} is {state:word}, {physical:word}, {rate} "
             "Gbit/s, {link:word}, interface {interface:word}, GUID {guid}">,
    old_fact<MachineGraphListed,
             "machine: graph {id} of pattern {pattern}: {nchannels} channels of {speed_intra} and "
             "{speed_inter} GB/s over {type_intra:word} and {type_inter:word}">,
    old_fact<MachineChannelListed, "machine: channel {channel} of graph {graph}: {path}">,
};

bool matches_any(const auto& facts, std::string_view message, Event& event) {
  return std::ranges::any_of(facts, [&](OldFact fact) { return fact(message, event); });
}

}  // namespace

bool read_old_fact(std::string_view message, Event& event) {
  if (!matches_any(old_benchmarks, message, event) && !matches_any(old_pods, message, event) &&
      !matches_any(old_recordings, message, event) && !matches_any(old_machines, message, event)) {
    event = Unrecognized{};
    return false;
  }
  // In these sentences, `unknown` stood for an unknown value.
  replace_views(address_of(event), fields_in(event),
                [](std::string_view text) { return text == "unknown" ? std::string_view{} : text; });
  if (auto* const ended = std::get_if<ProcessEnded>(&event); ended != nullptr && ended->about.empty())
    ended->about = "unstarted-pod";
  return true;
}

}  // namespace nccl_analyze::builder
