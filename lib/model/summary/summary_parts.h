#pragma once
/// The contents of a Summary: for each source, its origins and the records that a model uses.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/event_text.h"
#include "nccl_analyze/containers.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/summary.h"

namespace nccl_analyze {

/// The origin of records, and the text before their message.
struct SummaryOrigin {
  Text host, pod, container, location;
  Text tag;  ///< launcher_tag() of Origin::decoration.
  std::int64_t pid = -1, tid = -1;
  int device = -1;
  Level level = Level::info;
  /// The text before the message, if it differs from usual_prefix().
  Boxed<std::string> before;
  friend auto operator<=>(const SummaryOrigin&, const SummaryOrigin&) = default;
};

/// How the parser read a message: as a row of the message table, as unrecognised, as damaged, or by a known phrase in
/// it.
enum class ReadAs : std::uint8_t { row, unrecognized, damaged, phrase };
std::string_view to_string(ReadAs read_as);

/// Members that only few records have. `Letters`: Text, or std::string_view of an UnpackedPiece.
template <class Letters>
struct SummaryRestOf {
  /// For a record reassembled from several lines, the line at which it was complete. Else 0.
  std::uint64_t read_at = 0;
  Letters completed;        ///< Record::completed
  EventText event;          ///< The event of a fact (Record::is_fact), whose message holds Record::text.
  Letters text;             ///< The text of the record, if it is not the origin's prefix followed by the message.
  Letters timestamp, time;  ///< Origin::timestamp and collected_at(), if is_timed().
  /// Line and channel of further records whose messages differ only in the `Channel NN` at the start.
  std::vector<std::pair<std::uint64_t, int>> channels;
  friend auto operator<=>(const SummaryRestOf&, const SummaryRestOf&) = default;
};
using SummaryRest = SummaryRestOf<Text>;

/// A kept record. Its message is matched again when the summary is replayed, so that only facts store their event.
template <class Letters>
struct SummaryRecordOf {
  std::uint64_t line = 0;
  std::uint64_t times = 1;   ///< Number of equal records that this record represents; it is the last one of them.
  std::uint32_t origin = 0;  ///< Index in SummaryPiece::origins.
  Damage damage = Damage::none;
  ReadAs read_as = ReadAs::row;
  Letters message;
  Boxed<SummaryRestOf<Letters>> rest;
  std::uint64_t read_at() const { return rest && rest->read_at != 0 ? rest->read_at : line; }
  friend auto operator<=>(const SummaryRecordOf&, const SummaryRecordOf&) = default;
};
using SummaryRecord = SummaryRecordOf<Text>;
using SummaryRecordView = SummaryRecordOf<std::string_view>;

/// The identity and the counts of a source, or of a part of a source.
struct SummaryHead {
  std::string name;
  std::uint64_t lines_before = 0;  ///< Lines of the source before this part.
  ParseStats stats;
  /// Number of records that are not kept because of the limits on processes and on facts from other tools' output. They
  /// count in Model::dropped.
  std::uint64_t left_out = 0;
  friend auto operator<=>(const SummaryHead&, const SummaryHead&) = default;
};

/// A count of ParseStats that files hold under this name.
struct CountOfPiece {
  std::string_view name;
  std::uint64_t ParseStats::*count;
  bool is_always_written = false;  ///< Others are left out if they are 0.
};
inline constexpr CountOfPiece counts_of_piece[] = {
    {"bytes", &ParseStats::bytes, true},           {"lines", &ParseStats::lines, true},
    {"nccl_lines", &ParseStats::nccl_lines, true}, {"unrecognized", &ParseStats::unrecognized, true},
    {"malformed", &ParseStats::malformed, true},   {"truncated", &ParseStats::truncated, true},
    {"ends_early", &ParseStats::ends_early},       {"newest_first", &ParseStats::newest_first},
    {"reversed", &ParseStats::reversed},           {"pickles", &ParseStats::pickles},
    {"program_texts", &ParseStats::program_texts}, {"trained_at", &ParseStats::trained_at}};

/// A source, or a part of a source.
struct SummaryPiece : SummaryHead {
  std::vector<SummaryOrigin> origins;
  std::vector<SummaryRecord> records;  ///< Sorted by read_at().
  friend auto operator<=>(const SummaryPiece&, const SummaryPiece&) = default;
};

/// A piece whose origins and records are compressed, because a merge holds all pieces of a job: a rank takes a few
/// hundred bytes instead of several thousand.
struct PackedPiece {
  SummaryHead head;
  Shared<std::string> body;   ///< Compressed by pack().
  std::size_t body_size = 0;  ///< Size of the body in bytes before compression.
  /// Orders pieces by their unpacked contents.
  friend bool operator<(const PackedPiece& a, const PackedPiece& b);
};

PackedPiece pack(const SummaryPiece& piece);
SummaryPiece unpack(const PackedPiece& packed);

/// A piece whose records are views of one text.
struct UnpackedPiece {
  std::string text;
  std::vector<SummaryOrigin> origins;
  std::vector<SummaryRecordView> records;  ///< As SummaryPiece::records.
};

/// Unpacks piece after piece into the same memory, which is faster than a SummaryPiece for each.
class Unpacker {
 public:
  Unpacker();
  Unpacker(Unpacker&&) noexcept;
  ~Unpacker();
  /// The result is valid until the next call.
  const UnpackedPiece& unpack(const PackedPiece& packed);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The pieces of a Summary, each with its writers.
using PackedPieces = std::map<PackedPiece, std::set<SummaryWriter>>;

/// Access to the pieces of a Summary, for the reader and the writer of summary files.
class SummaryParts {
 public:
  /// Returns the pieces, sorted by name and position. Parts of one source are separate pieces.
  static const PackedPieces& of(const Summary& summary);
  static void add(Summary& summary, SummaryPiece piece, const std::set<SummaryWriter>& writers = {});

  /// Does what Summary::replay() does, and frees each source as soon as it is replayed.
  static void replay_and_empty(Summary&& summary, ModelBuilder& builder);

  /// Returns a copy, which shares the bodies of the pieces. All sources must have ended.
  static Summary copy_of(const Summary& summary);

  /// The writers, including those without pieces, and the inputs that each of them could not read.
  using Writers = std::map<SummaryWriter, std::set<std::string>>;
  static const Writers& writers_of(const Summary& summary);
  static void add(Summary& summary, const SummaryWriter& writer, std::set<std::string> left_out);
  /// Makes `writer` the writer of all pieces that have none.
  static void sign(Summary& summary, const SummaryWriter& writer);
};

}  // namespace nccl_analyze
