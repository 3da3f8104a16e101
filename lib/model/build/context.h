#pragma once
// What all domains of the builder share: its state, and the record at hand with its process.

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "model/build/shared_texts.h"
#include "model/build/state.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "text/blanks.h"

namespace nccl_analyze::builder {

/// What is the same in the lines of all ranks of a communicator.
struct CommKey {
  std::uint64_t comm_id;
  Index parent;
  int split_count;
  std::int64_t color;
  int nranks, generation;
  friend auto operator<=>(const CommKey&, const CommKey&) = default;
};

struct Context {
  explicit Context(const ModelLimits& given) : limits(given), state(given) {}

  /// Everything from here on is of this process; -1 = of none.
  void turn_to(Index number) {
    process_number = number;
    process = number < 0 ? nullptr : &state.processes[number];
    facts = number < 0 ? nullptr : &state.model.processes[number];
  }
  /// The thread that printed the record. Beyond the limit all further threads of a process share one state.
  ThreadState& thread() {
    const std::uint32_t* const known = process->threads.find(record->origin.tid);
    return known != nullptr ? threads[*known] : add_thread();
  }
  CommState& comm(RankRef ref) { return state.comm(ref.comm); }
  Rank& rank(RankRef ref) { return comm(ref).comm.ranks[ref.slot]; }

  /// The line of the record, whose text is quoted while its kind of event has room.
  LineRef quote() { return state.quotes.quote(*record); }
  /// Quotes the record where it is the first of its kind.
  void quote_first(LineRef& at) {
    if (at.line == 0) at = quote();
  }
  void add_to(Evidence& evidence);
  Text shared(std::string_view text) { return texts.shared(text); }
  /// Counts the record as a fact that a limit keeps out of the model.
  void drop() { state.model.dropped += record->times; }
  /// False for a channel that NCCL cannot have; the record is dropped then.
  bool is_channel(int channel) {
    if (channel >= 0 && channel <= max_channel) return true;
    drop();
    return false;
  }
  /// The record shows its process at work: see Process::progress.
  void note_progress() { facts->progress = record->at; }
  Source& source_of(SourceId source);

  ModelLimits limits;
  BuilderState state;
  SharedTexts texts;
  std::vector<ThreadState> threads;  ///< Of all processes in one block, which is freed as a whole.
  std::map<CommKey, Index> comm_index;
  FlatSet<std::uint64_t> closed_batches;  ///< Hashes of thread and content: a log read twice counts once.

  // The record at hand.
  const Record* record = nullptr;
  bool made_incident = false;
  ProcessState* process = nullptr;  ///< Null where the record is of no known process.
  Process* facts = nullptr;         ///< The same process in the model.
  Index process_number = -1;

 private:
  ThreadState& add_thread();
};

/// NCCL cuts lists in a buffer of 1,024 bytes: the last item of a line as long as that may itself be cut.
inline bool may_end_in_cut_item(const Record& record) {
  return record.text.size() >= 1000 && record.damage != Damage::cut;
}

inline bool is_warning(const Record& record) { return record.level == Level::warn || record.level == Level::abort; }

}  // namespace nccl_analyze::builder
