#pragma once
// What a parser keeps between two lines, and what it does with one: read_line.cc finds the records in a line, record.cc
// classifies each as whole, waiting for its rest, or damaged, and gives it to the sink.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "messages/matcher.h"
#include "messages/message_cache.h"
#include "nccl_analyze/parser.h"
#include "parser/external.h"
#include "parser/reassembly.h"
#include "text/encoding.h"
#include "text/lines.h"
#include "text/prefix.h"
#include "text/unmarked.h"

namespace nccl_analyze {

/// The line that records were found in.
struct LineContext {
  std::string_view text;  ///< Without escape sequences, out of the JSON that a collector wrapped it in.
  std::uint64_t number = 0;
  std::size_t size = 0;     ///< Of all of it, with the notes that `text` is without.
  bool blank_end = false;   ///< It ends in a blank.
  bool ends_input = false;  ///< It has no newline.
  bool tidy = false;        ///< It is read again without markup.
  std::size_t records = 1;  ///< How many it holds.
};

/// Strips the line number that `grep -n -C` puts before a context line: `11-node-0:…`. A number belongs to grep, not to
/// the host, when its distance to the line's own number stays the same from one such line to the next.
struct LineNumbers {
  std::uint64_t line = 0, offset = 0;  ///< Of the last host that begins with a number.
  std::string_view without_number(std::string_view host, std::uint64_t at);
};

struct Parser::Impl {
  SourceId source;
  Sink sink;
  SenderCache senders;
  std::size_t max_line;
  LineSplitter splitter{max_line, senders};
  MessageCache messages;
  const Matcher& matcher = standard_matcher();
  Decoder decoder = {};
  Reassembly reassembly{matcher};
  ExternalReader external{matcher};
  LineNumbers numbers = {};
  ParseStats stats = {};
  Record record = {};                  ///< Its event is that of the message matched last.
  RecordView plain = {};               ///< The record of a plain line.
  std::vector<RecordView> found = {};  ///< Those of any other.
  std::array<std::string, 5> scratch = {};

  void feed(std::string_view text);
  void finish();
  void take_counts();

  // read_line.cc
  void read_lines();
  /// A line that is nothing but a record, as nearly all of NCCL's are. False where it has to be read as any line.
  bool read_plain(const Line& line);
  /// Any line at all, whatever a collector, a terminal or a page has made of it.
  void read_any(const Line& line);
  /// `beside`: what a JSON line tells of its origin.
  void read_text(std::string_view text, LineContext line, const Origin& beside);
  /// The records of a line, the line before it included if a terminal wrapped that inside a prefix.
  void find_in(LineContext& line);
  /// A record without the word NCCL. Where no level stands in it, words of a failure say that it was a warning.
  static Unmarked read_without_word(std::string_view text, RecordView& one);
  void find_without_word(std::string_view text);
  /// What other programs say.
  void read_external(const LineContext& line, const Origin& beside);
  /// Offers the text before the line's first record, or all of it, to the records that wait. Whether one took it.
  bool offer(std::string_view text);
  /// The next line may go on with what was read.
  bool wants_next() const { return reassembly.waiting() || external.waiting(); }
  /// Whether the line behind the one at hand is there and begins with a record: it goes on with nothing. Where its host
  /// ends as the one at hand, what stands before that may belong to the line at hand, so that this says no.
  bool next_is_record(std::string_view host);

  // record.cc
  /// `match`: of the message, whose event is in place. `behind`: another record stands before it on its line.
  void classify(const MessageMatch& match, const RecordView& one, const LineContext& line, bool behind);
  void classify_unmatched(const RecordView& one, const LineContext& line, Damage as_it_is);
  /// Whether a row reads the message once the words of others behind it are left out; the record is given then.
  bool emit_without_trailing_text(const RecordView& one, std::uint64_t line, Damage as_it_is);
  /// Whether a row reads the message once the words that it lacks at its end are put in, or, of a warning, a blank
  /// where NCCL printed nothing between two.
  bool complete(const RecordView& one);
  void defer(const PendingRecord& pending);
  void emit_pending(const PendingRecord& pending);
  void emit_done(std::vector<PendingRecord>& done);
  /// NCCL cuts long lines in a fixed buffer; from 2.13.4 to 2.19.4 what stood in memory behind it follows. A list that
  /// is cut still tells its whole items.
  void emit_cut(RecordView one, std::uint64_t line);
  void emit_damaged(const RecordView& one, std::uint64_t line, Damage damage);
  /// Gives the record, whose event is in place, to the sink.
  void emit(const RecordView& one, std::uint64_t line, Damage damage);
  void count(const RecordView& one, Damage damage);
  /// The only place that calls the sink; event, origin and sender are in place.
  inline void give(const RecordView& one, std::uint64_t line, Damage damage);

  /// Whether a record of a host is complete at the end of its line: no terminal may have wrapped it.
  inline bool is_whole(const MessageMatch& match, const RecordView& one, std::string_view host, std::size_t line_size);
  inline bool may_be_wrapped(const Row& row, const RecordView& one, std::string_view host, std::size_t line_size);
};

inline constexpr std::size_t buffer_sizes[] = {1023, 4095};  ///< NCCL's for a line, and RCCL's since ROCm 6.2

inline bool is_buffer_size(std::size_t size) { return size == buffer_sizes[0] || size == buffer_sizes[1]; }

bool Parser::Impl::may_be_wrapped(const Row& row, const RecordView& one, std::string_view host, std::size_t line_size) {
  if (line_size < wrap_width || one.text.size() >= buffer_sizes[0]) return false;
  if (reassembly.is_wrapped_here(row, line_size)) return true;
  const bool may_go_on =
      row.end == RowEnd::list || (row.end == RowEnd::text && (one.level == Level::warn || one.level == Level::abort));
  return may_go_on && !next_is_record(host);
}

bool Parser::Impl::is_whole(const MessageMatch& match, const RecordView& one, std::string_view host,
                            std::size_t line_size) {
  return !one.partial && one.ended == RecordEnd::line && match.whole &&
         !(match.row->end == RowEnd::list && is_buffer_size(one.text.size())) &&
         !may_be_wrapped(*match.row, one, host, line_size);
}

void Parser::Impl::give(const RecordView& one, std::uint64_t line, Damage damage) {
  record.at = {source, line};
  record.level = one.level;
  record.damage = damage;
  record.message = one.message;
  record.text = one.text;
  sink(record);
}

}  // namespace nccl_analyze
