#pragma once
// What a parser has between two lines, and what it does with one. known_line.cc reads nearly all of NCCL's lines;
// any_line.cc can read every line; record.cc makes records of what either found.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "messages/matcher.h"
#include "messages/recognizer.h"
#include "nccl_analyze/parser.h"
#include "parser/fragments.h"
#include "parser/outside.h"
#include "text/encoding.h"
#include "text/lines.h"
#include "text/prefix.h"
#include "text/unmarked.h"

namespace nccl_analyze {

/// What a collector's JSON says of a line beside its text.
struct Beside {
  std::string_view pod, container, time;
};

struct Parser::Impl {
  static constexpr std::size_t buffer_sizes[] = {1023, 4095};  ///< NCCL's for a line, and RCCL's since ROCm 6.2
  static constexpr std::size_t max_beginning = 1023;           ///< Longer ones are not cut by accident.

  SourceId source;
  Sink sink;
  LineSplitter splitter;
  Decoder decoder = {};
  const Matcher& matcher = standard_matcher();
  Recognizer recognizer{matcher};
  Fragments fragments{matcher};
  OutsideReader outside{matcher};
  Speakers speakers{};
  ParseStats stats = {};
  Record record = {};
  bool tidy = false;                                   ///< The line at hand is read again without markup.
  bool at_end = false;                                 ///< The line at hand has no newline: the input ends with it.
  std::uint64_t numbered_line = 0, number_offset = 0;  ///< Of the last host that begins with a number.
  std::size_t line_size = 0;                           ///< Of the line at hand.
  bool ends_in_blank = false;                          ///< The line at hand.
  std::string_view following = {};                     ///< What follows the line at hand, as far as it is there.
  PlainLine next = {};                                 ///< The line there, where it was looked at.
  Speaker* at_hand = nullptr;                          ///< Whose prefix the line at hand is known to begin with.
  const Recognizer::Recent* expected = nullptr;        ///< The message that it is known to end with.
  std::uint64_t origin_of = 0;                         ///< The speaker whose origin, and no more, `record` has.
  const LineScan* scan = line_scans().front();
  std::size_t wrapped_at = 0;     ///< The width at which a terminal wrapped a line of this source; 0: none seen.
  std::string wrapped_head = {};  ///< The last line, if a terminal may have wrapped it before it came to a record.
  std::uint64_t head_line = 0;
  Beside beside = {};
  std::string uncoloured = {}, unwrapped = {}, nested = {}, scratch = {}, completed = {}, whole_line = {};
  std::vector<FoundRecord> found = {}, alone = {};
  std::vector<Fragment> done = {};

  struct Emit;
  void feed(std::string_view text);
  void finish();
  void take_counts();

  // lines of who spoke before; those that are inline are called in known_line.cc alone
  /// What is known of the plain line that `text` may begin with.
  [[gnu::always_inline]] inline PlainLine foreseen(std::string_view text);
  /// Of the line of the speaker at hand, if it says what is expected; 0 else.
  inline std::size_t size_as_expected(std::string_view text, std::size_t marker);
  /// A line that is nothing but a record, as nearly all of NCCL's are.
  inline bool record_line(std::string_view text, std::uint64_t number, std::size_t marker, std::string_view behind);
  /// Of a line that begins with a known wrapper and the prefix of somebody known well. False if there is more to look
  /// at than its message, which is matched.
  [[gnu::always_inline]] inline bool give_known(std::string_view text, std::uint64_t number, std::string_view before,
                                                Speaker& speaker, const Row*& row);
  /// The same of a line that says what is expected: there is nothing more to look at.
  inline void give_expected(std::string_view text, std::uint64_t number, std::size_t marker);
  [[gnu::always_inline]] inline void give_spoken(std::string_view text, std::uint64_t number, std::string_view before,
                                                 const Speaker& speaker, const Spoken& spoken);
  /// Whether the line behind the one at hand begins with a record of somebody known: it goes on with nothing.
  bool next_is_record();

