#pragma once
// Finds the process that printed a record.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Senders {
 public:
  Senders() { recent_process_.fill(-1); }

  /// Makes the process of the current record the current process; adds the process if it is new. False if the limit of
  /// processes is reached.
  bool select_sender(Context& context) {
    const Record& record = *context.record;
    KnownSender& known = senders_[record.sender % cached];
    // Record::sender does not identify the pod, whose name comes from the log collector
    const bool is_known =
        known.is_of(record) && known.pod == record.origin.pod && !context.state.processes[known.process].replaced;
    if (!is_known && !find_or_add_process(context, known)) return false;
    if (is_beginning(record.event)) follow_restart(context, known);
    context.select_process(known.process);
    context.facts->last = record.at;
    if (record.level == Level::info) context.facts->info_seen = true;
    return true;
  }

  /// Selects the current process for a line that NCCL did not print. If the log collector names host and pid, that
  /// process is selected. Otherwise it is the process whose NCCL lines have the same launcher's tag or pod as this
  /// line, the process with the rank in PyTorch's tag or, for a line without tag and pod, the only process of its
  /// source so far. If no process is certain, none is selected, because a wrong process is worse than none.
  /// `quotes_nccl`: the line quotes output of an NCCL process. A process is then added for a source without processes,
  /// and for a tag that no process has shown. Returns false if `quotes_nccl` is set, but no process was selected,
  /// because there are several or the limit of processes is reached; the caller then ignores the line.
  bool select_printer(Context& context, bool quotes_nccl);
  /// Makes room for so many processes in all.
  void reserve(const Context& context, std::size_t processes);

 private:
  /// An entry of the cache that maps Record::sender to a process; all members are zero while it is unused.
  struct KnownSender {
    std::uint64_t sender = 0;
    SourceId source{};
    Index process = 0;
    std::string_view pod;  ///< That of the process, which is far away in memory.
    bool is_of(const Record& record) const {
      return record.sender != 0 && sender == record.sender && source == record.at.source;
    }
  };
  /// The processes of one source: the newest one, and how many there are.
  struct SourceProcesses {
    Index process = -1;
    std::uint32_t count = 0;
  };

  /// Identifies the process that printed a line by the line's decoration: source, pod, container and launcher_tag().
  using Tag = std::tuple<SourceId, std::string, std::string, std::string>;
  static constexpr Index several = -2;

  static Tag tag_of(const Record& record);
  /// Records that the process prints lines with the tag of the record. `before`: the process that it replaces, or -1.
  void note_tags(const Context& context, Index process, Index before = -1);
  /// Returns the process that prints lines with this tag; -1 if there is none, `several` if there are several.
  Index find_by_tag(const Tag& tag) const;
  /// Whether a line with this tag may come from `process`, the only process of its source, which has not shown the tag.
  bool may_print(const Context& context, Index process, const Tag& tag, bool quotes_nccl) const;
  Index only_process(const Context& context) const;
  /// Whether lines of the process have a launcher's tag.
  bool is_tagged(Index process) const {
    const auto number = static_cast<std::size_t>(process);
    return number < tagged_.size() && tagged_[number] != 0;
  }
  /// Returns the process without launcher's tags whose rank in the job is the rank in PyTorch's tag; -1 if there is
  /// none or more than one.
  Index find_by_rank(const Context& context, const Tag& tag) const;

  /// Returns the process with the host, pid, pod and source of the record, or else the result of find_aliased(). Adds
  /// the process if there is none; -1 if the limit of processes is reached.
  Index find_by_name(Context& context);
  Index add_by_name(Context& context, Index* newest);
  /// Whether another process of the current source may be kept. Beyond the limit on processes each source may have 64,
  /// so that a job with very many logs is kept whole, while one log takes no more memory than the limit allows.
  bool has_room(const Context& context) const;
  Index make_process(Context& context, Index twin);
  /// Finds the process of the current record by host, pid, pod and source, and stores it in `known`. False if the limit
  /// of processes is reached.
  bool find_or_add_process(Context& context, KnownSender& known);
  /// Whether a process prints the event only once, before its first communicator.
  static bool is_beginning(const Event& event) {
    return std::holds_alternative<BootstrapInterfaceChosen>(event) ||
           std::holds_alternative<DriverVersionPrinted>(event);
  }
  /// Handles restarts: if the known process has completed a communicator, replaces it by a new process with the same
  /// host and pid, because a container was restarted or a job was run again into the same log. A process that has not
  /// completed a communicator is kept, because several processes with the same host and pid may begin together.
  void follow_restart(Context& context, KnownSender& known);
  static bool has_lived(Context& context, Index known);
  /// Adds a process that takes the place of the known one, which gets no further lines. Returns the known one if a
  /// limit is reached.
  Index restart(Context& context, Index known);
  /// Returns the process with the host, pid, pod and source of the record; -1 if it is not known. `newest`: the newest
  /// process with this host, pid and pod in any source; null if there is none.
  static Index find_known(const Context& context, const Index* newest);
  /// Returns the newest process with the pid, host and pod of the record; null if there is none.
  Index* newest_process(const Context& context);
  /// Returns the process that probably printed the record, if the record's host is garbled (garbled_host.h). Considers
  /// the processes seen so far; -1 if none fits.
  Index find_aliased(const Context& context) const;

  IndexTable process_index_;  ///< The newest process by pid, host and pod; the others are linked by `twin`.
  IndexTable pid_index_;      ///< The newest process by source and pid; the others are linked by `older`.
  static constexpr std::size_t cached = 4096;
  std::array<KnownSender, cached> senders_;
  /// Cache indexed by origin_hash(): most lines come from one of a few hundred processes.
  std::array<Index, cached> recent_process_;
  std::vector<SourceProcesses> inhabitants_;  ///< Indexed by SourceId.
  int restarts_ = 0;
  std::map<Tag, Index> tags_;  ///< The process that shows a tag, or `several`.
  std::vector<char> tagged_;   ///< Whether a process has shown a tag. Indexed by process.
};

}  // namespace nccl_analyze::builder
