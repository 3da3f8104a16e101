#pragma once
// Summarises the records of one source: keeps what a model uses, counts what repeats.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/flat_tables.h"
#include "model/summary/summary_parts.h"
#include "nccl_analyze/containers.h"

namespace nccl_analyze::builder {

/// `Channel 07`, as NCCL begins the lines of a channel.
std::string channel_head(int channel);

class SummaryBuilder {
 public:
  explicit SummaryBuilder(std::size_t max_processes) : max_processes_(max_processes) {}
  void add(const Record& record);
  /// The records that were kept, in the order in which they were read; the builder is spent.
  SummaryPiece finish();

 private:
  /// Equal records, of which the first few are kept and the rest is counted.
  struct Kind {
    std::uint32_t kept = 0;
    std::uint32_t last = 0;  ///< Index of the record that stands for the rest.
  };

  /// The time of a process since a communicator of it began or ended.
  struct Life {
    std::uint64_t turn = 0;         ///< Hash of the message that began or ended the communicator.
    std::uint64_t began = 0;        ///< Line of that message.
    std::uint32_t first_lines = 0;  ///< How many lines of the process were kept as its first.
  };

  /// Calls of one kind on one communicator: the first few and the last few.
  struct Window {
    std::uint64_t count = 0;
    std::vector<std::size_t> recent;  ///< Indices of records; each at its number modulo the window's size.
  };

  /// Adds a collective call: the first `kept` and the last few of each communicator are kept.
  void add_call(const Record& record, std::uint64_t process, std::uint64_t kept);
  /// Adds a record that shows no more than that its process printed a line.
  void add_unused(const Record& record, std::uint64_t process, std::uint64_t kept);
  /// Adds one of the records that have the key: `kept` of them are kept, and the last stands for the rest.
  void add_alike(const Record& record, std::uint64_t key, std::uint64_t kept);
  /// A hash of what must be equal in records that one stands for.
  std::uint64_t key_of(const Record& record, std::uint64_t process, std::uint64_t turn);
  /// Index into SummaryPiece::origins.
  std::uint32_t origin_of(const Record& record);
  SummaryRecord made_of(const Record& record);
  /// Lets equal messages share their text.
  void share_message(SummaryRecord& made);
  void keep(const Record& record);
  /// Adds the record to the first one that differs from it in nothing but the channel. False when it must be kept
  /// alone.
  bool add_to_group(const Record& record, const Life& life);

  std::size_t max_processes_;
  SummaryPiece part_;
  std::uint64_t now_ = 0;     ///< The highest line number so far.
  IndexTable origin_index_;   ///< Indexes part_.origins.
  Table<Text> messages_;      ///< The distinct messages, each stored once: the ranks of a job print many equal ones.
  IndexTable message_index_;  ///< Indexes messages_.
  HashMap<Kind> kinds_;
  HashMap<Life> lives_;           ///< By process.
  HashMap<std::uint64_t> turns_;  ///< How many times a communicator's pointer began or ended, by process and pointer.
  HashMap<Window> windows_;
  HashMap<std::uint32_t> groups_;  ///< 1 + index of the first record of channels, by the message without its channel.
  HashMap<std::uint64_t> differing_;  ///< How many different texts there are, by kind of event.
};

}  // namespace nccl_analyze::builder
