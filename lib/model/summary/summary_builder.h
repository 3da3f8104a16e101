#pragma once
// Distils the records of one source: keeps what a model uses, counts what repeats.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/flat_tables.h"
#include "nccl_analyze/summary.h"

namespace nccl_analyze::builder {

/// `Channel 07`, as NCCL begins the lines of a channel.
std::string channel_head(int channel);

class Distiller {
 public:
  explicit Distiller(std::size_t max_processes) : max_processes_(max_processes) {}
  void add(const Record& record);
  /// What was kept, in the order of its reading; the distiller is spent.
  SummaryPiece finish();

 private:
  /// Records of which the first few are kept and the rest is counted.
  struct Class {
    std::uint32_t kept = 0;
    std::uint32_t last = 0;  ///< Index of the record that stands for the rest.
  };

  /// What follows a line that begins or ends a communicator's life.
  struct Life {
    std::uint64_t turn = 0;         ///< Hash of that line's message.
    std::uint64_t began = 0;        ///< Where it was read.
    std::uint32_t first_lines = 0;  ///< Of the process that were kept because they are its first.
  };

  /// Calls of one kind on one communicator: the first few and the last few.
  struct Window {
    std::uint64_t count = 0;
    std::vector<std::size_t> recent;  ///< Indices of records; each at its number modulo the window's size.
  };

  void add_call(const Record& record, std::uint64_t process, std::uint64_t kept);
  std::uint32_t origin_of(const Record& record);
  SummaryRecord made_of(const Record& record);
  void share_message(SummaryRecord& made);
  void keep(const Record& record);
  bool add_to_group(const Record& record, const Life& life);

  std::size_t max_processes_;
  SummaryPiece piece_;
  std::uint64_t now_ = 0;       ///< The furthest line.
  IndexTable origin_index_;     ///< Of piece_.origins.
  std::vector<Text> messages_;  ///< What different records say: all ranks of a job print many of the same.
  IndexTable message_index_;    ///< Of messages_.
  HashMap<Class> classes_;
  HashMap<Life> lives_;           ///< Of a process, the last that began.
  HashMap<std::uint64_t> turns_;  ///< Of a communicator's pointer in a process.
  HashMap<Window> windows_;
  HashMap<std::uint32_t> groups_;  ///< 1 + index of the first record of channels, by the message without its channel.
  HashMap<std::uint64_t> differing_;  ///< By kind of event: how many different texts.
};

}  // namespace nccl_analyze::builder
