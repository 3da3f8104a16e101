// NCA213 reports GPUs that are too new for the loaded NCCL, which has no kernels or wrong buffer sizes for them.

#include <utility>

#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/rule.h"
#include "rules/support/findings.h"
#include "rules/support/message_text.h"
#include "rules/support/ranks.h"
#include "rules/support/search.h"

namespace nccl_analyze::nca213 {

namespace {

std::string message_of(const Incident& incident) {
  if (incident.kind != IncidentKind::gpu_unsupported && warns(incident.level))
    return concat("NCCL has no kernels for this GPU: ",
                  excerpt(incident.error.empty() ? incident.message : incident.error, 100));
  if (incident.kind != IncidentKind::gpu_unsupported) return {};
  const auto& event = incident.event.as<KernelMemoryExceeded>();
  const int capability = event.compute_capability;
  const std::string gpu = capability > 0
                              ? concat("GPUs of compute capability ", capability / 100, ".", capability % 100 / 10)
                              : std::string("this GPU");
  return concat(
      "NCCL's kernels want ", event.needed, " bytes of shared memory, ", gpu, " can give ", event.available,
      !warns(incident.level) ? ": NCCL goes on, and its kernels fail when they are launched" : ": NCCL stops");
}

void add_version(const Process& process, std::vector<std::string>& versions) {
  if (!process.version.empty()) add_once(versions, concat(process.library, " ", excerpt(process.version, 40)));
}

/// Lists the NCCL versions of these processes, or of all processes if these print none: by default only one process of
/// a host prints its version.
std::string versions_text(const Model& model, const std::vector<Index>& processes) {
  std::vector<std::string> versions;
  for (const Index index : processes)
    if (const Process* process = process_of(model, index)) add_version(*process, versions);
  if (versions.empty())
    for (const Process& process : model.processes) add_version(process, versions);
  return versions.empty() ? std::string() : concat(" (", list_text(versions), ")");
}

Verdict check(const Model& model) {
  Verdict verdict;
  verdict.findings = topic_findings(model, "nccl-too-old-for-gpu", message_of);
  for (Finding& finding : verdict.findings) finding.message += versions_text(model, finding.processes);
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA213",
     .name = "nccl-too-old-for-gpu",
     .severity = Severity::error,
     .stage = Stage::configuration,
     .check = "init",
     .title = "This NCCL does not know the GPU",
     .explanation =
         R"(A GPU generation needs a NCCL that was built for it: with kernels for its architecture, and with buffers that
fit its shared memory. An older one finds no kernel (`no kernel image is available`, `invalid device function`) where it
carries no PTX; NVIDIA's own builds do, and the driver compiles it when it is loaded: a slow start (NCA204). Or it asks
for more shared memory than the GPU has, as 2.25.1 does on GeForce and workstation Blackwell (compute capability 12.0;
put right in 2.26.2). 2.25.1 says so in an INFO line only and the job fails at its first collective.

The driver is not the cause: it may be the newest, and `nvidia-smi` shows the GPU. Nor does an upgrade of CUDA in the
image help, for frameworks carry NCCL with them. The version line (`NCCL version ...+cuda...`) is the one that counts.)",
     .fix =
         R"(1. Take a framework built for this GPU (PyTorch 2.7 with `cu128` is the first for Blackwell). Or update NCCL alone:
   `pip install -U nvidia-nccl-cu12` (or `-cu13`); it leaves the version that torch asks for, pip warns, and mostly it
   works. Hopper needs NCCL 2.15 or later built with
   CUDA 11.8; Blackwell 2.25, better 2.26.2, built with CUDA 12.8.
2. Look which one is loaded: the version line of this log (`NCCL_DEBUG=VERSION`), `grep libnccl /proc/PID/maps` of the
   running rank, `LD_DEBUG=libs` for `libnccl.so.2`. A libnccl of the system in `LD_LIBRARY_PATH` comes before the
   framework's. `torch.cuda.nccl.version()` only says what torch was built with.
3. Built from source: `make src.build NVCC_GENCODE="-gencode=arch=compute_120,code=sm_120"` with your GPU's number.
4. The framework must know the GPU too: `python -c 'import torch; print(torch.cuda.get_arch_list())'`.)"},
    check};

}  // namespace nccl_analyze::nca213