  // any line
  /// Returns whether the next line may go on with this one.
  bool line(std::string_view text, std::uint64_t number);
  void plain_line(std::string_view text, std::uint64_t number);
  /// The records of a line, the line before it included if a terminal wrapped that inside a prefix. Returns the line.
  std::string_view find_in(std::string_view text, std::uint64_t& number);
  /// Whether a terminal may have wrapped a line without a record before it came to one: it is as long as others that
  /// were wrapped, or ends within the level.
  bool is_wrapped_head(std::string_view text) const;
  /// Keeps a line without a record for the next.
  void keep_head(std::string_view text, std::uint64_t number);
  /// A record without the word NCCL, if the line is one and does not go on with another record.
  /// A record without the word NCCL. Where no level stands in it, words of a failure say that it was a warning.
  static Unmarked read_without_word(std::string_view text, FoundRecord& one);
  void find_without_word(std::string_view text);
  /// What other programs say: not counted as NCCL's.
  void read_outside(std::string_view text, LineRef at);
  /// Offers the text before the line's first record, or all of it, to the fragments.
  bool offer(std::string_view text);
  void give_done();
  bool wants_next() const {
    return !fragments.empty() || outside.waiting() || wrapped_at != 0 || !wrapped_head.empty();
  }

  // records
  /// `row`: of the message; its event is in place.
  void take(const Row* row, const FoundRecord& one, std::string_view before, LineRef at, std::string_view line_text,
            bool behind);
  void take_unread(const FoundRecord& one, std::string_view before, LineRef at, Damage as_it_is,
                   std::string_view line_text);
  /// What a row reads once the words of others behind the message are left out. False when there are none.
  bool take_before_tail(const FoundRecord& one, std::string_view before, LineRef at, Damage as_it_is);
  /// Whether a row reads the message once the words that it lacks at its end are put in, or, of a warning, a blank
  /// where NCCL printed nothing between two.
  bool complete(const FoundRecord& one);
  /// Reads a line again without what a page or an editor made of it.
  void take_tidy(std::string_view line_text, LineRef at);
  Fragment fragment_of(const FoundRecord& one, std::string_view before, LineRef at) const;
  void wait(Fragment fragment);
  void give_fragment(const Fragment& fragment);
  /// NCCL cuts long lines in a fixed buffer; from 2.13.4 to 2.19.4 what stood in memory behind it follows. A list that
  /// is cut still tells its whole items.
  void give_cut(FoundRecord one, std::string_view before, LineRef at);
  void give_damaged(const FoundRecord& one, std::string_view before, LineRef at, Damage damage);
  /// Gives the record, whose event is in place, to the sink.
  void give(const FoundRecord& one, std::string_view before, LineRef at, Damage damage);
  /// `grep -n -C` puts `11-` before lines around those that it found: a number that goes with the lines of this source.
  std::string_view without_number(std::string_view host, std::uint64_t line);
  void count(Damage damage) {
    ++stats.nccl_lines;
    ++stats.damaged[static_cast<std::size_t>(damage)];
  }

  static bool is_buffer_size(std::size_t size) {
    return std::find(std::begin(buffer_sizes), std::end(buffer_sizes), size) != std::end(buffer_sizes);
  }

  /// The plugins' row for words of others reads the beginning of their own words as well, and free text reads the link
  /// of a page, a comment, or a mark that the line was cut.
  bool is_read(const Row* row, std::string_view message) const {
    if (row == nullptr) return false;
    if (row->end == RowEnd::text && row->hot == nullptr &&
        (message.ends_with("\xe2\x80\xa6") || has_comment(message) || message.find("](http") != std::string_view::npos))
      return false;
    return !(std::holds_alternative<PluginLoadFailed>(record.event) && message.size() <= max_beginning &&
             matcher.is_beginning(message));
  }

  /// The sign alone is found faster than between blanks.
  static bool has_comment(std::string_view message) {
    return message.find('#') != std::string_view::npos && message.find(" # ") != std::string_view::npos;
  }

  static bool is_cut_list(const Row& row, std::string_view record_text) {
    return row.end == RowEnd::list && is_buffer_size(record_text.size());
  }

  bool is_wrapped_here(const Row& row, std::size_t size) const {
    return row.end != RowEnd::words && size == wrapped_at;
  }

  /// Whether a terminal may have wrapped the line of this size that a record ends with.
  bool may_be_wrapped(const Row& row, Level level, std::string_view record_text, std::size_t size) {
    if (size < wrap_width || record_text.size() >= buffer_sizes[0]) return false;
    if (is_wrapped_here(row, size)) return true;
    const bool may_go_on =
        row.end == RowEnd::list || (row.end == RowEnd::text && (level == Level::warn || level == Level::abort));
    return may_go_on && !next_is_record();
  }
};

}  // namespace nccl_analyze
