#pragma once
// The parser's state between two lines. read_line.cc finds the records in a line; record.cc classifies each as
// complete, pending or damaged, and emits it to the sink.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evidence/evidence.h"
#include "evidence/json_document.h"
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

/// The line that a record stands in.
struct LineContext {
  std::string_view text;  ///< Without escape sequences, posters' notes, and the JSON of a log collector.
  std::uint64_t number = 0;
  std::size_t size = 0;         ///< Bytes, posters' notes included.
  bool blank_end = false;       ///< It ends with a blank.
  bool ends_input = false;      ///< It is the last line of the input and lacks its newline.
  bool markup_removed = false;  ///< It is read a second time, without its markup.
  std::size_t records = 1;      ///< Number of records in it.
};

/// Strips from a host the line number that `grep -n -C` puts before a context line (`11-node-0:…`). A leading number
/// counts as grep's only if its difference to the line's number in the input is the same as on the previous line whose
/// host began with a number and a dash.
struct LineNumbers {
  std::uint64_t line = 0,
                offset = 0;  ///< The last line whose host began with a number and a dash; the difference there.
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
  evidence::EvidenceReader evidence = {};
  evidence::JsonSource json_source = {};
  LineNumbers numbers = {};
  ParseStats stats = {};
  Record record = {};                  ///< Its event is that of the last match.
  RecordView plain = {};               ///< The record of the last plain line.
  std::vector<RecordView> found = {};  ///< The records of the last other line.
  std::array<std::string, 5> scratch = {};

  void feed(std::string_view text);
  void feed_lines(std::string_view text);
  void finish();
  void finish_json_source();
  void update_counts();

  // read_line.cc
  void read_lines();
  /// Reads a plain line, as nearly all lines of NCCL are. False where read_any() must read the line.
  bool read_plain(const Line& line);
  /// Reads any line: first undoes what collectors, terminals and posters did to it.
  void read_any(const Line& line);
  /// Reads a line, or the log line that a line of JSON holds; then `json_fields` has the pod, container and time of the
  /// JSON.
  void read_text(std::string_view text, LineContext line, const Origin& json_fields);
  /// Finds the records of a line in `found`. If the line before was wrapped inside a prefix, prepends that line.
  void find_in(LineContext& line);
  /// Reads a record without a marker. If no level stands in it either, a phrase of a failure makes it a warning.
  static Unmarked read_unmarked_record(std::string_view text, RecordView& view);
  void find_unmarked(std::string_view text);
  /// Reads a line without a record, which may be a message of a framework, a launcher or the kernel about a failure.
  void read_external(const LineContext& line, const Origin& json_fields);
  /// Reads a line of another tool's output. Whether it is one.
  bool read_evidence(const LineContext& line, const Origin& json_fields);
  void emit_facts(const evidence::Facts& facts, std::uint64_t line, std::string_view decoration,
                  const Origin& json_fields);
  /// Offers the text before the line's first record, or all of the line, to the pending records. Whether it continues
  /// one of them.
  bool offer_to_pending(std::string_view text);
  /// Whether the next line must be read even if it has no keyword, because it may continue this one.
  bool wants_next() const { return reassembly.waiting() || external.waiting(); }
  /// Which lines must be read. A document of another tool holds no plain lines.
  Wanted wanted() const {
    if (wants_next()) return Wanted::every;
    return evidence.waiting() ? Wanted::all : Wanted::keyword;
  }
  /// Whether the next line is known to begin with a record of its own, so that it continues no other. False where its
  /// host ends with `host`, the host of this line: the bytes before that may be the rest of this line.
  bool next_is_record(std::string_view host);

  // record.cc
  /// Emits or defers a record. `match` is the match of its message, whose event is in `record`. `behind`: another
  /// record stands before it on its line.
  void classify(const MessageMatch& match, const RecordView& view, const LineContext& line, bool behind);
  /// Emits or defers a record whose message no row matches as a whole.
  void classify_unmatched(const RecordView& view, const LineContext& line, Damage damage);
  /// Emits the record if its message without trailing text of other writers matches a row; false if it does not.
  bool emit_without_trailing_text(const RecordView& view, std::uint64_t line, Damage damage);
  /// Whether a row matches the message with the last sentence that it lacks or, for a warning, with two blanks in place
  /// of one: NCCL prints two around an empty string, and web pages show one. Stores that message in `record.completed`.
  bool match_completed(const RecordView& view);
  /// Keeps a record until its rest or a limit of lines comes. Emits it at once if too many are pending.
  void defer(const PendingRecord& pending);
  void emit_pending(const PendingRecord& pending);
  void emit_finished(std::vector<PendingRecord>& finished);
  /// Emits a record that NCCL cut in a buffer of fixed size (from 2.13.4 to 2.19.4 uninitialised memory follows), or
  /// that ends early for another reason. The whole items of a list that is cut are kept.
  void emit_cut(RecordView view, std::uint64_t line);
  void emit_damaged(const RecordView& view, std::uint64_t line, Damage damage);
  /// Counts a record, whose event is in `record`, and passes it to the sink.
  void emit(const RecordView& view, std::uint64_t line, Damage damage);
  void count(const RecordView& view, Damage damage);
  /// The only function that calls the sink. Event, origin and sender are in `record`.
  inline void call_sink(const RecordView& view, std::uint64_t line, Damage damage);

  /// Whether a record that a row matches is complete at the end of its line.
  inline bool is_whole(const MessageMatch& match, const RecordView& view, std::string_view host, std::size_t line_size);
  /// Whether a terminal may have wrapped the record at the end of its line, so that the next line continues it.
  inline bool may_be_wrapped(const Row& row, const RecordView& view, std::string_view host, std::size_t line_size);
};

inline constexpr std::size_t buffer_sizes[] = {1023, 4095};  ///< Bytes of a line: NCCL's, and RCCL's since ROCm 6.2.

inline bool is_buffer_size(std::size_t size) { return size == buffer_sizes[0] || size == buffer_sizes[1]; }

bool Parser::Impl::may_be_wrapped(const Row& row, const RecordView& view, std::string_view host,
                                  std::size_t line_size) {
  if (line_size < wrap_width || view.text.size() >= buffer_sizes[0]) return false;
  if (reassembly.is_wrapped_here(row, line_size)) return true;
  const bool may_continue =
      row.end == RowEnd::list || (row.end == RowEnd::text && (view.level == Level::warn || view.level == Level::abort));
  return may_continue && !next_is_record(host);
}

bool Parser::Impl::is_whole(const MessageMatch& match, const RecordView& view, std::string_view host,
                            std::size_t line_size) {
  return !view.partial && view.ended == RecordEnd::line && match.whole &&
         !(match.row->end == RowEnd::list && is_buffer_size(view.text.size())) &&
         !may_be_wrapped(*match.row, view, host, line_size);
}

void Parser::Impl::call_sink(const RecordView& view, std::uint64_t line, Damage damage) {
  record.at = {source, line};
  record.level = view.level;
  record.damage = damage;
  record.message = view.message;
  record.text = view.text;
  sink(record);
}

}  // namespace nccl_analyze
