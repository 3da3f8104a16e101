// NCA203 reports ranks that entered the initialisation so late that the other ranks waited for seconds.

#include <algorithm>
#include <set>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca203 {

namespace {

constexpr double long_wait = 3.0;  ///< Seconds. Shorter waits are normal differences between ranks.
/// Seconds, for waits measured by timestamps, which are less exact: a collector's timestamp is the time of receipt.
constexpr double long_stamped_wait = 10.0;

/// A long wait for the rank `late`, with its length `waited` in seconds. `rank` is the rank that waited. If many ranks
/// waited, none of them is named, and `rank` equals `late`.
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

/// How long a rank waited for other ranks, including a little work of its own.
struct Waited {
  int rank = -1;
  double seconds = 0;
  LineRef at;
};

/// Returns each rank's wait from NCCL's own timings: `Bootstrap timings` (2.23.4+), else the bootstrap part of `Init
/// timings` (2.22.3+).
std::vector<Waited> timed(const Communicator& comm) {
  std::vector<Waited> all;
  for (const Rank& rank : comm.ranks) {
    if (rank.bootstrap_seconds)
      all.push_back({rank.rank, rank.bootstrap_seconds->total, rank.bootstrap_seconds->at});
    else if (rank.init_seconds)
      all.push_back({rank.rank, rank.init_seconds->bootstrap, rank.init_seconds->at});
  }
  return all;
}

/// Returns each rank's wait from the timestamps of its lines; empty if the log has timings. All ranks leave the
/// initialisation together, so a rank waited for as long as its initialisation took longer than the shortest one. Split
/// communicators are skipped, because their ranks wait before they print a line.
std::vector<Waited> stamped(const Communicator& comm) {
  const auto is_timed = [](const Rank& rank) { return rank.bootstrap_seconds || rank.init_seconds; };
  if (comm.parent >= 0 || std::ranges::any_of(comm.ranks, is_timed)) return {};
  // Up to 2.22.3, Init START is printed after the wait. The time until Init START is then more exact, because it
  // excludes differences that arise later.
  const bool by_start = std::ranges::any_of(comm.ranks, [](const Rank& rank) {
    return rank.stamped_seconds && rank.stamped_seconds->to_start >= long_stamped_wait;
  });
  std::vector<Waited> all;
  double least = 0;
  for (const Rank& rank : comm.ranks) {
    if (!rank.stamped_seconds) continue;
    const double seconds = by_start ? rank.stamped_seconds->to_start : rank.stamped_seconds->to_complete;
    if (seconds < 0) continue;
    least = all.empty() ? seconds : std::min(least, seconds);
    all.push_back({rank.rank, seconds, rank.stamped_seconds->at});
  }
  for (Waited& one : all) one.seconds -= least;
  return all;
}

double longest_of(const std::vector<Waited>& all) {
  double longest = 0;
  for (const Waited& one : all) longest = std::max(longest, one.seconds);
  return longest;
}

/// Finds late ranks by the waits of all ranks: a few ranks hardly waited, and all others waited long. Empty if there
/// are no such two groups, or if the longest wait is shorter than `least` seconds.
std::vector<Wait> unhurried(const std::vector<Waited>& all, double least) {
  const double longest = longest_of(all);
  std::vector<Wait> late;
  std::size_t waiting = 0;
  for (const Waited& one : all) {
    if (one.seconds > longest / 2) {
      ++waiting;
    } else if (one.seconds < longest / 10) {
      late.push_back({one.rank, one.rank, longest, one.at});
    } else {
      return {};  // Ranks arrived one after another: the whole job started slowly.
    }
  }
  return longest >= least && late.size() * 3 <= waiting ? late : std::vector<Wait>{};
}

/// Whether the late ranks are a small part of the communicator. Many late ranks mean that the whole job started slowly.
bool are_few(std::size_t late, const Communicator& comm) {
  return late <= 2 || late * 4 <= static_cast<std::size_t>(std::max(comm.nranks, 0));
}

/// Whether the late rank spent at least half of the wait on its own work inside NCCL. NCA204 then reports that work.
bool was_working(const Communicator& comm, const Wait& wait) {
  const Rank* late = find_rank(comm, wait.late);
  return late != nullptr && seconds_before_bootstrap(*late) >= std::max(slow_phase, wait.waited / 2);
}

/// Describes the time that the late ranks spent inside NCCL; empty if it is less than a quarter of the wait.
std::string work_text(const Communicator& comm, const std::vector<int>& late, double waited) {
  double longest = 0;
  for (const int rank : late)
    if (const Rank* here = find_rank(comm, rank)) longest = std::max(longest, seconds_before_bootstrap(*here));
  return when(longest >= waited / 4, "; ", seconds_text(longest), " of it inside NCCL (kernels and alloc)");
}

/// Returns the hosts of these ranks, as far as the input shows them.
std::vector<std::string> hosts_of(const Model& model, const Communicator& comm, const std::vector<int>& ranks) {
  std::vector<std::string> hosts;
  for (const int rank : ranks)
    if (const Rank* here = find_rank(comm, rank))
      if (const Process* process = process_of(model, here->process)) add_once(hosts, process->host.str());
  return hosts;
}

double longest_wait(const std::vector<Wait>& waits) {
  double longest = 0;
  for (const Wait& wait : waits) longest = std::max(longest, wait.waited);
  return longest;
}

std::string timed_text(const Communicator& comm, const std::vector<Wait>& waits, const std::vector<int>& late) {
  const double longest = longest_wait(waits);
  return concat("The bootstrap took ", seconds_text(longest_of(timed(comm))), " because ", ranks_text(late),
                " arrived late: ",
                waits.size() == 1 && waits[0].rank != waits[0].late
                    ? concat("rank ", waits[0].rank, " waited ", seconds_text(longest),
                             " for the next rank (recv; not the network)")
                    : concat("others waited up to ", seconds_text(longest)),
                work_text(comm, late, longest));
}

std::string stamped_text(const Communicator& comm, const std::vector<Wait>& waits, const std::vector<int>& late) {
  double total = 0;
  for (const Rank& rank : comm.ranks)
    if (rank.stamped_seconds) total = std::max(total, rank.stamped_seconds->to_complete);
  return concat("By the time stamps of its lines the initialisation took up to ", seconds_text(total), " because ",
                ranks_text(late), " arrived late: others waited up to ", seconds_text(longest_wait(waits)),
                " longer, each by its own clock");
}

}  // namespace

RuleResult check(const Model& model) {
  return {each_communicator(model, [&](const Communicator& comm, Finding& finding) -> std::string {
    std::vector<Wait> waits = named_waits(comm);
    if (waits.empty()) waits = unhurried(timed(comm), long_wait);
    const bool by_stamps = waits.empty();
    if (by_stamps) waits = unhurried(stamped(comm), long_stamped_wait);
    std::erase_if(waits, [&](const Wait& wait) { return was_working(comm, wait); });
    if (waits.empty() || !are_few(waits.size(), comm)) return {};

    std::set<int> late;
    for (const Wait& wait : waits) {
      late.insert(wait.late);
      add_line(finding.evidence, wait.at);
    }
    finding.ranks.assign(late.begin(), late.end());
    const std::vector<std::string> hosts = hosts_of(model, comm, finding.ranks);
    finding.values = {{"late", finding.ranks.size() == 1 ? "one" : "several"}};
    if (!hosts.empty()) finding.values.emplace_back("host", hosts.front());
    return concat((by_stamps ? stamped_text : timed_text)(comm, waits, finding.ranks),
                  when(!hosts.empty(), "; it runs on ", list_text(hosts)));
  })};
}

}  // namespace nccl_analyze::nca203
