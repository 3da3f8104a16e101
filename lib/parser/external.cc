// Searches lines of other programs for the rows of lib/messages/facts/external.cc, for quoted NCCL messages, and for
// failure phrases.

#include "parser/external.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "messages/families.h"
#include "messages/phrases.h"
#include "parser/reassembly.h"
#include "parser/wrapped_message.h"
#include "text/blanks.h"
#include "text/digits.h"
#include "text/line_scan.h"
#include "text/literal.h"
#include "text/words.h"
#include "text/wrapper.h"

namespace nccl_analyze {

namespace {

constexpr int quote_lines = 4;           // other ranks may print between `Last error:` and the quoted message
constexpr int thrown_lines = 3;          // other ranks may print between the class of a C++ exception and its words
constexpr int ras_lines = 4096;          // a report lists ranks, one per line
constexpr std::size_t max_head = 512;    // in bytes; a longer line is not taken for a part of a wrapped line
constexpr std::size_t min_wrapped = 60;  // in bytes; the rest of a shorter line must be indented
constexpr std::size_t max_read_line =
    8192;                    // in bytes; the rest of a longer line, such as a printed tensor, is ignored
constexpr int max_cuts = 8;  // a quoted message is cut at most this many times until a row matches it

constexpr std::string_view last_error = "Last error:";
constexpr std::string_view last_warning = "Last NCCL warning(error)";  // printed by XLA; the quoted message follows
constexpr std::string_view thrown = "terminate called after throwing";
constexpr std::string_view thrown_words = "what():  ";
constexpr std::string_view watchdog_location = "ProcessGroupNCCL.cpp:";
constexpr std::string_view watchdog_signs[] = {watchdog_location, "Watchdog caught", "WorkNCCL("};
constexpr std::string_view ras_head = " compiled with CUDA ";  // in the first line of a report, which lists versions
constexpr std::string_view ras_head_end = "CUDA runtime version ";  // start of the second line
constexpr std::string_view ras_table = "in group  per comm";        // in the head of the table of communicators

bool holds(std::string_view line, std::string_view word) { return line.find(word) != std::string_view::npos; }

/// Whether messages of the row may occur at any position in a line. Exceptions, and the reports of shells about killed
/// programs, must directly follow the decoration, and lines of the RAS client must be in one of its reports, because
/// other texts start with the same words. Desync reports are found by desync_start().
bool matches_anywhere(const Row& row) {
  const std::string_view kind = row.kind->name;
  return !kind.starts_with("ras_") && kind != RanksDesynced::name && row.wording != "{why:Killed}" &&
         !(kind == "program_raised" && row.wording.starts_with('{'));
}

/// Returns the literals that a wording may start with. There are several if it starts with a choice.
std::vector<std::string> first_words(std::string_view wording) {
  const auto literal = [](std::string_view text) { return std::string(text.substr(0, text.find('{'))); };
  if (!wording.starts_with('{')) return {literal(wording)};
  const std::size_t end = wording.find('}'), colon = wording.find(':');
  const std::string behind = literal(wording.substr(end + 1));
  std::vector<std::string> all;
  for (std::size_t at = colon + 1; at <= end;) {
    const std::size_t next = std::min(wording.find('|', at), end);
    all.push_back(std::string(wording.substr(at, next - at)) + behind);
    at = next + 1;
  }
  return all;
}

/// Returns the beginnings of those messages of external_family that may stand anywhere in a line (matches_anywhere()).
/// read_rows() searches lines for them.
const WordSet& beginnings() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (const Row& row : external_family.rows)
      if (matches_anywhere(row))
        for (std::string& text : first_words(row.wording)) all.push_back(std::move(text));
    return all;
  }();
  static const WordSet words = [] {
    constexpr std::size_t buckets = 8;
    std::vector<Word> all;
    for (const std::string& text : texts) all.push_back({text, std::string_view(text).substr(0, anchor_size)});
    // Similar anchors share a bucket, so that other texts rarely look like a word of it.
    std::ranges::sort(all, {}, &Word::anchor);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].bucket = static_cast<int>(i * buckets / all.size());
    return WordSet(std::span<const Word>(all));
  }();
  return words;
}

