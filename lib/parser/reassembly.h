#pragma once
// Reassembles records whose rest stands on a later line: another process interleaved with them, a terminal wrapped
// them, or a log collector split them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"
#include "nccl_analyze/parser.h"
#include "parser/wrapped_head.h"
#include "text/prefix.h"

namespace nccl_analyze {

inline constexpr std::size_t wrap_width = 79;  ///< Columns; shorter lines are not taken for wrapped ones.

/// A substring as positions, which stay valid when the text grows.
struct Slice {
  std::size_t at = 0, size = 0;
  std::string_view of(std::string_view text) const { return {text.data() + at, size}; }
};

/// A copy of a record whose rest may be on a later line.
struct PendingRecord {
  std::string text;                  ///< The record so far.
  std::string decoration;            ///< The text before it on its line.
  std::string pod, container, time;  ///< As in Origin.
  Slice host, timestamp, location;   ///< Slices of `text`.
  std::int64_t pid = -1, tid = -1;
  int device = -1;
  Level level = Level::info;
  bool has_prefix = false;
  std::uint64_t line = 0;
  std::size_t line_size = 0;      ///< Bytes of its line if it stood at the end of that; else 0.
  std::size_t certain_size = 0;   ///< Bytes of `text` that are certainly the record's; 0: all of them.
  std::size_t message = 0;        ///< Position of the message in `text`.
  int lines_left = 1;             ///< Number of later lines in which the rest is still searched.
  Damage fallback = Damage::cut;  ///< Its damage if no rest is found; none: it is complete without one.
  bool partial = false;           ///< The container runtime split its line: the next line of the stream continues it.
  bool wrapped = false;           ///< Its line has the width at which a terminal wrapped other lines.
  bool blank_end = false;         ///< Its last line ended with a blank.
  bool open_end = false;          ///< Another record follows directly: this one was interleaved, or lacks its newline.
  bool ends_in_value = false;     ///< The match so far ends in a number or choice, not in free text.
  bool stray_line = false;        ///< A line without a record came later, which may be the rest of any record.

  /// A copy of a record found in a line. Its message runs to the end of its text.
  static PendingRecord of(const RecordView& found);
  /// The record as views into this object.
  RecordView view() const;
};

/// The pending records of a source, at most max_pending, and at most one line that a terminal may have wrapped inside a
/// record's prefix.
class Reassembly {
 public:
  explicit Reassembly(const Matcher& matcher) : matcher_(matcher) {}

  /// Whether the next line must be offered, whatever it holds.
  bool waiting() const { return !pending_.empty() || width_ != 0 || !head_.empty(); }
  bool has_records() const { return !pending_.empty(); }

  /// False when max_pending records are pending: the caller keeps the record.
  bool add(const PendingRecord& pending);
  /// Appends `line` to the pending record that it continues, if it continues exactly one; returns whether it does. A
  /// line that has a record of its own is passed up to that, with `has_record`. Moves records to `finished` that are
  /// complete, or whose rest did not come in time.
  bool offer_line(std::string_view line, bool has_record, std::vector<PendingRecord>& finished);
  /// Whether `line` completes a pending record.
  bool completes_any(std::string_view line);
  /// Whether `line` completes or continues a pending record.
  bool continues_any(std::string_view line);
  /// If `host` ends with the host of a pending record: the number of bytes before that. Else 0.
  std::size_t bytes_before_host_in(std::string_view host) const;
  /// Moves all records to `finished`.
  void finish(std::vector<PendingRecord>& finished);

  /// Whether a terminal wrapped other lines at `size`, so that a record at the end of such a line may lack its rest. A
  /// row that ends in literals proves its record complete.
  bool is_wrapped_here(const Row& row, std::size_t size) const { return row.end != RowEnd::words && size == width_; }
  /// Learns the terminal's width from a record that was wrapped and reassembled.
  void note_width(const PendingRecord& pending);

  /// Keeps a line without a record that a terminal may have wrapped inside a prefix: its length is the terminal's
  /// width, or it ends within ` NCCL WARN`.
  void keep_head(std::string_view line, std::uint64_t number);
  /// Whether a record begins in the kept head and ends in `line`. Then `line` becomes both lines together, valid until
  /// the next call, `found` their records, and `number` the number of the first line. Drops the head in any case.
  bool reassemble_head(std::string_view& line, std::vector<RecordView>& found, std::uint64_t& number);
  void drop_head() { head_.drop(); }

 private:
  /// How a line fits as the rest of a pending record.
  enum class Fit : std::uint8_t {
    none,
    possible,   ///< No row matches, but the line before had the terminal's width.
    beginning,  ///< Both together are the beginning of a row.
    whole       ///< Both together match a row.
  };
  /// A line as the rest of a pending record.
  struct Candidate {
    std::string_view rest, between;  ///< The line without its decoration, and what is inserted before it.
    Fit fit = Fit::none;
    bool ambiguous = false;  ///< It fits both with and without a blank in between.
  };
  Candidate continuation(const PendingRecord& pending, std::string_view line);
  PendingRecord* find_owner(std::string_view line, bool has_record, Candidate& best);
  static void append(PendingRecord& pending, const Candidate& candidate, std::string_view line);
  void move_expired(std::vector<PendingRecord>& finished);
  Fit fit(const PendingRecord& pending, std::string_view rest, std::string_view between);
  bool is_proven(const PendingRecord& pending, const Row& row);

  static constexpr std::size_t max_pending = 8;
  static constexpr std::size_t max_text = 8192;  ///< Bytes; NCCL's longest records have half as many.
  const Matcher& matcher_;
  std::vector<PendingRecord> pending_;
  std::string combined_;
  Event event_;
  std::size_t width_ = 0;  ///< Width of the terminal that wrapped lines of this source; 0: unknown.
  WrappedHead head_;
};

}  // namespace nccl_analyze
