// Shared memory that could not be had.

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "rules/errors.h"
#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

/// The file's name is random: without it all ranks say the same.
std::string message_of(const Incident& incident) {
  if (incident.level == Level::info) return {};
  if (errno_of(incident) == 28) return "/dev/shm has no room left for NCCL's buffers (No space left on device)";
  const std::string error = shortened(incident.error, 80);
  return cat("NCCL could not make a shared memory file in /dev/shm", error.empty() ? std::string() : cat(": ", error));
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.occurrences = topic_occurrences(model, "shm-too-small", message_of);
  for (Occurrence& occurrence : verdict.occurrences)
    if (!occurrence.ranks.empty()) occurrence.message += cat(", on ", ranks_text(occurrence.ranks));
  return verdict;
}

}  // namespace

extern constinit const Rule shm_too_small{
    {.id = "NCA405",
     .name = "shm-too-small",
     .severity = Severity::error,
     .stage = Stage::setup,
     .check = "transports",
     .title = "/dev/shm is full or too small",
     .explanation =
         R"(Ranks of one host exchange data, or at least their control words, in files under /dev/shm.
Containers get 64 MiB there unless told otherwise; NCCL takes around 10 MiB for each pair of neighbours, and
data loaders use the same space. When a file cannot be extended the rank fails, and the others report closed
connections.)",
     .fix = R"(1. Kubernetes: mount memory there. The default of 64 MiB has no other switch:

       volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 16Gi}}]
       volumeMounts: [{name: shm, mountPath: /dev/shm}]

What is used counts against the container's memory limit.
2. Docker: `--shm-size=16g` or `--ipc=host`; Slurm with enroot or pyxis: mount the host's /dev/shm.
3. Is it full of leftovers of dead jobs? `df -h /dev/shm; ls -la /dev/shm/nccl-*` and remove files that no
   process holds.
4. `Permission denied` instead of `No space left`: /dev/shm is mounted read-only or for another user (`fsGroup`,
   read-only root file system without a mount for it).)"},
    check};

}  // namespace nccl_analyze
