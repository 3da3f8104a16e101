#pragma once
// Which process a record is of.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Senders {
 public:
  Senders() { recent_process_.fill(-1); }

  /// Turns the context to the process of its record, made when the record is its first; false beyond the limit.
  bool turn_to_sender(Context& context) {
    const Record& record = *context.record;
    KnownSender& known = senders_[record.sender % cached];
    // the sender's number does not cover the pod, which is the collector's
    if (!known.is_of(record) || context.state.model.processes[known.process].pod != record.origin.pod) {
      const Index process = find_by_name(context);
      if (process < 0) return false;
      known = {record.sender, record.at.source, process};
    }
    context.turn_to(known.process);
    context.facts->last = record.at;
    if (record.level == Level::info) context.facts->info_seen = true;
    return true;
  }

  /// The same for a line that is not NCCL's: its process is the only one of its source; -1 when the source has several.
  /// `quotes_nccl`: the line shows that a process printed it, so that one is made where the source has none. False when
  /// such a line has no process.
  bool turn_to_only_process(Context& context, bool quotes_nccl);

 private:
  /// A cache by the numbers that parsers give to senders.
  struct KnownSender {
    std::uint64_t sender = 0;
    SourceId source{};
    Index process = -1;
    bool is_of(const Record& record) const {
      return record.sender != 0 && sender == record.sender && source == record.at.source;
    }
  };
  /// One of the processes of a source, and how many it has.
  struct Inhabitants {
    Index process = -1;
    std::uint32_t count = 0;
  };

  /// -1 beyond the limit.
  Index find_by_name(Context& context);
  Index add_by_name(Context& context, Index* newest);
  Index make_process(Context& context, Index twin);
  /// The newest process of this pid, host and pod; null when there is none.
  Index* newest_process(const Context& context);
  /// The process that the host of the record is an alias in, as far as is known by now; -1 when there is none.
  Index find_aliased(const Context& context) const;

  IndexTable process_index_;  ///< By pid, host and pod the newest of each; the others by `twin`.
  IndexTable pid_index_;      ///< By source and pid the newest of each; the others by `older`.
  static constexpr std::size_t cached = 4096;
  std::array<KnownSender, cached> senders_;
  /// A cache by a pid's low bits and a host's last letters: most lines come from one of a few hundred processes.
  std::array<Index, cached> recent_process_;
  std::vector<Inhabitants> inhabitants_;  ///< By source.
};

}  // namespace nccl_analyze::builder
