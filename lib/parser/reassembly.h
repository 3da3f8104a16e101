#pragma once
// Records whose rest may stand on a later line: torn by another process, wrapped by a terminal, split by a collector.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"
#include "nccl_analyze/parser.h"
#include "parser/wrapped_head.h"
#include "text/prefix.h"

namespace nccl_analyze {

inline constexpr std::size_t wrap_width = 79;  ///< The narrowest terminal that people paste from.

/// A part of a text, as a place in it.
struct Part {
  std::size_t at = 0, size = 0;
  std::string_view of(std::string_view text) const { return {text.data() + at, size}; }
};

/// A record in bytes of its own that waits for its rest.
struct PendingRecord {
  std::string text;        ///< The record so far.
  std::string decoration;  ///< What stood before it on its line.
  std::string pod, container, time;
  Part host, timestamp, location;  ///< Of `text`.
  std::int64_t pid = -1, tid = -1;
  int device = -1;
  Level level = Level::info;
  bool has_prefix = false;
  std::uint64_t line = 0;
  std::size_t line_size = 0;       ///< Of the line that it stood at the end of.
  std::size_t sure = 0;            ///< How much of `text` is known to be the record's; 0: all of it.
  std::size_t message = 0;         ///< Where the message begins in `text`.
  int lines_left = 1;              ///< Lines that may still bring the rest.
  Damage otherwise = Damage::cut;  ///< What it is when the rest does not come; none: complete as it is.
  bool partial = false;            ///< The collector says that the next line goes on with it, whatever it holds.
  bool wrapped = false;            ///< Its line is as long as those that a terminal wrapped.
  bool blank_end = false;          ///< Its last line ended in a blank.
  bool open_end = false;       ///< Another record follows without a blank: complete only if its newline comes alone.
  bool ends_in_value = false;  ///< A number or a choice, not free text.
  bool stray_line = false;     ///< A line came that may be the rest of something.

  /// A copy of what was found in a line; the message runs to the end of its text.
  static PendingRecord of(const RecordView& one);
  /// What it is now: views into this object.
  RecordView view() const;
};

/// What waits for the next lines of a source: records, and the head of a line that a terminal may have wrapped before
/// it came to a record. All of it is bounded.
class Reassembly {
 public:
  explicit Reassembly(const Matcher& matcher) : matcher_(matcher) {}

  /// The next line is needed, whatever it holds.
  bool waiting() const { return !waiting_.empty() || width_ != 0 || !head_.empty(); }
  bool has_records() const { return !waiting_.empty(); }

  /// False when too many wait already.
  bool add(const PendingRecord& pending);
  /// Gives a line, or what stands before its first record, to the record that it completes: to the only one, or to
  /// none. Completed records and those whose time is over are moved to `done`. `whole` when the line has no record.
  /// Whether a record took the line.
  bool next_line(std::string_view line, bool whole, std::vector<PendingRecord>& done);
  /// Whether a line makes one of the records whole.
  bool completed_by(std::string_view line);
  /// Whether a line makes one of them whole or longer.
  bool continued_by(std::string_view line);
  /// Length of what stands before the host of a waiting record at the end of `host`; 0 when nothing does.
  std::size_t bytes_before_host_in(std::string_view host) const;
  void finish(std::vector<PendingRecord>& done);

  /// A record whose line has this size: a terminal has wrapped others there.
  bool is_wrapped_here(const Row& row, std::size_t size) const { return row.end != RowEnd::words && size == width_; }
  /// Takes note of the width at which a record was wrapped.
  void note_width(const PendingRecord& pending);

  /// Keeps a line without a record for the next, if a terminal may have wrapped it before it came to one: it is as long
  /// as others that were wrapped, or ends within the level.
  void keep_head(std::string_view line, std::uint64_t number);
  /// Whether the head that is kept and `line` hold a record together that begins in the head. Then `line` is both until
  /// the next call, `found` has their records, and `number` is the head's. The head is forgotten.
  bool reassemble_head(std::string_view& line, std::vector<RecordView>& found, std::uint64_t& number);
  void drop_head() { head_.drop(); }

 private:
  /// `possible`: only the width of the line says that it goes on with the pending.
  enum class Fit : std::uint8_t { none, possible, beginning, whole };
  /// What a line could add to a pending.
  struct Offer {
    std::string_view rest, between;
    Fit fit = Fit::none;
    bool ambiguous = false;  ///< Fits as it is and with a blank before it.
  };
  Offer offer(const PendingRecord& pending, std::string_view line);
  static void take(PendingRecord& pending, const Offer& offered, std::string_view line);
  Fit fit(const PendingRecord& pending, std::string_view rest, std::string_view between);
  bool is_proven(const PendingRecord& pending, const Row& row);

  static constexpr std::size_t max_waiting = 8;
  static constexpr std::size_t max_text = 8192;  ///< NCCL's longest lines are half of it.
  const Matcher& matcher_;
  std::vector<PendingRecord> waiting_;
  std::string combined_;
  Event event_;
  std::size_t width_ = 0;  ///< At which a terminal wrapped a line of this source; 0: none seen.
  WrappedHead head_;
};

}  // namespace nccl_analyze
