// NCA318 reports timeouts of Google's plugins GPUDirect-TCPX and TCPXO, whose wording differs by release.

#include <algorithm>

#include "nccl_analyze/events/plugin.h"
#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/network.h"
#include "rules/support/ranks.h"

namespace nccl_analyze::nca318 {

namespace {

std::string what(const Incident& incident) {
  if (incident.topic != "tcpx-timeout") return {};
  const auto& event = incident.event.as<VendorNetworkNoted>();
  std::string_view said = event.detail;
  said.remove_prefix(std::min(said.find_first_not_of(" :"), said.size()));
  return concat("The network ", excerpt(event.network, 40), " timed out waiting: ", excerpt(said));
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = incident_findings(model, {IncidentKind::vendor_network_warned}, what);
  for (Finding& finding : verdict.findings) {
    finding.survived = std::any_of(finding.processes.begin(), finding.processes.end(),
                                   [&](Index process) { return process_of(model, process)->ended_in_order; });
    if (finding.survived) finding.own_severity = Severity::warning;
  }
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA318",
     .name = "tcpx-timeout",
     .severity = Severity::error,
     .stage = Stage::network,
     .check = "network",
     .title = "GPUDirect-TCPX or TCPXO stalls",
     .explanation =
         R"(On Google's A3 machines the data goes through GPUDirect-TCPX (A3 High) or TCPXO, which calls itself FasTrak (A3
Mega). The plugin in the container hands it to a daemon beside it (`tcpx-daemon`, `tcpxo-daemon`: the receive data
path manager, RxDM), which must have started before and live as long as the job, and to four or eight interfaces next
to eth0. A timeout is the plugin waiting for the daemon, or for packets that do not arrive.

Usual causes: the daemon is not there, was killed, or is of another release than the plugin; the pod has no interfaces
for the GPU networks; the firewall of those networks does not let hosts reach each other; the peer died. The
plugins are not open, so the wording differs by release: take the quoted line to their release notes.)",
     .fix =
         R"(1. The daemon's container in the same pod: `kubectl logs POD -c tcpxo-daemon` (`tcpx-daemon`), running on every node
   before the first rank starts, and of the release that belongs to the plugin (installer DaemonSet and daemon image
   together).
2. Interfaces: `ip -br addr` in the pod shows eth1 to eth8 (TCPX: eth1 to eth4; under Slurm `enp6s0` and so on); the pod
   names them in the annotation
   `networking.gke.io/interfaces`. `NCCL_FASTRAK_IFNAME` and `NCCL_GPUDIRECTTCPX_SOCKET_IFNAME` must list them,
   `NCCL_SOCKET_IFNAME=eth0` and the control device too.
3. VPC firewall of the GPU networks: allow all TCP, UDP and ICMP between the nodes; MTU 8244.
4. Volumes and rights, as in Google's manifests. TCPXO: `/dev/aperture_devices` and `/dev/dmabuf_import_helper` for the
   daemon (annotation `devices.gke.io/container.tcpxo-daemon`), with the capabilities `NET_ADMIN` and `NET_BIND_SERVICE`.
   TCPX: `/run/tcpx` shared by both containers, `NET_ADMIN` for the daemon.
5. The environment that belongs to the release, unchanged and the same on all ranks (TCPXO: `nccl-env-profile.sh`).)"},
    check};

}  // namespace nccl_analyze::nca318
