#pragma once
// The parser's state between two lines. read_line.cc finds the records in a line; record.cc classifies each record as
// complete, pending or damaged, and passes it to the sink.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
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
#include "parser/json_documents.h"
#include "parser/line_watch.h"
#include "parser/reassembly.h"
#include "text/blanks.h"
#include "text/encoding.h"
#include "text/json_lines.h"
#include "text/lines.h"
#include "text/prefix.h"
#include "text/program_text.h"
#include "text/time_order.h"
#include "text/training_steps.h"
#include "text/unmarked.h"

namespace nccl_analyze {

/// The line that contains a record.
struct LineContext {
  std::string_view text;  ///< Without escape sequences, notes that people added, and a log collector's JSON.
  std::uint64_t number = 0;
  std::size_t size = 0;               ///< In bytes, including notes that people added.
  bool blank_end = false;             ///< Whether the line ends with a blank.
  bool ends_input = false;            ///< Whether this is the last line of the input and has no newline.
  std::string_view with_markup = {};  ///< The original line, while it is parsed again without its markup; else empty.
  std::size_t records = 1;            ///< Number of records in the line.
  bool keyword = true;                ///< has_keyword(text), once read_log_line() has looked.
  bool returned = false;              ///< Whether the line was first taken for a part of another tool's document.

  bool markup_removed() const { return !with_markup.empty(); }
  /// The context for parsing the line without its markup.
  LineContext without_markup() const {
    LineContext again = *this;
    again.with_markup = trimmed(text);
    return again;
  }
};

/// Removes from a host the line number that `grep -n -C` prints before a context line (`11-node-0:…`). Host names may
/// also start with a number and a dash. The number is therefore removed only if its offset from the line's position in
/// the input is the same as on the last line with such a number.
struct LineNumbers {
  /// The last line whose host started with a number and a dash, and the offset of that number.
  std::uint64_t line = 0, offset = 0;
  std::string_view without_number(std::string_view host, std::uint64_t at);
};

/// The log lines of a JSON document that are not parsed yet, because the document may be newest first.
struct DocumentLines {
  static constexpr std::size_t few = 64;  ///< The order is determined after this number of lines.
  static constexpr std::size_t max_bytes = std::size_t{1} << 26;
  std::uint64_t before = 0;  ///< Lines of the source before the document.
  TimeOrder order = {};
  bool hold = true;  ///< Whether further lines are held.
  std::deque<JsonLine> held = {};
  std::size_t bytes = 0;  ///< Memory of the held lines.
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
  ExternalReader external;
  evidence::EvidenceReader evidence = {};
  evidence::JsonSource json_source = {};
  JsonDocuments documents{max_line};
  OrderProbe probe = {};  ///< Used while `probing`.
  bool probing = true;
  bool begun = false;  ///< Whether the source had a byte that is not NUL.
  TextBeginning first_bytes = {};
  TrainingTail training = {};
  LineNumbers numbers = {};
  ParseStats stats = {};
  bool has_torn_lines = false;  ///< Whether another process wrote into a line of this source.
  std::uint64_t shift = 0;      ///< How far the numbers of lines are ahead of their places in the source.
  DocumentLines document = {};
  std::uint64_t fact_count = 0;       ///< Facts of other tools.
  std::string_view unread_tool = {};  ///< The tool whose document could not be read as a whole.
  Record record = {};     ///< The record passed to the sink; its event is also the output of the last match.
  RecordView plain = {};  ///< The record of the current plain line.
  std::vector<RecordView> found = {};  ///< The records of the current line if it is not plain.
  std::array<std::string, 5> scratch = {};
  std::string kept_line = {};  ///< The current line, while returned lines are read.
  LineWatch::Show watch = {};

  void feed(std::string_view text);
  void probe_order(std::string_view text, bool ended);
  void feed_documents(std::string_view text);
  JsonDocuments::Parts document_parts();
  void feed_lines(std::string_view text);
  void finish();
  void read_json_source();
  void release_json_source();
  void update_counts();

