// Initialisation time that is waiting for few ranks.

#include <algorithm>
#include <set>

#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

constexpr double long_wait = 3.0;  ///< Seconds: below, ranks of a job differ that much by nature.

/// A rank waits in `recv` for the address of its successor: a long one names the rank that came late.
struct Wait {
  int rank = -1;
  int late = -1;
  double waited = 0;
  LineRef at;
};

std::vector<Wait> named_waits(const Communicator& comm) {
  std::vector<Wait> waits;
  for (const Rank& rank : comm.ranks) {
    if (!rank.bootstrap_seconds || comm.nranks < 2) continue;
    const BootstrapSeconds& spent = *rank.bootstrap_seconds;
    if (spent.recv < long_wait || spent.recv < spent.total / 2) continue;
    waits.push_back({rank.rank, (rank.rank + 1) % comm.nranks, spent.recv, spent.at});
  }
  return waits;
}

/// Where the predecessor's log is missing: few ranks that hardly waited while all others did.
std::vector<Wait> unhurried(const Communicator& comm) {
  double longest = 0;
  for (const Rank& rank : comm.ranks)
    if (rank.bootstrap_seconds) longest = std::max(longest, rank.bootstrap_seconds->total);
  std::vector<Wait> late;
  std::size_t waiting = 0;
  for (const Rank& rank : comm.ranks) {
    if (!rank.bootstrap_seconds) continue;
    const double total = rank.bootstrap_seconds->total;
    if (total > longest / 2) {
      ++waiting;
    } else if (total < longest / 10) {
      late.push_back({rank.rank, rank.rank, longest, rank.bootstrap_seconds->at});
    } else {
      return {};  // ranks that come in one after the other: a slow start of the whole job, nobody's fault
    }
  }
  return longest >= long_wait && late.size() * 4 <= waiting ? late : std::vector<Wait>{};
}

/// Many late ranks are the slow start of a whole job, not a straggler.
bool are_few(std::size_t late, const Communicator& comm) {
  return late <= 2 || late * 4 <= static_cast<std::size_t>(std::max(comm.nranks, 0));
}

/// The rank had called NCCL long before, and worked in there: NCA204.
bool was_working(const Communicator& comm, const Wait& wait) {
  const Rank* late = find_rank(comm, wait.late);
  return late != nullptr && seconds_before_bootstrap(*late) >= std::max(slow_phase, wait.waited / 2);
}

/// What of the time the late ranks spent inside NCCL, where it matters.
std::string work_text(const Communicator& comm, const std::vector<int>& late, double waited) {
  double longest = 0;
  for (const int rank : late)
    if (const Rank* here = find_rank(comm, rank)) longest = std::max(longest, seconds_before_bootstrap(*here));
  return longest < waited / 4 ? std::string()
                              : cat("; ", seconds_text(longest), " of it inside NCCL (kernels and alloc)");
}

Verdict check(const Model& model) {
  Verdict verdict;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    std::vector<Wait> waits = named_waits(comm);
    if (waits.empty()) waits = unhurried(comm);
    std::erase_if(waits, [&](const Wait& wait) { return was_working(comm, wait); });
    if (waits.empty() || !are_few(waits.size(), comm)) continue;

    Occurrence& occurrence = verdict.occurrences.emplace_back();
    std::set<int> late;
    double longest = 0;
    for (const Wait& wait : waits) {
      late.insert(wait.late);
      longest = std::max(longest, wait.waited);
      occurrence.evidence.add(evidence_at(wait.at));
    }
    double total = 0;
    for (const Rank& rank : comm.ranks)
      if (rank.bootstrap_seconds) total = std::max(total, rank.bootstrap_seconds->total);
    occurrence.ranks.assign(late.begin(), late.end());
    occurrence.communicators = {static_cast<Index>(i)};
    occurrence.message =
        cat("The bootstrap took ", seconds_text(total), " because ", ranks_text(occurrence.ranks), " arrived late: ");
    occurrence.message += waits.size() == 1 && waits[0].rank != waits[0].late
                              ? cat("rank ", waits[0].rank, " waited ", seconds_text(longest),
                                    " for the next rank (recv; not the network)")
                              : cat("others waited up to ", seconds_text(longest));
    occurrence.message += work_text(comm, occurrence.ranks, longest);
    std::vector<std::string> places;
    for (const int rank : occurrence.ranks)
      if (const Rank* here = find_rank(comm, rank))
        if (const Process* process = process_of(model, here->process)) add_once(places, process->host.str());
    if (!places.empty()) occurrence.message += cat("; it runs on ", list_text(places));
  }
  return verdict;
}

}  // namespace

extern constinit const Rule late_rank{
    {.id = "NCA203",
     .name = "late-rank",
     .severity = Severity::warning,
     .waits_for_end = true,
     .title = "The initialisation waited for a late rank",
     .explanation = R"(`Bootstrap timings` shows where a rank's time went. `recv` is the wait until the *next*
rank (rank + 1; the last one waits for rank 0) has reported to the root, so a large `recv` on rank r says that
rank r + 1 called NCCL that much later. `ring` is the wait for the slowest of all. Both are commonly read as a
slow network; they are not: a slow network shows in `send`. The late rank itself shows small numbers.

Nothing is wrong with NCCL here. The time was lost before the late rank called it: a pod scheduled or pulled
later, a slower file system while importing or loading the model, work that only this rank does.)",
     .fix =
         R"(1. Compare when the ranks' processes began and when they reached `Init START`
   (`kubectl logs --timestamps`, `kubectl get events`): did the late rank's pod start late, or did its program
   take longer?
2. Pod late: pre-pull the image, schedule the job as a gang (Kueue, Volcano, JobSet), so that no pod waits for a
   node that is still being created.
3. Program late: look for work of one rank before the first collective (downloads, tokenising, compiling
   extensions such as DeepSpeed's CPU Adam, reading a checkpoint from a cold network disk).
4. A wait of a few seconds once per job is no harm. Waits near the framework's timeout will one day be a
   failure.)"},
    check};

}  // namespace nccl_analyze
