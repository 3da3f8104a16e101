#pragma once
// Reassembles records whose rest is on a later line, because another process interrupted them, a terminal wrapped them
// or a log collector split them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/matcher.h"
#include "nccl_analyze/parser.h"
#include "parser/wrapped_head.h"
#include "text/prefix.h"

namespace nccl_analyze {

inline constexpr std::size_t wrap_width = 79;  ///< Lines with fewer columns are assumed not to be wrapped.

/// The position and size of a substring, which remain valid when the text grows.
struct Slice {
  std::size_t at = 0, size = 0;
  std::string_view of(std::string_view text) const { return {text.data() + at, size}; }
};

/// A copy of a record whose rest may be on a later line.
struct PendingRecord {
  std::string text;                  ///< The part of the record that was found so far.
  std::string quote;                 ///< The same part, literally as in its lines; see RecordView::quote.
  std::string decoration;            ///< The text before the record on its line.
  std::string pod, container, time;  ///< As in Origin.
  Slice host, timestamp, location;   ///< Slices of `text`.
  std::int64_t pid = -1, tid = -1;
  int device = -1;
  Level level = Level::info;
  bool has_prefix = false;
  std::uint64_t line = 0, last_line = 0;  ///< The lines of its first and its last part.
  std::size_t line_size = 0;              ///< Size of the record's line if the record was at its end; else 0.
  /// Bytes of `text` and of `quote` that certainly belong to the record; 0: all of them.
  std::size_t certain_size = 0, certain_quote = 0;
  std::size_t message = 0;        ///< Position of the message in `text`.
  int lines_left = 1;             ///< Number of further lines in which the rest is searched.
  Damage fallback = Damage::cut;  ///< The damage if no rest is found; Damage::none if the record is then complete.
  bool partial = false;  ///< Whether the container runtime split the line; the stream's next line continues the record.
  bool wrapped = false;  ///< Whether the line is as wide as other lines that a terminal wrapped.
  bool blank_end = false;  ///< Whether the record's last line ended with a blank.
  /// Whether another record directly follows: this record was interrupted, or its newline was lost.
  bool open_end = false;
  bool ends_in_value = false;  ///< Whether the match so far ends with a number or choice, not with free text.
  bool stray_line = false;     ///< Whether a later line had no record and may be the rest of any record.

  /// Copies a record that was found in a line. Its message must extend to the end of its text.
  static PendingRecord of(const RecordView& found);
  /// Returns the record, with views into this object.
  RecordView view() const;
  /// Appends a part, which is in line `number`. `follows`: whether there is nothing between it and the previous part.
  void append(std::string_view between, std::string_view part, std::uint64_t number, bool follows);
  /// Removes what does not certainly belong to the record.
  void keep_certain();
};

/// The pending records of a source (at most max_pending), and at most one line that a terminal may have wrapped inside
/// a record's prefix.
class Reassembly {
 public:
  explicit Reassembly(const Matcher& matcher) : matcher_(matcher) {}

  /// Whether the next line must be passed to offer_line(), even if it has no keyword.
  bool waiting() const { return !pending_.empty() || width_ != 0 || !head_.empty(); }
  bool has_records() const { return !pending_.empty(); }

  /// Adds a pending record. Returns false if there are max_pending records already; the caller must then emit the
  /// record.
  bool add(const PendingRecord& pending);
  /// Finds the pending record that `line` continues best, and appends the rest of the record to it. Returns false if no
  /// record fits, or if two fit equally well. If the cut may be inside a number or between two numbers, nothing is
  /// appended, and the result is true. `number`: the number of the line. If the line has a record, `line` must be the
  /// text before that record, and `has_record` true. Moves to `finished` all records that are complete or whose rest
  /// was not found in time.
  bool offer_line(std::string_view line, std::uint64_t number, bool has_record, std::vector<PendingRecord>& finished);
  /// Whether `line` completes a pending record.
  bool completes_any(std::string_view line);
  /// Whether `line` completes a pending record or may be a further part of one.
  bool continues_any(std::string_view line);
  /// Returns the number of bytes in `host` before the host of a pending record, if `host` ends with it; else 0.
  std::size_t bytes_before_host_in(std::string_view host) const;
  /// Moves all records to `finished`.
  void finish(std::vector<PendingRecord>& finished);

  /// Whether a record that `row` matches may lack its rest because its line is `size` bytes wide, the width at which a
  /// terminal wrapped other lines. A record of a row that ends with a literal is complete.
  bool is_wrapped_here(const Row& row, std::size_t size) const { return row.end != RowEnd::words && size == width_; }
  /// Sets the terminal's width if `pending` was wrapped and reassembled.
  void note_width(const PendingRecord& pending);

  /// Keeps a line without a record if a terminal may have wrapped it inside a prefix: the line has the terminal's width
  /// or, if that is unknown, ends within ` NCCL WARN`.
  void keep_head(std::string_view line, std::uint64_t number);
  /// Whether a record starts in the kept head and continues in `line`. If so, sets `line` to the concatenation of head
  /// and line (valid until the next call), `found` to its records, and `number` to the number of the first line. In any
  /// case, drops the head.
  bool reassemble_head(std::string_view& line, std::vector<RecordView>& found, std::uint64_t& number);
  void drop_head() { head_.drop(); }

 private:
  /// How certainly a line is the rest of a pending record.
  enum class Fit : std::uint8_t {
    none,
    /// No row matches, but the line may be a part of a wrapped record, because it is as wide as the record's line.
    possible,
    beginning,  ///< Record and line together are a prefix of a row's message.
    whole       ///< Record and line together match a row.
  };
  /// A line that may be the rest of a pending record.
  struct Candidate {
    std::string_view rest, between;  ///< `rest`: the line without decoration; `between`: text to insert before it.
    Fit fit = Fit::none;
    bool ambiguous = false;  ///< Whether the cut is between two numbers that may also be one number.
  };
  Candidate continuation(const PendingRecord& pending, std::string_view line);
  PendingRecord* find_owner(std::string_view line, bool has_record, Candidate& best);
  static void append(PendingRecord& pending, const Candidate& candidate, std::string_view line, std::uint64_t number);
  void move_expired(std::vector<PendingRecord>& finished);
  Fit fit(const PendingRecord& pending, std::string_view rest, std::string_view between);
  bool is_proven(const PendingRecord& pending, const Row& row);

  static constexpr std::size_t max_pending = 8;
  static constexpr std::size_t max_text = 8192;  ///< In bytes; twice the longest record (RCCL: 4095 bytes).
  const Matcher& matcher_;
  std::vector<PendingRecord> pending_;
  std::string combined_;
  Event event_;
  std::size_t width_ = 0;  ///< Width of the terminal that wrapped lines of this source; 0: unknown.
  WrappedHead head_;
};

}  // namespace nccl_analyze