  // Defined in read_line.cc:
  void read_lines();
  /// Parses a plain line, which most NCCL lines are. Returns false if the line must be parsed by read_any().
  bool read_plain(const Line& line);
  /// Parses any line, after removing what collectors, terminals and people added to it. `outer`: the fields of the JSON
  /// document that contains the line.
  void read_any(const Line& line, const Origin& outer = {});
  /// Parses the lines of `text`, a line or a text from inside a JSON line.
  void read_message(std::string_view text, const LineContext& context, const Origin& json_fields);
  /// Parses a line, or a log line from inside a JSON line. In the second case, `json_fields` has the pod, container and
  /// time of the JSON; an entry of systemd's journal also has the host and the pid of the process that printed it.
  void read_text(std::string_view text, LineContext line, const Origin& json_fields);
  /// Stores the records of a line in `found`. If the previous line was wrapped inside a prefix, prepends that line.
  void find_in(LineContext& line);
  /// Parses a record without a marker. If the record also has no level, but contains a failure phrase, its level
  /// becomes WARN.
  static Unmarked read_unmarked_record(std::string_view text, RecordView& view);
  void find_unmarked(std::string_view text);
  /// Parses a line without a record, in which a framework, a launcher or the kernel may report a failure.
  void read_external(const LineContext& line, const Origin& json_fields);
  /// Parses `text`, the line or a text from inside its JSON.
  void read_external_text(std::string_view text, const LineContext& line, const Origin& json_fields);
  /// Reads a line as part of the log. A line without a keyword is read only because it may continue an earlier line:
  /// nothing begins in it.
  void read_log_line(LineContext line, const Origin& json_fields, bool is_in_document);
  /// Offers a line to the documents of other tools that are open. Returns whether it belongs to one.
  bool read_in_document(LineContext& line, const Origin& json_fields);
  /// Offers the text before the first record of a line to the open documents, with the record's host: the text may have
  /// run into it.
  void read_before(std::string_view text, const RecordView& first, std::uint64_t number, const Origin& json_fields);
  /// Reads a line that belongs to the output of another tool (lib/evidence). Returns false for any other line.
  bool read_evidence(LineContext& line, const Origin& json_fields);
  /// Reads lines that looked like a document of another tool as part of the log. `line` is the current line.
  void read_returned(LineContext& line);
  /// Whether the line holds a record with a prefix. Documents of other tools are offered only the text before
  /// the record, because the fast path may read the line.
  bool holds_record(std::string_view text);
  /// Emits facts that lib/evidence found, as records of the lines that show them.
  void emit_facts(const evidence::Facts& facts, std::string_view decoration, const Origin& json_fields);
  /// Offers the text before the line's first record, or the whole line if it has no record, to the pending records.
  /// Returns whether the text continues one of them.
  bool offer_to_pending(std::string_view text, std::uint64_t number);
  /// Whether the next line must be parsed even without a keyword, because it may continue this line.
  bool wants_next() const { return reassembly.waiting() || external.waiting(); }
  /// Returns which lines must be read. While the output of another tool is open, lines without a keyword may belong to
  /// it, but plain lines, which are NCCL records, do not.
  Wanted wanted() const {
    if (wants_next() || evidence.in_block()) return Wanted::every;
    return evidence.waiting() ? Wanted::all : Wanted::keyword;
  }
  /// Whether the next line is known to start with a record and therefore continues no other record. False if the next
  /// line's host has `host`, the host of this line, as a proper suffix: the bytes before the suffix may be the rest of
  /// this line.
  bool next_is_record(std::string_view host);

  // read_json.cc
  /// Parses the log lines in a line of JSON. Returns false if the JSON has none, or is damaged before the first.
  bool read_json(const Line& line, std::string_view text, const Origin& outer);
  /// Takes a log line of a document. It is parsed at once, or at the end of the document if that is newest first.
  void add_document_line(const JsonLine& line);
  void end_document(std::uint64_t newlines);
  void read_held_lines();
  /// Parses a log line of a document that begins after `before` lines of the source.
  void read_document_line(const JsonLine& line, std::uint64_t before, const Origin& outer);