/// Returns the position of the list of ranks that begins a line of PyTorch's desync report; npos if the line is no such
/// line.
std::size_t desync_start(std::string_view line) {
  constexpr std::string_view signs[] = {"] joined but didn't finish collective #", "] finished collective #",
                                        "] are the lagging ranks that"};
  for (const std::string_view sign : signs)
    if (const std::size_t at = line.find(sign); at != std::string_view::npos) return line.rfind('[', at);
  return std::string_view::npos;
}

/// Returns the words of a C++ exception with `what():`, if no text but decoration precedes them in the line: `what():
/// vector::_M_range_check`. Else empty.
std::string_view words_of_thrown(std::string_view line) {
  const std::size_t at = line.find(thrown_words);
  if (at == std::string_view::npos) return {};
  const std::string_view before = trimmed(line.substr(0, at).substr(wrapper_size(line.substr(0, at))));
  const bool is_start = before.empty() || before.back() == ':' || before.back() == ']' || before.back() == ')';
  return is_start ? trimmed(line.substr(at)) : std::string_view{};
}

/// Returns the part before PyTorch's own words about the exception, which stand in the same line if a collector or a
/// terminal replaced the line break by blanks.
std::string_view before_origin(std::string_view quoted) {
  for (const std::string_view words : {" Exception raised from ", " frame #0: "})
    quoted = quoted.substr(0, quoted.find(words));
  return quoted;
}

/// Whether the text at `at` continues a longer word: `Failed: ` in `BackendCompilerFailed: `.
bool is_inside_word(std::string_view line, std::size_t at) {
  const auto is_of_word = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return at > 0 && is_of_word(line[at - 1]) && is_of_word(line[at]);
}

/// Whether the event is the end of a process, and its reason is the whole line: `Killed`.
bool is_whole_end(const Event& event, std::string_view line) {
  const auto* const ended = std::get_if<ProcessEnded>(&event);
  return ended != nullptr && ended->why == line;
}

/// Reads an exception of a package, `zmq.error.ZMQError: Address already in use`, of which no traceback is here:
/// collectors and people leave the lines above it out. `own`: the line without its decoration.
bool read_exception(std::string_view own, Event& event) {
  const auto goes_on = [](char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c) || std::string_view(",:_/").find(c) != std::string_view::npos;
  };
  if (own.size() >= wrap_width && goes_on(own.back())) return false;  // The rest may stand in the next line.
  const RaisedLine raised = read_raised(own);
  const bool is_error = raised.exception.ends_with("Error") || raised.exception.ends_with("Exception");
  if (!is_error || raised.exception.find('.') == std::string_view::npos) return false;
  event = ProgramRaised{raised.exception, raised.words};
  return true;
}

/// Whether an exception in this line would matter even if it ended a thread or a callback only.
bool is_about_nccl(std::string_view line) { return holds(line, "NCCL") || holds(line, "nccl") || find_phrase(line); }

/// Whether only reports of the RAS client show events of this kind.
bool is_of_ras(const Event& event) {
  return std::holds_alternative<RasCountsDiffer>(event) || std::holds_alternative<RasRanksCounted>(event) ||
         std::holds_alternative<RasRankListed>(event) || std::holds_alternative<RasCommunicatorNamed>(event) ||
         std::holds_alternative<RasJobCounted>(event);
}

}  // namespace

std::uint64_t ExternalReader::read(std::string_view line, std::uint64_t number, bool keyword, RecordView& record,
                                   Event& event) {
  if (keyword && line.size() > max_read_line) keyword = has_keyword(line.substr(0, max_read_line));
  line = line.substr(0, max_read_line);
  frame_.look(line, number);
  const Found rest = read_rest(line, number, event);
  const Found found = rest ? rest : read_in_traceback(line, number, keyword, event);
  if (!rest) keep_told(found, line, number, event);
  if (!found) return 0;
  record.level = Level::external;
  record.message = found.message;
  record.decoration = found.line.substr(0, static_cast<std::size_t>(found.message.data() - found.line.data()));
  record.text = found.line.substr(0, record.decoration.size() + found.message.size());
  const std::uint64_t first = found.head == 0 ? number : quote_wrapped(rest ? told_ : head_, found, number, record);
  return std::holds_alternative<ProgramRaised>(event) ? quote_frame(first, record) : first;
}

