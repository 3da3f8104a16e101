#include "redact/survey.h"

#include <algorithm>
#include <array>
#include <limits>

#include "redact/bytes.h"
#include "redact/journal_line.h"
#include "text/blanks.h"
#include "text/decoration.h"
#include "text/line_scan.h"
#include "text/unmarked.h"

namespace nccl_analyze::redact {

namespace {

/// Lines that hold no record, but tell the parser that the next ones may (lib/parser/external.cc,
/// lib/text/traceback.cc).
constexpr std::array<std::string_view, 11> announcements = {"Last error:",
                                                            " compiled with CUDA ",
                                                            "CUDA runtime version ",
                                                            "in group  per comm",
                                                            "ProcessGroupNCCL.cpp:",
                                                            "Traceback (most recent call last):",
                                                            "  File \"",
                                                            "  File \\\"",
                                                            "Exception ignored in",
                                                            "--- Logging error ---",
                                                            "Exception in thread "};

bool holds(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

/// Whether a line is a piece of a text that was put together from several lines: whole or behind a decoration.
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
      parser_(SourceId{0}, [this](const Record& record) { read_record(record); }) {}

void Survey::feed(std::string_view bytes) {
  lines_.bytes += bytes.size();
  read_json(bytes);
  cutter_.feed(bytes, [this](const LogLine& line) { read_line(line); });
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

KeptLines Survey::finish() {
  cutter_.finish([this](const LogLine& line) { read_line(line); });
  parser_.finish();
  gatherer_.finish();
  for (std::size_t i = 0; i < lines_.kept.size() && i <= lines_.json_last; ++i) lines_.kept[i] = true;
  return std::move(lines_);
}

void Survey::read_line(const LogLine& line) {
  last_ = line.number;
  std::string& text = recent_[line.number % window];
  text = line.text;
  strip_line(text);
  lines_.kept.resize(line.number + 1);
  if (json_.state() == evidence::JsonSource::State::undecided) gatherer_.add(text);
  read_manifest(text, line.number);
  if (auto entry = evidence::read_journal_entry(text)) {
    gatherer_.add(*entry);
    text = std::move(entry->message);
  }
  const bool may_announce =
      find_marker(text) == std::string_view::npos || holds(text, "Error") || holds(text, "Exception");
  const bool is_announcement =
      may_announce && std::ranges::any_of(announcements, [&](std::string_view words) { return holds(text, words); });
  if (keep_other_ || is_announcement || line.number <= lines_.json_last) keep(line.number);
  for_each_part(text, [&](std::string_view part) { read_evidence(part, line.number); });
  parser_.feed(line.text);
  if (line.rest > 0) parser_.feed("x");  // a longer line is a truncated one
  if (line.has_newline) parser_.feed("\n");
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
  // As in lib/parser/read_line.cc.
  const bool holds_record = was_open ? !found_.empty() && found_.front().has_prefix
                                     : !found_.empty() || read_unmarked(text, view) == Unmarked::certain;
  evidence::Facts facts;
  if (holds_record) evidence_.interrupt(facts);
  const bool belongs = !holds_record && evidence_.read(text, number, facts);
  evidence_.take_returned();
  if (!belongs) return;
  if (evidence_.format_name() == "JSON") return gatherer_.add(text);  // its values may be secret
  keep(number);
  if (evidence_.format_name() != "pod manifest") return;
  std::vector<KeptLines::Manifest>& manifests = lines_.manifests;
  if (manifests.empty() || manifests.back().last + 1 < number || manifests.back().indent != evidence_.indent())
    manifests.push_back({number, number, evidence_.indent()});
  manifests.back().last = number;
}

void Survey::read_record(const Record& record) {
  gatherer_.add(record);
  const std::uint64_t place = parser_.stats().places(record.at.line);
  keep(place);
  const std::string_view line = text_of(place);
  if (!line.ends_with(record.text) && !holds(line, record.text)) keep_pieces(record, place);
}

void Survey::keep_pieces(const Record& record, std::uint64_t place) {
  constexpr std::uint64_t lines_before = 3;  // an exception wrapped by a terminal is found in its last line
  const std::uint64_t first = place - std::min<std::uint64_t>(place - 1, lines_before);
  for (std::uint64_t number = first; number <= last_; ++number)
    if (is_piece(text_of(number), record.text)) keep(number);
}

std::string_view Survey::text_of(std::uint64_t number) const {
  return number + window <= last_ || number > last_ ? std::string_view{} : std::string_view(recent_[number % window]);
}

void Survey::keep(std::uint64_t number) {
  if (number == 0 || number >= lines_.kept.size() || lines_.kept[number]) return;
  lines_.kept[number] = true;
  gatherer_.add(text_of(number));
}

}  // namespace nccl_analyze::redact
