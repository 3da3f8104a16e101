#include "redact/survey.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include "parser/line_watch.h"
#include "redact/bytes.h"
#include "redact/journal_line.h"
#include "text/blanks.h"
#include "text/decoration.h"
#include "text/line_scan.h"
#include "text/lines.h"
#include "text/unmarked.h"

namespace nccl_analyze::redact {

namespace {

/// Lines with these words hold no record. They tell the parser what the next lines are (lib/parser/external.cc,
/// lib/text/traceback.cc), or a reader which process a RAS report is about.
constexpr WordSet words_before_records = {{"Last error:", "rror", 0},
                                          {" compiled with CUDA ", "CUDA", 1},
                                          {"CUDA runtime version ", "CUDA", 1},
                                          {"in group  per comm", "comm", 2},
                                          {" managing GPU", "anag", 2},
                                          {" managed by process ", "anag", 2},
                                          {"ProcessGroupNCCL.cpp:", "NCCL", 3},
                                          {"Traceback (most recent call last):", "(mos", 4},
                                          {"  File \"", "File", 5},
                                          {"  File \\\"", "File", 5},
                                          {"Exception ignored in", "cept", 6},
                                          {"--- Logging error ---", "Logg", 7},
                                          {"Exception in thread ", "cept", 6}};

/// The parser does not read lines with these words, but they tell what the next lines are, or hold names.
constexpr WordSet words_without_keyword = {{" compiled with CUDA ", "CUDA"},
                                           {"CUDA runtime version ", "CUDA"},
                                           {" managing GPU", "anag"},
                                           {" managed by process ", "anag"},
                                           {"  File \"", "File"},
                                           {"  File \\\"", "File"},
                                           {"\"kind\"", "kind"},
                                           {"\"MESSAGE\"", "SAGE"}};

bool holds(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

/// Whether `text`, which was joined from several lines, contains `line`, with or without the decoration of the line.
bool is_piece(std::string_view line, std::string_view text) {
  constexpr std::size_t most_tries = 16;
  line = trimmed(line);
  for (std::size_t tries = 0; line.size() > 1 && tries < most_tries; ++tries) {
    if (holds(text, line)) return true;
    const std::size_t end = line.find_first_of(" ]>:");
    if (end == std::string_view::npos) return false;
    line = trimmed(line.substr(end + 1));
  }
  return false;
}

/// Returns the line as the parser reads it; for an entry of the journal, the message of the entry.
std::string bare_line(std::string_view line) {
  std::string text(line.substr(0, ParserLimits{}.max_line));
  strip_line(text);
  if (auto entry = evidence::read_journal_entry(text)) return std::move(entry->message);
  return text;
}

}  // namespace

void strip_line(std::string& line) {
  std::string scratch;
  if (const std::string_view bare = strip_bare_colours(line, scratch); bare.data() != line.data()) line.swap(scratch);
  if (const std::string_view plain = strip_escapes(line, scratch); plain.data() != line.data()) line.swap(scratch);
}

Survey::Survey(AddressTable& addresses, NameTable& names, bool keep_other)
    : gatherer_(addresses, names),
      keep_other_(keep_other),
      recent_(window),
      take_name_([this](NameKind kind, std::string_view name) { gatherer_.add(kind, name); }),
      manifest_(JsonMask::Kind::manifest, take_name_),
      parser_(SourceId{0}, [this](const Record& record) { read_record(record); }) {
  LineWatch::set(parser_, [this](std::string_view line, std::uint64_t number) {
    if (run_.empty()) return;
    number = parser_.stats().places(number);
    if (is_in_run(line)) cursor_ = {number, static_cast<std::size_t>(line.data() - run_.data())};
    read_line_of_run(line, number);
  });
}

void Survey::feed(std::string_view bytes) {
  lines_.bytes += bytes.size();
  read_json(bytes);
  decoder_.feed(bytes, [this](std::string_view text) { read_text(text); });
}

void Survey::read_text(std::string_view text) {
  while (!text.empty()) {
    if (open_.empty() && reads_runs()) {
      const std::size_t end = line_start(text);
      if (end > 0) read_run(text.substr(0, end));
      text.remove_prefix(end);
      if (text.empty()) return;
    }
    const std::size_t newline = text.find('\n');
    const std::string_view part = text.substr(0, newline);
    open_.append(part.substr(0, longest_open - open_.size()));
    has_open_ = true;
    if (newline == std::string_view::npos) return;
    end_line(true);
    text.remove_prefix(newline + 1);
  }
}

void Survey::end_line(bool has_newline) {
  if (reads_runs()) {
    if (has_newline) open_ += '\n';
    read_run(open_);
  } else {
    read_line(std::string_view(open_).substr(0, ParserLimits{}.max_line));
    parser_.feed(open_);
    if (has_newline) parser_.feed("\n");
  }
  open_.clear();
  has_open_ = false;
}

/// Returns whether the next lines may be read in runs: the source does not begin with JSON, and not all of its lines
/// are kept.
bool Survey::reads_runs() {
  reads_runs_ = reads_runs_ || (!keep_other_ && json_.state() == evidence::JsonSource::State::other &&
                                last_ >= lines_.json_last && LineWatch::reads_lines_only(parser_));
  return reads_runs_;
}

/// Reads several whole lines together. The parser reports those that the analysis may use.
void Survey::read_run(std::string_view run) {
  run_ = run;
  run_first_ = last_ + 1;
  cursor_ = {run_first_, 0};
  const std::size_t newlines = line_scans().front()->count_newlines(run);
  const std::uint64_t lines = newlines + (run.ends_with('\n') ? 0 : 1);
  lines_.resize(last_ + lines + 1);
  read_lines_without_keyword();
  parser_.feed(run);
  if (!run.ends_with('\n')) parser_.finish();
  last_ += lines;
  remember_end_of_run();
  run_ = {};
}

/// Keeps the last lines of a run, because records of the next run may need them. They are copied without stripping,
/// because few of them are needed.
void Survey::remember_end_of_run() {
  std::string_view rest = run_.substr(0, run_.size() - (run_.ends_with('\n') ? 1 : 0));
  std::uint64_t first = last_ + 1;
  while (first > run_first_ && first + window > last_ + 1) {
    --first;
    const std::size_t begin = line_start(rest);
    rest = rest.substr(0, begin == 0 ? 0 : begin - 1);
  }
  const std::size_t begin = first == run_first_ ? 0 : rest.size() + 1;
  if (first > run_first_) {
    tail_.clear();
    tail_first_ = first;
  }
  if (tail_.empty()) tail_first_ = first;
  tail_.append(run_.substr(begin));
  constexpr std::uint64_t most = 16 * window;
  if (last_ - tail_first_ < most) return;
  std::size_t dropped = 0;
  for (; tail_first_ + window <= last_; ++tail_first_) dropped = tail_.find('\n', dropped) + 1;
  tail_.erase(0, dropped);
}

/// Reads those lines of a run that have no keyword of the parser, but announce other lines or hold names.
void Survey::read_lines_without_keyword() {
  const LineScan& scan = *line_scans().front();
  std::size_t next = 0;
  std::uint64_t number = run_first_;
  for (FoundWord found = scan.find(words_without_keyword, run_, 0); found;
       found = scan.find(words_without_keyword, run_, next)) {
    const std::size_t begin = line_start(run_.substr(0, found.anchor));
    const std::size_t end = std::min(run_.find('\n', found.anchor), run_.size());
    number += scan.count_newlines(run_.substr(next, begin - next));
    const std::string_view line = run_.substr(begin, std::min(end - begin, ParserLimits{}.max_line));
    if (!has_keyword(line)) read_names(std::string(bare_line(line)), number);
    next = std::min(end, run_.size());
    if (next == run_.size()) return;
  }
}

KeptLines Survey::finish() {
  decoder_.finish([this](std::string_view text) { read_text(text); });
  const bool was_run = has_open_ && reads_runs();
  if (has_open_) end_line(false);
  if (!was_run) parser_.finish();
  gatherer_.finish();
  for (std::size_t i = 0; i < lines_.kept.size() && i <= lines_.json_last; ++i) lines_.kept[i] = true;
  return std::move(lines_);
}

void Survey::read_json(std::string_view bytes) {
  using State = evidence::JsonSource::State;
  while (!bytes.empty() && json_.state() != State::other) {
    bytes.remove_prefix(json_.take(bytes));
    if (!json_.format_name().empty()) {
      const bool is_manifest = json_.format_name() == "pod manifest" || json_.format_name() == "Kubernetes events";
      if (lines_.json == KeptLines::Json::none)
        lines_.json = is_manifest ? KeptLines::Json::manifest : KeptLines::Json::document;
      lines_.json_last = std::numeric_limits<std::uint64_t>::max();
    }
    if (json_.state() == State::undecided || json_.state() == State::document) continue;
    newlines_ += static_cast<std::uint64_t>(std::ranges::count(json_.text(), '\n'));
    const bool is_whole = json_.state() == State::complete;
    if (!json_.format_name().empty()) lines_.json_last = newlines_ + (is_whole ? 1 : 0);
    if (is_whole)
      json_.begin_next();
    else
      json_.release();
  }
}

void Survey::read_line(std::string_view line) {
  const std::uint64_t number = ++last_;
  std::string& text = recent_[number % window];
  text = line;
  strip_line(text);
  lines_.resize(number + 1);
  if (json_.state() == evidence::JsonSource::State::undecided) gatherer_.add(text);
  text = read_names(std::move(text), number);
  if (keep_other_ || number <= lines_.json_last) keep(number);
  for_each_part(text, [&](std::string_view part) { read_evidence(part, number); });
}

void Survey::read_line_of_run(std::string_view line, std::uint64_t number) {
  std::string text(line);
  strip_line(text);
  text = read_names(std::move(text), number);
  for_each_part(text, [&](std::string_view part) { read_evidence(part, number); });
}

/// Gathers the names in a manifest or an entry of the journal, and keeps a line that tells what the next lines are.
/// Returns the line, or the message of the entry.
std::string Survey::read_names(std::string text, std::uint64_t number) {
  read_manifest(text, number);
  if (auto entry = evidence::read_journal_entry(text)) {
    gatherer_.add(*entry);
    text = std::move(entry->message);
  }
  const bool may_tell_of_next =
      find_marker(text) == std::string_view::npos || holds(text, "Error") || holds(text, "Exception");
  const bool tells_of_next = may_tell_of_next && line_scans().front()->find(words_before_records, text, 0);
  if (tells_of_next) keep(number, text);
  return text;
}

void Survey::read_manifest(std::string_view line, std::uint64_t number) {
  const bool may_be_manifest = (lines_.json == KeptLines::Json::manifest && number <= lines_.json_last) ||
                               json_.state() == evidence::JsonSource::State::undecided;
  std::string copy;
  if (may_be_manifest)
    manifest_.mask(copy = line);
  else if (is_manifest_in_json(line))
    JsonMask(JsonMask::Kind::manifest, take_name_).mask(copy = line);
}

void Survey::read_evidence(std::string_view text, std::uint64_t number) {
  found_.clear();
  find_records(text, found_);
  const bool was_open = evidence_.waiting();
  RecordView view;
  // The parser decides in the same way (lib/parser/read_line.cc).
  const bool holds_record = was_open ? !found_.empty() && found_.front().has_prefix
                                     : !found_.empty() || read_unmarked(text, view) == Unmarked::certain;
  evidence::Facts facts;
  if (holds_record) evidence_.interrupt(facts);
  const bool belongs = !holds_record && evidence_.read(text, number, facts);
  evidence_.take_returned();
  if (!belongs) return;
  // Values of JSON may be secret: the line is not kept, but its names are gathered.
  if (evidence_.format_name() == "JSON") return void(gatherer_.add(text));
  keep(number);
  if (evidence_.format_name() != "pod manifest") return;
  std::vector<KeptLines::Manifest>& manifests = lines_.manifests;
  if (manifests.empty() || manifests.back().last + 1 < number || manifests.back().indent != evidence_.indent())
    manifests.push_back({number, number, evidence_.indent()});
  manifests.back().last = number;
}

void Survey::read_record(const Record& record) {
  const std::uint64_t place = parser_.stats().places(record.at.line);
  if (const std::string_view line = plain_line_of(record); !line.empty()) {
    const bool is_own = gatherer_.add_plain(record, line);
    if (place >= lines_.kept.size()) return;
    lines_.kept[place] = true;
    lines_.own[place] = is_own;
    return;
  }
  gatherer_.add(record);
  keep(place);
  const std::string_view line = text_of(place);
  if (!line.ends_with(record.text) && !holds(line, record.text)) keep_pieces(record, place);
}

bool Survey::is_in_run(std::string_view text) const {
  const std::less<> before;
  return !run_.empty() && !before(text.data(), run_.data()) && before(text.data(), run_.data() + run_.size());
}

/// Returns the record's line in the run if it is a plain line that is complete and undamaged; else an empty text.
std::string_view Survey::plain_line_of(const Record& record) const {
  const bool is_whole =
      record.sender != 0 && record.damage == Damage::none && !record.is_fact && record.completed.empty();
  if (!is_whole || !is_in_run(record.text)) return {};
  const auto place = static_cast<std::size_t>(record.text.data() - run_.data());
  const std::size_t begin = line_start(run_.substr(0, place));
  return run_.substr(begin, std::min(run_.find('\n', place), run_.size()) - begin);
}

void Survey::keep_pieces(const Record& record, std::uint64_t place) {
  constexpr std::uint64_t lines_before = 3;  // An exception that a terminal has wrapped is found in its last line.
  const std::uint64_t first = place - std::min<std::uint64_t>(place - 1, lines_before), last = current_line();
  for (std::uint64_t number = first; number <= last; ++number)
    if (is_piece(text_of(number), record.text)) keep(number);
}

/// Returns the number of the line that the parser reads.
std::uint64_t Survey::current_line() const {
  if (run_.empty()) return last_;
  return std::max(last_, parser_.stats().places(LineWatch::last_line(parser_)));
}

std::string_view Survey::text_of(std::uint64_t number) {
  const std::uint64_t last = current_line();
  if (number + window <= last || number > last) return {};
  if (run_.empty() || number < run_first_) {
    if (tail_.empty() || number < tail_first_) return recent_[number % window];
    std::size_t at = 0;
    for (std::uint64_t line = tail_first_; line < number; ++line) at = tail_.find('\n', at) + 1;
    return text_ = bare_line(std::string_view(tail_).substr(at, tail_.find('\n', at) - at));
  }
  // Nearly all records come in the order of their lines.
  for (; cursor_.line < number; ++cursor_.line) cursor_.at = std::min(run_.find('\n', cursor_.at), run_.size() - 1) + 1;
  for (; cursor_.line > number; --cursor_.line) cursor_.at = line_start(run_.substr(0, cursor_.at - 1));
  return text_ = bare_line(run_.substr(cursor_.at, run_.find('\n', cursor_.at) - cursor_.at));
}

void Survey::keep(std::uint64_t number) {
  if (number != 0 && number < lines_.kept.size() && !lines_.kept[number]) keep(number, text_of(number));
}

void Survey::keep(std::uint64_t number, std::string_view text) {
  if (number == 0 || number >= lines_.kept.size() || lines_.kept[number]) return;
  lines_.kept[number] = true;
  gatherer_.add(text);
}

}  // namespace nccl_analyze::redact
