// NCA405 reports shared memory files that NCCL could not create, mostly because /dev/shm is too small.

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/pods.h"
#include "rules/support/site.h"

namespace nccl_analyze::nca405 {

namespace {

constexpr std::string_view base_fix =
    R"(1. Docker: `--shm-size=16g --ulimit memlock=-1`, or `--ipc=host`. Slurm with enroot or pyxis: mount the host's
   /dev/shm.
2. Kubernetes: mount memory there; the default of 64 MiB has no other switch. What is used counts against the
   container's memory limit.

   ```yaml
   spec:
     containers:
       - name: YOUR_CONTAINER
         volumeMounts:
           - {name: shm, mountPath: /dev/shm}
     volumes:
       - name: shm
         emptyDir: {medium: Memory, sizeLimit: 16Gi}
   ```

3. Is it full of leftovers of dead jobs? `df -h /dev/shm; ls -la /dev/shm/nccl-*` and remove files that no
   process holds (`fuser -v /dev/shm/nccl-*`).
4. `No such file or directory` when NCCL unlinks a file: systemd removes the files of users who are not logged in.
   `RemoveIPC=no` in `/etc/systemd/logind.conf`, then `systemctl restart systemd-logind`.
5. NCCL 2.24 and later in a container: `--cap-add SYS_NICE`, or `NCCL_CUMEM_HOST_ENABLE=0` on all ranks.
6. `Read-only file system`: no memory is mounted there (see 2.). `Permission denied`: the files belong to another
   user, or SELinux forbids it.)";

constexpr std::string_view pod_fix =
    R"(The ranks run in pods, so 2. comes first.

)";

/// Returns the finding's message; empty if NCCL goes on. The message omits the random file name, so that all ranks
/// with the same error share one finding.
std::string message_of(const Incident& incident) {
  if (!warns(incident.level)) return {};
  if (incident.error_number == 28) return "/dev/shm has no room left for NCCL's buffers (No space left on device)";
  const std::string error = excerpt(incident.error, 80);
  return concat("NCCL could not make a shared memory file in /dev/shm",
                error.empty() ? std::string() : concat(": ", error));
}

constexpr std::string_view permission_fix =
    R"(1. `ls -ld /dev/shm; ls -la /dev/shm/nccl-*` where the ranks run: the directory must be writable for all (`drwxrwxrwt`), and
   the files must belong to the user of the ranks. Remove those of dead jobs.
2. SELinux or AppArmor forbids it: `dmesg -T | grep -i denied` on the node.
3. `Read-only file system`: no memory is mounted there. In Kubernetes mount an `emptyDir` with `medium: Memory` at
   /dev/shm.)";

/// Sets title and fix if the file could not be created for another reason than a lack of space.
void tell_other_stories(const Model& model, Finding& finding) {
  if (finding.incidents.empty()) return;
  constexpr int no_permission = 13, no_memory = 12, no_space = 28, read_only = 30;
  const Incident& incident = model.incidents[static_cast<std::size_t>(finding.incidents.front())];
  const int error = incident.error_number;
  if (error == no_space || error == no_memory) return;
  finding.title = concat("A shared memory file could not be made",
                         incident.error.empty() ? std::string() : concat(": ", excerpt(incident.error, 60)));
  if (error == no_permission || error == read_only) finding.fix = permission_fix;
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = topic_findings(model, "shm-too-small", message_of);
  for (Finding& finding : verdict.findings)
    if (site_of(model, finding.processes).kubernetes) finding.fix = concat(pod_fix, base_fix);
  for (Finding& finding : verdict.findings) {
    if (!finding.ranks.empty()) finding.message += concat(", on ", ranks_text(finding.ranks));
    add_lack(lacks_shm(model, finding.processes), base_fix, finding);
    tell_other_stories(model, finding);
  }
  return verdict;
}

}  // namespace

extern constinit const RuleWords words;

extern constinit const Rule rule{{.id = "NCA405",
                                  .name = "shm-too-small",
                                  .severity = Severity::error,
                                  .stage = Stage::setup,
                                  .check = "transports",
                                  .words = &words},
                                 check};

}  // namespace nccl_analyze::nca405
