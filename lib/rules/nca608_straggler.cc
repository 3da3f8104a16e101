// Ranks that are behind the others in the sequence of collectives, as NCCL's RAS client counts them.

#include <algorithm>
#include <utility>

#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

std::string group_text(const LaunchCounts& counts, const LaunchCounts::Group& group) {
  std::vector<int> ranks;
  for (const LaunchCounts::Listed& listed : counts.listed)
    if (listed.launched == group.launched) ranks.push_back(listed.rank);
  const std::string who = ranks.empty()
                              ? counted(static_cast<std::size_t>(std::max<std::int64_t>(group.ranks, 0)), "rank")
                              : ranks_text(ranks);
  return group.launched > 0 ? cat(who, " came to number ", group.launched) : cat(who, " launched none");
}

Verdict check(const Model& model) {
  Verdict verdict;
  for (const LaunchCounts& counts : model.launch_counts) {
    std::vector<LaunchCounts::Group> groups = counts.groups;
    // Single ranks are listed with their own count instead of a group's.
    for (const LaunchCounts::Listed& listed : counts.listed)
      if (std::none_of(groups.begin(), groups.end(),
                       [&](const LaunchCounts::Group& group) { return group.launched == listed.launched; }))
        groups.push_back({.launched = listed.launched, .ranks = 1});
    if (groups.size() < 2) continue;
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.launched < b.launched; });
    std::vector<std::string> parts;
    for (const LaunchCounts::Group& group : groups) parts.push_back(group_text(counts, group));
    Occurrence& occurrence = verdict.occurrences.emplace_back();
    for (const LaunchCounts::Listed& listed : counts.listed) occurrence.ranks.push_back(listed.rank);
    std::sort(occurrence.ranks.begin(), occurrence.ranks.end());
    occurrence.message = cat("Ranks have launched different numbers of ", shortened(counts.operation, 40), ": ",
                             list_text(parts), ". Those with the lower number keep the others waiting");
    occurrence.evidence = counts.evidence;
  }
  return verdict;
}

}  // namespace

extern constinit const Rule straggler{
    {.id = "NCA608",
     .name = "straggler",
     .severity = Severity::warning,
     .title = "Some ranks are behind the others",
     .explanation =
         R"(Every rank calls the same collectives. A rank with a lower count has not come so far: it computes longer,
waits for data, or stands still. The ranks with the higher count wait inside the next collective for it. In a running
job the counts may differ by one for a moment; a difference that is the same a minute later is the hang.

The client lists the ranks of the *smaller* groups. These are the stragglers when their number is the lower one; when
it is the higher one they are merely ahead, and the cause is among the many others.)",
     .fix =
         R"(1. Ask again after a minute (`ncclras -v`): equal numbers prove a hang, growing ones a slow rank.
2. On the ranks that are behind: `py-spy dump --pid PID`, GPU clocks and temperature (`nvidia-smi -q -d PERFORMANCE`),
   `dmesg` for `Xid`, the data loader, the file system.
3. The counts go apart further and further, or for one operation only: the ranks call different collectives; compare
   with `TORCH_DISTRIBUTED_DEBUG=DETAIL`.)"},
    check};

}  // namespace nccl_analyze