  // record.cc
  /// Emits or defers a record. `match` is the match of its message; the event of the match is in `record`. `behind`:
  /// whether another record precedes this one on the line.
  void classify(const MessageMatch& match, const RecordView& view, const LineContext& line, bool behind);
  /// Emits or defers a record for which MessageMatch::whole is false.
  void classify_unmatched(const RecordView& view, const LineContext& line, Damage damage);
  /// Whether the message is a known one up to an inner place, where another process wrote into the line. Only a source
  /// with torn lines shows that processes do so; elsewhere it is a wording that is not known yet.
  bool breaks_off(const RecordView& view) const;
  /// Removes trailing text that others may have added to the message. If a row then matches the message, or a longer
  /// message that starts with it, emits the record and returns true.
  bool emit_without_trailing_text(const RecordView& view, std::uint64_t line, Damage damage);
  /// Whether a row matches the message after a repair. Either the missing last sentences are appended or, in a warning,
  /// one of the blanks is doubled, because NCCL prints two blanks around an empty string, and web pages show one.
  /// Stores the repaired message in `record.completed`.
  bool match_completed(const RecordView& view);
  /// Whether a row matches the message after `...` has replaced the mark at its end (`…`, `[...]`), with which a poster
  /// shortened it.
  bool match_shortened(std::string_view message);
  /// Whether the message places a rank in a communicator whose pointer a poster cut out: `comm 0x… rank 0 nRanks 24`.
  /// The pointer is then 0. Other messages without a pointer match no row, because communicators differ in the pointer
  /// alone.
  bool match_cut_pointer(std::string_view message);
  /// Keeps a record until its rest is found or a number of lines has passed. Emits the record at once if too many are
  /// pending.
  void defer(const PendingRecord& pending);
  void emit_pending(const PendingRecord& pending);
  void emit_finished(std::vector<PendingRecord>& finished);
  /// Emits a record that was truncated in NCCL's buffer of fixed size (followed by uninitialised memory from 2.13.4 to
  /// 2.19.4), or that ends early for another reason. The complete items of a truncated list are kept.
  void emit_cut(RecordView view, std::uint64_t line);
  void emit_damaged(const RecordView& view, std::uint64_t line, Damage damage);
  /// Counts a record and passes it to the sink. Its event must be in `record`.
  void emit(const RecordView& view, std::uint64_t line, Damage damage);
  void count(const RecordView& view, Damage damage);
  /// The only function that calls the sink. Event, origin and sender must be in `record`.
  inline void call_sink(const RecordView& view, std::string_view quote, std::uint64_t line, Damage damage);

  /// Whether a record ends with its line, is complete, and can be emitted at once.
  inline bool is_whole(const MessageMatch& match, const RecordView& view, std::string_view host, std::size_t line_size);
  /// Whether a terminal may have wrapped the record at the end of its line; the next line would then continue the
  /// record.
  inline bool may_be_wrapped(const Row& row, const RecordView& view, std::string_view host, std::size_t line_size);
};

/// Maximum bytes of a record: in NCCL, and in RCCL since ROCm 6.2.
inline constexpr std::size_t buffer_sizes[] = {1023, 4095};

inline bool is_buffer_size(std::size_t size) { return size == buffer_sizes[0] || size == buffer_sizes[1]; }

bool Parser::Impl::may_be_wrapped(const Row& row, const RecordView& view, std::string_view host,
                                  std::size_t line_size) {
  if (line_size < wrap_width || view.text.size() >= buffer_sizes[0]) return false;
  if (reassembly.is_wrapped_here(row, line_size)) return true;
  const bool may_continue = row.end == RowEnd::list || (row.end == RowEnd::text && is_notable(view.level));
  return may_continue && !next_is_record(host);
}

bool Parser::Impl::is_whole(const MessageMatch& match, const RecordView& view, std::string_view host,
                            std::size_t line_size) {
  return !view.partial && view.ended == RecordEnd::line && match.whole &&
         !(match.row->end == RowEnd::list && is_buffer_size(view.text.size())) &&
         !may_be_wrapped(*match.row, view, host, line_size);
}

void Parser::Impl::call_sink(const RecordView& view, std::string_view quote, std::uint64_t line, Damage damage) {
  record.at = {source, line};
  record.level = view.level;
  record.damage = damage;
  record.message = view.message;
  record.text = quote;
  sink(record);
}

}  // namespace nccl_analyze
