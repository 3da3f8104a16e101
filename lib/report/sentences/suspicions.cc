// Collects the rules that suspect each rank of a communicator.

#include "report/sentences/suspicions.h"

#include <algorithm>

#include "text/phrases.h"

namespace nccl_analyze {

void Suspicion::add(const Suspicion& other) {
  rules.insert(other.rules.begin(), other.rules.end());
  worst = std::max(worst, other.worst);
}

std::string Suspicion::text() const {
  std::string text;
  for (const std::string_view rule : rules) append_item(text, rule);
  return text;
}

Suspicions::Suspicions(const Report& report, Index communicator) {
  for (const Finding& finding : report.findings) {
    if (finding.severity() == Severity::info) continue;
    const Suspicion suspicion{{finding.rule->id}, finding.severity()};
    const auto& comms = finding.communicators;
    const bool is_here = comms.empty() || std::find(comms.begin(), comms.end(), communicator) != comms.end();
    for (const Suspect& suspect : finding.suspects) {
      if (suspect.process >= 0)
        by_process_[suspect.process].add(suspicion);
      else if (suspect.rank >= 0 && is_here)
        by_rank_[suspect.rank].add(suspicion);
    }
  }
}

Suspicion Suspicions::of(const Rank& rank) const {
  Suspicion sum;
  if (const auto found = by_process_.find(rank.process); found != by_process_.end()) sum.add(found->second);
  if (const auto found = by_rank_.find(rank.rank); found != by_rank_.end()) sum.add(found->second);
  return sum;
}

}  // namespace nccl_analyze
