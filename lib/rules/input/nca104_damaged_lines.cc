// NCA104 reports sources with many torn or cut lines, because the model lacks the facts in these lines.

#include "nccl_analyze/rule.h"
#include "text/message_text.h"

namespace nccl_analyze::nca104 {

namespace {

// A source has a finding if it has at least `few` damaged lines, and at least one per `small_share` NCCL lines. Fewer
// are normal, because even a good excerpt may begin and end in the middle of a line. A single torn line is enough if
// may_be_overwritten() is true.
constexpr std::uint64_t few = 3;
constexpr std::uint64_t small_share = 200;

constexpr std::pair<Damage, std::string_view> lost[] = {
    {Damage::torn, "torn by other output that was written into them"}, {Damage::cut, "cut short"}};

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

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result;
  for (std::size_t i = 0; i < model.sources.size(); ++i) {
    const Source& source = model.sources[i];
    const bool overwritten = may_be_overwritten(model, static_cast<SourceId>(i));
    std::uint64_t damaged = 0;
    std::vector<std::string> kinds;
    Evidence evidence;
    for (const auto& [damage, words] : lost) {
      const std::uint64_t count = source.stats.damage(damage);
      if (count == 0) continue;
      damaged += count;
      kinds.push_back(concat(count, " ", words));
      evidence.add(source.damaged[static_cast<std::size_t>(damage)]);
    }
    const bool matters = damaged >= few && damaged * small_share >= source.stats.nccl_lines;
    if (evidence.count == 0 || (!matters && !overwritten)) continue;
    Finding& finding = result.findings.emplace_back();
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
  return result;
}

}  // namespace nccl_analyze::nca104
