// NCA104 reports sources with many torn or cut lines, because the model lacks the facts in these lines.

#include "nccl_analyze/rule.h"
#include "rules/support/message_text.h"

namespace nccl_analyze::nca104 {

namespace {

// A source has a finding if it has at least `few` damaged lines and at least one in `small_share` NCCL lines; fewer are
// normal, because even a good excerpt may begin and end in the middle of a line. A single torn line is enough if
// may_be_overwritten() is true.
constexpr std::uint64_t few = 3;
constexpr std::uint64_t small_share = 200;

struct Words {
  Damage damage;
  std::string_view text;
};
constexpr Words lost[] = {{Damage::torn, "torn by another process that wrote into them"}, {Damage::cut, "cut short"}};

/// Whether several processes may have overwritten each other in one NCCL_DEBUG_FILE: each process opens the file with
/// mode "w" and writes at its own offset. Such a file has torn lines, several processes, and hardly any lines that are
/// not NCCL's.
bool may_be_overwritten(const Model& model, SourceId source) {
  const Source& file = model.sources[static_cast<std::size_t>(source)];
  const std::uint64_t lines = file.stats.lines - file.stats.document_lines;
  if (file.stats.damage(Damage::torn) == 0 || lines > file.stats.nccl_lines + file.stats.nccl_lines / 4 + 8)
    return false;
  std::size_t senders = 0;
  for (const Process& process : model.processes) {
    if (process.source != source || process.host.empty()) continue;
    if (!process.pod.empty()) return false;  // Pod names come from a log collector.
    ++senders;
  }
  return senders > 1;
}

Verdict check(const Model& model) {
  Verdict verdict;
  for (std::size_t i = 0; i < model.sources.size(); ++i) {
    const Source& source = model.sources[i];
    const bool overwritten = may_be_overwritten(model, static_cast<SourceId>(i));
    std::uint64_t damaged = 0;
    std::vector<std::string> kinds;
    Evidence evidence;
    for (const Words& words : lost) {
      const std::uint64_t count = source.stats.damage(words.damage);
      if (count == 0) continue;
      damaged += count;
      kinds.push_back(concat(count, " ", words.text));
      evidence.add(source.damaged[static_cast<std::size_t>(words.damage)]);
    }
    const bool matters = damaged >= few && damaged * small_share >= source.stats.nccl_lines;
    if (evidence.count == 0 || (!matters && !overwritten)) continue;
    Finding& finding = verdict.findings.emplace_back();
    finding.message = concat(damaged, " of ", source.stats.nccl_lines, " NCCL lines of ", excerpt(source.name),
                             " are damaged: ", list_text(kinds),
                             ". What they said is not known, and what is missing may be among them");
    if (overwritten)
      finding.message +=
          ". If NCCL_DEBUG_FILE names this file for several processes, they overwrite each other: NCCL empties the "
          "file "
          "when it opens it, so each process needs one of its own (%h.%p)";
    finding.evidence = evidence;
  }
  return verdict;
}

}  // namespace

extern constinit const Rule rule{
    {.id = "NCA104",
     .name = "damaged-lines",
     .severity = Severity::info,
     .provisional = true,
     .title = "Part of the log is damaged",
     .explanation = R"(Some of NCCL's lines are not whole. A line is *torn* when another process wrote into the middle
of it, *cut* when its end is missing. Lines that could be put together again without doubt are not counted here, and no
fact is read from the others; but what they said is lost, and so may be whole lines that left no trace.

It happens when several processes share one pipe or terminal without a launcher that keeps their lines apart, when they
share one `NCCL_DEBUG_FILE` (each process opens it with truncation and writes at its own offset, so that they overwrite
each other), when a collector limits the length of a line, and when a text is copied from a terminal.)",
     .fix = R"(Give every process a file of its own:

- `NCCL_DEBUG_FILE=/logs/nccl.%h.%p.log` (`%h` is the host, `%p` the process), on a volume that outlives the pod; then
  `nccl-analyze /logs`.
- With one container per process: `kubectl logs --prefix` per pod, not the terminal of a launcher.
- Launchers keep the lines of processes apart: `srun --label`, `torchrun --log-dir /logs --redirects 3`, `mpirun
  --tag-output` (Open MPI up to 4; 5 has `--output tag`, MPICH `-prepend-rank`).)"},
    check};

}  // namespace nccl_analyze::nca104
