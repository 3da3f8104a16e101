#pragma once
// Summarises the records of one source: keeps the records that a model uses, and counts repetitions.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/flat_tables.h"
#include "model/summary/summary_parts.h"
#include "nccl_analyze/containers.h"

namespace nccl_analyze::builder {

/// Returns the start of a connection line as NCCL formats it: `Channel 07`.
std::string channel_head(int channel);

class SummaryBuilder {
 public:
  explicit SummaryBuilder(std::size_t max_processes) : max_processes_(max_processes) {}
  void add(const Record& record);
  /// Returns the kept records in the order in which they were read. The builder cannot be used afterwards.
  SummaryPiece finish();

 private:
  /// Equal records. The first few are kept, the others are counted.
  struct Kind {
    std::uint32_t kept = 0;
    std::uint32_t last = 0;  ///< Index of the record that represents the others.
  };

  /// State of a process since the last start or end of one of its communicators.
  struct Lifetime {
    std::uint64_t turn = 0;         ///< Hash of the message of that start or end.
    std::uint64_t began = 0;        ///< Line of that message.
    std::uint32_t first_lines = 0;  ///< Number of lines kept as the first lines of the process.
  };

  /// The kept calls of one kind on one communicator: the first few and the last few.
  struct Window {
    std::uint64_t count = 0;
    std::vector<std::size_t> recent;  ///< Ring buffer of the last calls, as indices of records.
  };

  /// Adds a collective call. The first `kept` and the last few calls of each communicator are kept.
  void add_call(const Record& record, std::uint64_t process, std::uint64_t kept);
  /// Keeps a fact of another tool's output, even if an equal one was kept. Beyond max_facts, only counts it as left
  /// out.
  void add_fact(const Record& record);
  /// Adds a record that shows only that its process printed a line.
  void add_unused(const Record& record, std::uint64_t process, std::uint64_t kept);
  /// Adds a record with this key. The first `kept` records of a key are kept, and one more represents all others.
  void add_alike(const Record& record, std::uint64_t key, std::uint64_t kept);
  /// Returns a hash of the values that must be equal for a record to count as a repetition.
  std::uint64_t key_of(const Record& record, std::uint64_t process, std::uint64_t turn);
  /// Returns the index of the record's origin in SummaryPiece::origins. Adds the origin if it is new.
  std::uint32_t origin_of(const Record& record);
  SummaryRecord made_of(const Record& record);
  /// Makes equal messages share their storage.
  void share_message(SummaryRecord& made);
  void keep(const Record& record);
  /// Keeps the first of several connection records that differ only in the channel, and adds the channels of the others
  /// to it. Returns false if the caller must keep the record: it is no such record, or repeats a channel too often.
  bool add_to_group(const Record& record, const Lifetime& life);

  std::size_t max_processes_;
  SummaryPiece part_;
  std::uint64_t now_ = 0;     ///< The highest line number so far.
  IndexTable origin_index_;   ///< Indexes part_.origins.
  Table<Text> messages_;      ///< Distinct messages; the ranks of a job print many equal ones.
  IndexTable message_index_;  ///< Indexes messages_.
  HashMap<Kind> kinds_;
  HashMap<Lifetime> lives_;       ///< By process.
  HashMap<std::uint64_t> turns_;  ///< Number of starts and ends of communicators, by process and pointer.
  HashMap<Window> windows_;
  std::uint64_t facts_ = 0;           ///< Number of facts from other tools' output.
  HashMap<std::uint32_t> groups_;     ///< 1 + index of the kept record, by origin and message without channel.
  HashMap<std::uint64_t> differing_;  ///< Number of different messages, by kind of event.
};

}  // namespace nccl_analyze::builder
