// Ranks of one communicator that count its channels differently.

#include "rules/rule_support.h"

namespace nccl_analyze {

namespace {

Verdict check(const Model& model) {
  Verdict verdict;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    if (comm.channel_counts.size() < 2 || !is_proven(model, comm)) continue;
    Occurrence& occurrence = verdict.occurrences.emplace_back();
    std::vector<std::string> groups;
    for (const ChannelCount& count : comm.channel_counts) {
      std::vector<int> ranks;
      for (const Rank& rank : comm.ranks)
        if (rank.channels == count.channels) ranks.push_back(rank.rank);
      groups.push_back(cat(count.channels, " on ", ranks_text(ranks)));
      occurrence.evidence.add(count.first);
    }
    occurrence.message = cat("Ranks of one communicator have different numbers of channels: ", list_text(groups));
    occurrence.ranks = logged_ranks(comm);
    occurrence.communicators = {static_cast<Index>(i)};
  }
  return verdict;
}

}  // namespace

extern constinit const Rule channels_differ{
    {.id = "NCA502",
     .name = "channels-differ",
     .severity = Severity::error,
     .title = "Ranks of one communicator have different numbers of channels",
     .explanation =
         R"(All ranks of a communicator work on the same channels: at the start they exchange what each of them
found and take the least. Here ranks print different numbers of `coll channels`. A rank with more of them waits on the
last ones for peers that do not have them: the job hangs, or data goes astray.

It happens when the settings that limit channels differ (`NCCL_MIN_NCHANNELS`, `NCCL_MAX_NCHANNELS`, `NCCL_MIN_CTAS`,
`NCCL_MAX_CTAS`, or `minCTAs` and `maxCTAs` in the program), or when the ranks run different NCCL builds.)",
     .fix = R"(1. Give all ranks the same `NCCL_MIN_NCHANNELS`, `NCCL_MAX_NCHANNELS`, `NCCL_MIN_CTAS` and
   `NCCL_MAX_CTAS`, in their environment and in `/etc/nccl.conf`; or remove them.
2. Compare the version that each rank prints: images must be the same on all nodes.
3. If the program sets `minCTAs` or `maxCTAs` in `ncclConfig_t`, it must do so alike on all ranks.)"},
    check};

}  // namespace nccl_analyze