ExternalReader::Found ExternalReader::read_rest(std::string_view line, std::uint64_t number, Event& event) {
  if (told_.empty()) return {};
  const bool only_indented = told_is_phrase_ || told_.size() < min_wrapped;
  const bool is_rest = told_.last_line() + 1 == number && continues_message(line, only_indented);
  const std::size_t head = told_.size() + 1;
  if (!is_rest || !told_.append_words(line.substr(0, max_head), number)) return {};
  Found found = told_is_phrase_ ? read_phrase(told_.text(), event) : read_rows(told_.text(), event);
  if (!found || std::holds_alternative<ProgramRaised>(event) == told_is_phrase_) return {};
  found.head = head;
  return found;
}

void ExternalReader::keep_told(const Found& found, std::string_view line, std::uint64_t number, const Event& event) {
  told_.drop();
  if (!found || found.head > 0 || line.size() > max_head || !is_open_end(line)) return;
  told_is_phrase_ = std::holds_alternative<PhraseSeen>(event);
  if (told_is_phrase_ || std::holds_alternative<ProgramRaised>(event)) told_.keep(trimmed_end(line), number);
}

std::uint64_t ExternalReader::quote_wrapped(const WrappedHead& head, const Found& found, std::uint64_t number,
                                            RecordView& record) {
  if (head.last_line() + 1 == number || record.text.size() <= found.head) return head.line();
  quote_.assign(record.text.substr(0, found.head)).append(piece_border).append(record.text.substr(found.head));
  record.quote = quote_;
  return head.line();
}

std::uint64_t ExternalReader::quote_frame(std::uint64_t first, RecordView& record) {
  const std::string_view frame = frame_.above(record.text, first);
  if (frame.empty()) return first;
  const std::string own(record.quote.empty() ? record.text : record.quote);
  record.quote = quote_.assign(frame).append(piece_border).append(own);
  return frame_.line();
}

ExternalReader::Found ExternalReader::read_quote(std::string_view line, Event& event) {
  if (const std::size_t at = line.find(last_warning); at != std::string_view::npos)
    if (const std::size_t quote = line.find('\'', at); quote != std::string_view::npos)
      if (const Found found = match_quote(line, line.substr(quote + 1), event)) return found;
  const std::size_t head = line.find(last_error);
  const bool announced = head != std::string_view::npos;
  if (announced) quote_lines_left_ = quote_lines;
  if (quote_lines_left_ == 0) return {};
  const Found found = match_quote(line, announced ? line.substr(head + last_error.size()) : line, event);
  if (!found && !announced) --quote_lines_left_;
  return found;
}

ExternalReader::Found ExternalReader::match_quote(std::string_view line, std::string_view part, Event& event) {
  part = before_origin(part);
  std::string_view own = without_decoration(part);
  // The first word of a message may look like decoration: `FP8 reduction support begins with …`.
  for (int words = 0; words <= max_cuts; ++words) {
    std::string_view quoted = own;
    const Row* const row = match_front(quoted, event);
    if (row != nullptr && !std::holds_alternative<ProgramRaised>(event)) {
      quote_lines_left_ = 0;
      return {line, quoted};
    }
    const std::string_view before = trimmed_end(part.substr(0, static_cast<std::size_t>(own.data() - part.data())));
    if (before.empty()) break;
    own = trimmed(part.substr(before.find_last_of(' ') + 1));
  }
  return {};
}

const Row* ExternalReader::match_front(std::string_view& quoted, Event& event) const {
  for (int cuts = 0; !quoted.empty() && cuts <= max_cuts; ++cuts) {
    if (const Row* const row = matcher_.match(quoted, event)) return row;
    const std::size_t end = quoted.find_last_of(",;\\\"')");
    quoted = trimmed(quoted.substr(0, end == std::string_view::npos ? 0 : end));
  }
  return nullptr;
}

