#pragma once
// State that all domains of the builder share, and the current record with its process.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "model/build/shared_texts.h"
#include "model/build/state.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "text/blanks.h"

namespace nccl_analyze {
struct Row;
}

namespace nccl_analyze::builder {

/// Key of a communicator: values that are equal in the lines of all its ranks. `generation` numbers communicators that
/// agree in all other values, as when a job is restarted within a log.
struct CommKey {
  std::uint64_t comm_id;
  Index parent;
  int split_count;
  std::int64_t color;
  int nranks, generation;
  friend bool operator==(const CommKey&, const CommKey&) = default;
  std::size_t hash() const {
    std::size_t hash = spread(comm_id);
    for (const std::int64_t number :
         {std::int64_t{parent}, std::int64_t{split_count}, color, std::int64_t{nranks}, std::int64_t{generation}})
      hash = spread(hash ^ static_cast<std::uint64_t>(number));
    return hash;
  }
};

/// Finds communicators by their keys, of which a job may have a hundred thousand.
class CommIndex {
 public:
  /// Returns the communicator with the key; -1 if there is none.
  Index find(const CommKey& key) const {
    const Index* const found = table_.find(key.hash(), [&](Index one) { return keys_[one].first == key; });
    return found == nullptr ? -1 : keys_[*found].second;
  }
  /// Adds a communicator, whose key is new.
  void add(const CommKey& key, Index comm) {
    keys_.emplace_back(key, comm);
    table_.add(static_cast<Index>(keys_.size() - 1), key.hash(), [this](Index one) { return keys_[one].first.hash(); });
  }

 private:
  Table<std::pair<CommKey, Index>> keys_;
  IndexTable table_;
};

/// What a summary holds about a record besides the record itself.
struct ReplayedRecord {
  const Row* row = nullptr;  ///< The row that matches the message; null: not known.
  /// Of a connection: bits of further channels in the block of its channel, of lines before it in the same thread.
  std::uint64_t channels = 0;
};

struct Context {
  explicit Context(const ModelLimits& given) : limits(given), state(given) {}

  /// Makes `number` the current process; -1 = no process.
  void select_process(Index number) {
    process_number = number;
    process = number < 0 ? nullptr : &state.processes[number];
    facts = number < 0 ? nullptr : &state.model.processes[number];
  }
  /// Returns the state of the thread that printed the current record. Threads beyond ModelLimits::max_threads share one
  /// state per process.
  ThreadState& thread() {
    const std::uint32_t* const known = process->threads.find(record->origin.tid);
    return known != nullptr ? threads[*known] : add_thread();
  }
  CommState& comm(RankRef ref) { return state.comm(ref.comm); }
  Rank& rank(RankRef ref) { return comm(ref).comm.ranks[ref.slot]; }

  /// Returns the position of the current record and keeps its text, so that reports can quote it. The text is kept for
  /// the first ModelLimits::max_quotes_per_event records of each kind of event.
  LineRef quote() { return state.quotes.quote(*record); }
  /// Sets `at` to the current record and quotes that record, unless `at` is already set.
  void quote_first(LineRef& at) {
    if (at.line == 0) at = quote();
  }
  void add_to(Evidence& evidence);
  Text shared(std::string_view text) { return texts.shared(text); }
  /// Returns the limit of communicators. It grows with the processes, of which a job with very many logs has more than
  /// their limit.
  std::size_t most_communicators() const {
    const std::size_t processes = state.model.processes.size(), usual = std::max<std::size_t>(limits.max_processes, 1);
    return std::max(limits.max_communicators, limits.max_communicators * processes / usual);
  }
  /// Counts the current record in Model::dropped.
  void drop() { state.model.dropped += record->times; }
  /// Whether the channel number is valid. An invalid number comes from a damaged line, which is then counted as
  /// dropped.
  bool is_channel(int channel) {
    if (channel >= 0 && channel <= max_channel) return true;
    drop();
    return false;
  }
  /// Records that the current process made progress: the current line shows NCCL working.
  void note_progress() { facts->progress = record->at; }
  /// Records that the line has the end ` comm 0x… nRanks NN`, which only RCCL prints behind connections and trees.
  void note_rccl() {
    if (facts->library.empty()) [[unlikely]]
      facts->library = shared("RCCL");
  }
  Source& source_of(SourceId source);

  ModelLimits limits;
  BuilderState state;
  SharedTexts texts;
  std::vector<ThreadState> threads;  ///< Threads of all processes in one block, which is freed as a whole.
  CommIndex comm_index;
  /// Hashes of the batches in BuilderState::batches, by thread and content. A log that was appended twice repeats its
  /// batches, which must be added only once.
  FlatSet<std::uint64_t> closed_batches;
  Boxed<Batch> spare_batch;  ///< An empty batch that was closed, whose memory the next one takes.

  // The current record and its process.
  const Record* record = nullptr;
  ReplayedRecord replayed;
  bool made_incident = false;       ///< Whether a domain added an incident for the record.
  ProcessState* process = nullptr;  ///< Null if the process is unknown.
  Process* facts = nullptr;         ///< Entry of `process` in Model::processes.
  Index process_number = -1;

 private:
  ThreadState& add_thread();
};

/// Whether NCCL may have truncated the last item of the record's list, because it formats lists in a buffer of 1,024
/// bytes. False if the parser found the record cut: it then left only complete items.
inline bool may_end_in_cut_item(const Record& record) {
  return record.text.size() >= 1000 && record.damage != Damage::cut;
}

}  // namespace nccl_analyze::builder
