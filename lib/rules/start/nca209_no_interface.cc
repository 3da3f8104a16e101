// NCA209 reports that no network interface matches NCCL_SOCKET_IFNAME or NCCL_SOCKET_FAMILY.

#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"
#include "rules/support/search.h"
#include "rules/support/settings.h"

namespace nccl_analyze::nca209 {

namespace {

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = incident_findings(model, {IncidentKind::interface_not_found}, [](const Incident&) {
    return std::string("No network interface fits what NCCL was told to use");
  });
  for (Finding& finding : verdict.findings) {
    std::vector<std::string> settings;
    for (const Index index : finding.processes)
      if (const Process* process = process_of(model, index))
        for (const std::string_view variable : {"NCCL_SOCKET_IFNAME", "NCCL_SOCKET_FAMILY"})
          if (const EnvValue* value = setting(*process, variable)) {
            add_once(settings, concat(variable, "=", excerpt(value->value, 80)));
            finding.evidence.add(value->at);
          }
    if (!settings.empty()) finding.message += concat(": ", list_text(settings));
  }
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA209",
     .name = "no-interface",
     .severity = Severity::error,
     .stage = Stage::configuration,
     .check = "network init",
     .title = "NCCL finds no network interface that it may use",
     .explanation = R"(NCCL needs one IP interface to bring the ranks together, whatever network carries the
data. No interface of this container is up, has an address of the wanted family and matches
`NCCL_SOCKET_IFNAME`. The usual reason is a name from another machine: pods have `eth0` where their node has
`ens5`, `enp39s0` or `bond0`.)",
     .fix =
         R"(1. `ip -br addr` in the pod (or `cat /proc/net/dev`) shows the names; set `NCCL_SOCKET_IFNAME` to
   one of them.
2. On EKS a pod without `hostNetwork` has `eth0`; with `hostNetwork: true` it has the node's names (`ens5`,
   `eth0`).
3. If the nodes differ, exclude instead of naming: `NCCL_SOCKET_IFNAME=^lo,docker,virbr`. Often the variable is not
   needed: without it NCCL passes over `lo` and `docker*` by itself, and over `virbr*` since 2.28.3.
4. `NCCL_SOCKET_FAMILY=AF_INET6` needs an IPv6 address on the interface.
5. The variable may come from the image, from `/etc/nccl.conf` or from `~/.nccl.conf` (since 2.23 from the file that
   `NCCL_CONF_FILE` names instead).)"},
    check};

}  // namespace nccl_analyze::nca209