namespace {

/// Returns the text without the brackets before `phrase`, which is a part of it; the first one may lack its beginning,
/// because it was taken for decoration: `ID 0 PG GUID 0(default_pg) Rank 3] `.
std::string_view without_brackets(std::string_view text, std::string_view phrase) {
  while (true) {
    const std::size_t close = text.find(']');
    const std::size_t open = text.find('[', text.starts_with('[') ? 1 : 0);
    if (close == std::string_view::npos || open < close || text.data() + close >= phrase.data()) return text;
    text = trimmed(text.substr(close + 1));
  }
}

/// Returns `text`, a part of `line`, with the word before it: the place in a library's code by which a phrase is known
/// may look like decoration.
std::string_view with_word_before(std::string_view line, std::string_view text) {
  const auto begin = static_cast<std::size_t>(text.data() - line.data());
  const std::string_view before = trimmed_end(line.substr(0, begin));
  const std::size_t blank = before.find_last_of(" \t");
  return trimmed(line.substr(blank == std::string_view::npos ? 0 : blank + 1));
}

}  // namespace

template <class Search>
ExternalReader::Found ExternalReader::remembered(LineMemo<Searched>& memo, std::string_view line, Event& event,
                                                 Search search) {
  const Searched& known = memo(line, [&](std::string_view copy) {
    Searched made;
    const Found found = search(copy, made.event);
    if (found) made.begin = static_cast<std::size_t>(found.message.data() - copy.data());
    made.size = found.message.size();
    return made;
  });
  event = known.event;
  return {line, line.substr(known.begin, known.size)};
}

ExternalReader::Found ExternalReader::read_phrase(std::string_view line, Event& event) {
  return remembered(phrases_, line, event, search_phrase);
}

ExternalReader::Found ExternalReader::search_phrase(std::string_view line, Event& event) {
  event = phrase_in(line);
  const auto* const seen = std::get_if<PhraseSeen>(&event);
  if (seen == nullptr) return {};
  const std::string_view own = without_decoration(line);
  if (seen->phrase.data() < own.data()) return {line, trimmed(line)};  // the phrase was taken for decoration
  const Phrase* const phrase = find_phrase(line).phrase;
  const std::string_view message = without_brackets(own, seen->phrase);
  for (const std::string_view text : {message, with_word_before(line, message)})
    if (find_phrase(text).phrase == phrase) return {line, text};
  return {line, trimmed(line)};
}

ExternalReader::Found ExternalReader::read_rows(std::string_view line, Event& event) {
  if (ras_lines_left_ > 0) return search_rows(line, event);  // A report of RAS has other rows.
  return remembered(rows_, line, event, [this](std::string_view copy, Event& made) { return search_rows(copy, made); });
}

ExternalReader::Found ExternalReader::search_rows(std::string_view line, Event& event) const {
  const LineScan& scan = *line_scans().front();
  for (FoundWord word = scan.find(beginnings(), line, 0); word; word = scan.find(beginnings(), line, word.anchor + 1)) {
    const std::size_t begin = beginnings().begin_of(word);
    if (is_inside_word(line, begin)) continue;
    const std::string_view message = trimmed(line.substr(begin));
    // `Failed: ` begins messages of a plugin of NCCL, too.
    if (const Row* const row = matcher_.match(message, event); row != nullptr && row->topic.empty())
      return {line, message};
  }
  const auto matches = [&](std::string_view message) {
    return !message.empty() && matcher_.match(message, event) != nullptr;
  };
  if (ras_lines_left_ > 0) {  // lines of a report start with numbers, which without_decoration() would remove
    const std::string_view message = trimmed(line);
    if (matches(message) && is_of_ras(event)) return {line, message};
  }
  if (const std::size_t at = desync_start(line); at != std::string_view::npos && matches(trimmed(line.substr(at))))
    return {line, trimmed(line.substr(at))};
  const std::string_view own = without_decoration(line);
  if (matches(own) && (std::holds_alternative<ProgramRaised>(event) || is_whole_end(event, own))) return {line, own};
  const std::string_view words = words_of_thrown(line);
  if (matches(words)) return {line, words};
  return read_exception(own, event) ? Found{line, trimmed_end(own)} : Found{};
}

