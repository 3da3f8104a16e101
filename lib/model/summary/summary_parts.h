#pragma once
/// What a Summary holds: of each source its origins and the records that a model uses.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Who printed records, and what stands before their message.
struct SummaryOrigin {
  Text host, pod, container, location;
  std::int64_t pid = -1, tid = -1;
  int device = -1;
  Level level = Level::info;
  /// From the prefix to the message, where it is not usual_prefix().
  Boxed<std::string> before;
  friend auto operator<=>(const SummaryOrigin&, const SummaryOrigin&) = default;
};

/// `worker-0:152:386 [0] NCCL INFO `, which stands before most messages.
std::string usual_prefix(const SummaryOrigin& origin);

/// Whether a message is read as a row of the table has it, or for the well-known phrase in it.
enum class ReadAs : std::uint8_t { row, unrecognized, damaged, phrase };
std::string_view to_string(ReadAs read_as);

/// What few records have.
struct SummaryRest {
  /// Line that ended the record, where that is another than its first one: it was put together from several. Else 0.
  std::uint64_t read_at = 0;
  Text completed;        ///< Record::completed
  Text text;             ///< The record's text where it is not the origin's `before` and the message.
  Text timestamp, time;  ///< Origin::timestamp and collected_at() of a line whose time a model uses.
  /// The same line for other channels: line and channel. Only after `Channel NN`.
  std::vector<std::pair<std::uint64_t, int>> channels;
  friend auto operator<=>(const SummaryRest&, const SummaryRest&) = default;
};

struct SummaryRecord {
  std::uint64_t line = 0;
  std::uint64_t times = 1;   ///< How many alike it stands for; the last of them is here.
  std::uint32_t origin = 0;  ///< Index into SummaryPiece::origins.
  Damage damage = Damage::none;
  ReadAs read_as = ReadAs::row;
  Text message;
  Boxed<SummaryRest> rest;
  std::uint64_t read_at() const { return rest && rest->read_at != 0 ? rest->read_at : line; }
  friend auto operator<=>(const SummaryRecord&, const SummaryRecord&) = default;
};

/// A source, or a part of one.
struct SummaryPiece {
  std::string name;
  std::uint64_t lines_before = 0;  ///< Lines of the source before this part.
  ParseStats stats;
  /// Records of processes beyond the summary's limit, which a model would not keep either.
  std::uint64_t left_out = 0;
  std::vector<SummaryOrigin> origins;
  std::vector<SummaryRecord> records;  ///< Sorted by read_at().
  friend auto operator<=>(const SummaryPiece&, const SummaryPiece&) = default;
};

/// The parts of a summary and of its file: the reader adds them, the writer reads them.
class SummaryParts {
 public:
  /// Sorted by name and place. Parts of one source are kept apart.
  static const std::vector<SummaryPiece>& of(const Summary& summary);
  static void add(Summary& summary, SummaryPiece piece);
};

}  // namespace nccl_analyze
