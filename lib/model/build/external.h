#pragma once
// Records what frameworks, launchers, the kernel and NCCL's RAS client print about the job.

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "messages/phrases.h"
#include "model/build/context.h"
#include "text/line_memo.h"

namespace nccl_analyze::builder {

class External {
 public:
  void apply(Context& context, const CollectiveTimedOut& event);
  void apply(Context& context, const WatchdogReported& event);
  void apply(Context& context, const FirstToSignal& event);
  void apply(Context& context, const ProgramRaised& event);
  void apply(Context& context, const ProcessEnded& event);
  void apply(Context& context, const JobCancelled& event);
  void apply(Context& context, const GpuFaulted& event);
  void apply(Context& context, const NodeLost& event);
  void apply(Context& context, const DeviceFaulted& event);
  void apply(Context& context, const RasCountsDiffer& event);
  void apply(Context& context, const RasRanksCounted& event);
  void apply(Context& context, const RasRankListed& event);
  void apply(Context& context, const RasJobCounted& event);
  void apply(Context& context, const RasCommunicatorNamed& event);
  void apply(Context& context, const RanksDesynced& event);
  void apply(Context& context, const MemberAnnounced& event);
  void apply(Context& context, const MembersRegistered& event);
  void apply(Context& context, const PhraseSeen& event);

 private:
  /// Finds the WatchdogTimeout of the rank that the current line names, or adds it if `may_add`; null if there is none,
  /// or if the limit is reached.
  WatchdogTimeout* watchdog_timeout(Context& context, bool may_add = true);
  /// Returns the RAS report that the current line continues; null if the line does not follow a line of a report.
  RasOpCounts* open_counts(Context& context);

  /// A FoundPhrase without views, since a copy of a model builder would keep those of the original.
  struct KnownPhrase {
    const Phrase* phrase = nullptr;
    std::size_t begin = 0, size = 0;
    bool softened = false;
  };
  FoundPhrase phrase_of(const ProgramRaised& event);

  LineMemo<KnownPhrase> phrases_;  ///< Of the words of exceptions.
  /// Index in Model::stuck, by source, process group, rank and global rank.
  std::map<std::tuple<SourceId, std::string, int, int>, std::size_t> timeout_index_;
  std::map<SourceId, std::uint64_t> ras_comm_;  ///< The communicator that the RAS report of a source is about.
  LineRef counts_end_;                          ///< Last line of the newest entry of Model::launch_counts.
};

}  // namespace nccl_analyze::builder