void ExternalReader::look_ahead(std::string_view line, std::uint64_t number) {
  if (holds(line, ras_head)) ras_lines_left_ = 2;
  if ((ras_lines_left_ > 0 && line.starts_with(ras_head_end)) || holds(line, ras_table)) ras_lines_left_ = ras_lines;
  const bool is_in_quote = quote_lines_left_ > 0 && head_.empty() && line.size() >= wrap_width;
  const bool is_of_watchdog =
      std::ranges::any_of(watchdog_signs, [&](std::string_view sign) { return holds(line, sign); });
  if ((is_of_watchdog || is_in_quote) && line.size() <= max_head) head_.keep(line, number);
}

ExternalReader::Found ExternalReader::read_behind_head(std::string_view line, Event& event) {
  for (const std::string_view between : {"", " "}) {  // wrapped within a word, or at a blank
    const std::string_view rest = between.empty() ? line : trimmed(line);
    const std::string_view combined = head_.with(rest.substr(0, max_head), between);
    Found found = read_rows(combined, event);
    if (!found && quote_lines_left_ > 0) found = match_quote(combined, combined, event);
    found.head = head_.size() + between.size();
    if (found) return found;
  }
  return {};
}

ExternalReader::Found ExternalReader::read_in_traceback(std::string_view line, std::uint64_t number,
                                                        bool is_keyword_line, Event& event) {
  // If only decoration precedes `Traceback`, the line contains nothing else to read.
  if (traceback_.begin(line, is_keyword_line) && without_decoration(line).starts_with("Traceback")) return {};
  const RaisedLine raised = traceback_.take(line);
  // A matching row takes precedence, because it also gives the message of the exception, or the NCCL message in it.
  const Found found = read_line(line, number, is_keyword_line, event);
  const bool is_harmless = raised && raised.harmless && !is_about_nccl(line);
  if (is_harmless && (!found || std::holds_alternative<ProgramRaised>(event))) return {};
  if (found) return found;
  if (!raised) return is_keyword_line ? read_phrase(line, event) : Found{};
  event = ProgramRaised{raised.exception, raised.words};
  const char* const begin = raised.exception.data();
  return {line, trimmed_end(line.substr(static_cast<std::size_t>(begin - line.data())))};
}

ExternalReader::Found ExternalReader::read_line(std::string_view line, std::uint64_t number, bool is_keyword_line,
                                                Event& event) {
  if (ras_lines_left_ > 0) --ras_lines_left_;
  if (thrown_lines_left_ > 0) --thrown_lines_left_;
  bool is_part = false;
  if (is_keyword_line && holds(line, watchdog_location)) head_.drop();  // The line begins a message of its own.
  if (!head_.empty()) {
    const Found found = read_behind_head(line, event);
    is_part = !found && (head_.append(line, number) || head_.append_indented(line, number));
    if (!is_part) head_.drop();
    if (found) return found;
  }
  // A line without a keyword is parsed only because it may continue an earlier line. No row can match it by itself,
  // except as the message of a C++ exception.
  const bool may_match = is_keyword_line || ras_lines_left_ > 0 || thrown_lines_left_ > 0;
  const Found found = may_match ? read_rows(line, event) : Found{};
  if (is_keyword_line && holds(line, thrown)) thrown_lines_left_ = thrown_lines + 1;
  const bool raised = found && std::holds_alternative<ProgramRaised>(event);
  if (found) head_.drop();
  if (found && !raised) return found;
  if (!is_keyword_line && quote_lines_left_ == 0 && ras_lines_left_ == 0) return found;
  // A quoted NCCL message shows the cause and has priority over the exception that quotes it.
  Event quoted;
  if (const Found quote = read_quote(line, quoted)) {
    head_.drop();
    event = quoted;
    return quote;
  }
  if (!raised && !is_part) look_ahead(line, number);
  return found;
}

}  // namespace nccl_analyze
