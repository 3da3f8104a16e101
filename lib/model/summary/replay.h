#pragma once
// Passes the records of summaries to a model builder, after matching their messages again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"
#include "messages/message_cache.h"
#include "model/build/builder.h"
#include "model/summary/summary_parts.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze::builder {

/// Replays pieces of summaries in the order of their sources. Must not outlive the model builder.
class Replay {
 public:
  explicit Replay(ModelBuilder& builder) : builder_(builder.impl()) {}

  void begin_source(SourceId source) {
    source_ = source;
    senders_ = 0;
  }
  /// Replays a piece of the source.
  void play(const PackedPiece& packed);

 private:
  /// A record to replay: a kept record (channel -1), or its repetition for another channel.
  struct Place {
    std::uint64_t line = 0, read_at = 0;
    std::uint32_t record = 0;  ///< Index in UnpackedPiece::records.
    int channel = -1;
  };

  /// A record, and the texts of its views. Not moved while it is in use.
  struct Shown {
    std::uint64_t number = 0;  ///< Of the kept record, counted over all pieces from 1 on; 0 = none.
    Record record;
    std::string text, message;
    ReplayedRecord replayed;
    /// Number of digits of the channel at the start of the message, if the record for another channel with as many
    /// digits is certain to differ in these digits alone; else 0.
    std::size_t digits = 0;
    std::uint64_t run = 0;      ///< The run in which the record was replayed last.
    std::uint32_t in_run = 0;   ///< How often it was replayed in this run.
    std::uint64_t waiting = 0;  ///< Number of its lines that wait for the end of the run.
    Place last;                 ///< The last one of these.
  };

  /// What lines of one run have in common.
  struct RunKey {
    std::uint32_t origin = 0;
    int self = -1;           ///< The printing rank; -1: the line is in no run.
    std::uint64_t comm = 0;  ///< The communicator's pointer, which only RCCL prints.
    friend bool operator==(const RunKey&, const RunKey&) = default;
  };
  static RunKey run_key_of(const Shown& shown, std::uint32_t origin);
  bool wait_for_run(Shown& shown, const Place& place, std::uint64_t number);
  void note_run(Shown& shown, std::uint32_t origin);
  void end_waiting();

  void find_places(const std::vector<SummaryRecordView>& records);
  void sort_places();
  void set_prefixes(const std::vector<SummaryOrigin>& origins);
  bool change_channel(Shown& shown, const Place& place) const;
  void set_record(Shown& shown, const UnpackedPiece& piece, const Place& place);
  void set_texts(Shown& shown, const SummaryRecordView& kept, std::string_view text, int channel);
  static bool set_fact(Shown& shown, const SummaryRestOf<std::string_view>& rest);
  void set_event(Shown& shown, const SummaryRecordView& kept, std::string_view completed);
  void set_row(Shown& shown, std::string_view completed);

  Builder& builder_;
  SourceId source_{};
  std::uint64_t senders_ = 0;   ///< The origins of the source's pieces before this one.
  std::uint64_t numbered_ = 0;  ///< The records of all pieces before this one.
  Unpacker unpacker_;
  std::vector<Place> places_;
  std::vector<Place> sorted_;          ///< Memory for sort_places().
  std::vector<std::uint32_t> begins_;  ///< As well: for each line, the position of its places.
  std::vector<std::string> prefixes_;  ///< The text before the messages of each origin of the piece.
  const Matcher& matcher_ = standard_matcher();
  MessageCache messages_{standard_matcher()};
  Shown single_;  ///< The current record, if it has no channels.
  /// Recent records with channels, by their numbers: the connections of a rank alternate between its peers and NICs.
  /// A run are consecutive lines of a thread in which one rank lists connections. See wait_for_run().
  std::uint64_t run_ = 0;
  RunKey run_key_;
  std::vector<Shown*> waiting_;  ///< Records with lines that wait for the end of the run.
  std::vector<Shown> with_channels_ = std::vector<Shown>(128);
};

}  // namespace nccl_analyze::builder
