// Implements the public class Parser, which passes decoded text to Parser::Impl (parser_impl.h), and the names of
// levels and kinds of damage.

#include "nccl_analyze/parser.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parser/parser_impl.h"

namespace nccl_analyze {

void Parser::Impl::update_counts() {
  stats.lines = splitter.counts().lines;
  stats.truncated = splitter.counts().truncated;
}

void Parser::Impl::feed(std::string_view text) {
  using State = evidence::JsonSource::State;
  // A log that is emptied while its writer keeps its place in it (copytruncate) begins with a hole, which reads as
  // NULs.
  if (!begun) text.remove_prefix(std::min(text.find_first_not_of('\0'), text.size()));
  if (text.empty()) return;
  begun = true;
  if (probing) probe_order(text, false);
  while (json_source.state() != State::other) {
    text.remove_prefix(json_source.take(text));
    if (json_source.state() == State::complete)
      read_json_source();
    else if (json_source.state() == State::other)
      release_json_source();
    else
      return;
  }
  feed_documents(text);
}

void Parser::Impl::probe_order(std::string_view text, bool ended) {
  probe.take(text);
  if (!probing || !(ended || probe.full())) return;
  probing = false;
  stats.newest_first = probe.newest_first(ended) ? 1 : 0;
  probe = {};
}

void Parser::Impl::feed_documents(std::string_view text) {
  if (documents.off()) return feed_lines(text);
  documents.feed(text, document_parts());
}

JsonDocuments::Parts Parser::Impl::document_parts() {
  return {.text = [this](std::string_view text) { feed_lines(text); },
          .begin = [this] { document = {.before = splitter.counts().lines - shift}; },
          .line = [this](const JsonLine& line) { add_document_line(line); },
          .end = [this](std::uint64_t newlines) { end_document(newlines); }};
}

void Parser::Impl::feed_lines(std::string_view text) {
  first_bytes.take(text);
  training.take(text);
  splitter.feed(text);
  read_lines();
  update_counts();
}

void Parser::Impl::read_json_source() {
  evidence::Facts facts;
  const std::uint64_t lines_before = splitter.counts().lines;
  if (!json_source.read(lines_before, facts)) return release_json_source();
  emit_facts(facts, {}, {});
  splitter.skip(json_source.text());
  stats.note_document({lines_before + 1, splitter.counts().lines + 1});
  json_source.begin_next();
}

// A document that cannot be read is parsed as a log, because a log may follow JSON in the same source. JSON of an
// unknown format may contain the lines of a log.
void Parser::Impl::release_json_source() {
  const std::string_view format = json_source.format_name();
  const std::string text = json_source.release();
  if (format.empty()) return feed_documents(text);
  unread_tool = format;
  documents.finish(document_parts());
  feed_lines(text);
}

void Parser::Impl::finish() {
  decoder.finish([this](std::string_view text) { feed(text); });
  probe_order({}, true);
  if (json_source.state() != evidence::JsonSource::State::other) release_json_source();
  documents.finish(document_parts());
  const bool is_open = splitter.holds_part();
  const std::uint64_t damaged_before = stats.damage(Damage::cut) + stats.damage(Damage::torn);
  splitter.finish();
  read_lines();
  evidence::Facts facts;
  evidence.finish(facts);
  emit_facts(facts, {}, {});
  LineContext none;
  read_returned(none);
  std::vector<PendingRecord> finished;
  reassembly.finish(finished);
  emit_finished(finished);
  if (is_open && stats.damage(Damage::cut) + stats.damage(Damage::torn) > damaged_before) stats.ends_early = 1;
  update_counts();
  stats.program_texts = begins_as_program_text(first_bytes.text()) ? 1 : 0;
  if (stats.places.runs().empty()) stats.trained_at = training.trained_at(stats.lines);
}

Parser::Parser(SourceId source, Sink sink, ParserLimits limits)
    : impl_(new Impl{.source = source,
                     .sink = std::move(sink),
                     .senders = SenderCache{limits.caches},
                     .max_line = limits.max_line,
                     .messages = MessageCache{standard_matcher(), limits.caches},
                     .external = ExternalReader{standard_matcher(), limits.caches}}) {}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;
Parser::~Parser() = default;

void Parser::feed(std::string_view chunk) {
  impl_->stats.bytes += chunk.size();
  impl_->decoder.feed(chunk, [this](std::string_view text) { impl_->feed(text); });
}

void Parser::finish() { impl_->finish(); }

const ParseStats& Parser::stats() const noexcept { return impl_->stats; }

// If there are facts, the source has several documents, one in each line, which were read line by line.
std::string_view Parser::unread_tool() const noexcept {
  return impl_->fact_count > 0 ? std::string_view{} : impl_->unread_tool;
}

void LineWatch::set(Parser& parser, Show show) { parser.impl().watch = std::move(show); }

std::uint64_t LineWatch::last_line(const Parser& parser) { return parser.impl().splitter.counts().lines; }

bool LineWatch::reads_lines_only(const Parser& parser) {
  const Parser::Impl& impl = parser.impl();
  return impl.json_source.state() == evidence::JsonSource::State::other && impl.documents.off();
}

namespace {

std::uint64_t count_of(const std::vector<ToolLines>& runs) {
  std::uint64_t count = 0;
  for (const ToolLines& run : runs) count += run.last + 1 - run.first;
  return count;
}

}  // namespace

ParseStats& ParseStats::operator+=(const ParseStats& other) {
  bytes += other.bytes;
  lines += other.lines;
  nccl_lines += other.nccl_lines;
  unrecognized += other.unrecognized;
  malformed += other.malformed;
  truncated += other.truncated;
  newest_first += other.newest_first;
  reversed += other.reversed;
  pickles += other.pickles;
  program_texts += other.program_texts;
  trained_at = std::max(trained_at, other.trained_at);
  if (places.runs().empty()) places = other.places;
  ends_early += other.ends_early;
  for (std::size_t i = 0; i < damaged.size(); ++i) damaged[i] += other.damaged[i];
  for (const ToolLines& run : other.documents) note_document(run);
  document_lines += other.document_lines - count_of(other.documents);
  return *this;
}

void ParseStats::move_behind(std::uint64_t lines_before) {
  if (trained_at != 0) trained_at += lines_before;
  LinePlaces moved;
  for (const LineRun& run : places.runs()) moved.add(run.first + lines_before, run.place + lines_before, run.step);
  places = std::move(moved);
  for (ToolLines& run : documents) run = {run.first + lines_before, run.last + lines_before};
}

std::uint64_t LinePlaces::operator()(std::uint64_t number) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), number,
                                      [](std::uint64_t wanted, const LineRun& run) { return wanted < run.first; });
  if (after == runs_.begin()) return number;
  const LineRun& run = *std::prev(after);
  return run.place + static_cast<std::uint64_t>(static_cast<std::int64_t>(number - run.first) * run.step);
}

void LinePlaces::add(std::uint64_t number, std::uint64_t place, std::int64_t step) {
  const std::int64_t now = runs_.empty() ? 1 : runs_.back().step;
  if ((now == step && (*this)(number) == place) || runs_.size() == max_runs) return;
  if (!runs_.empty() && runs_.back().first == number) runs_.pop_back();
  runs_.push_back({number, place, step});
}

LinePlaces LinePlaces::through(const LinePlaces& inner, const LinePlaces& outer) {
  if (inner.runs_.empty()) return outer;
  LinePlaces both;
  for (const LineRun& run : inner.runs_) both.runs_.push_back({run.first, outer(run.place), run.step});
  return both;
}

void ParseStats::note_document(ToolLines run) {
  const std::uint64_t known = documents.empty() ? 0 : documents.back().last;
  run.first = std::max(run.first, known + 1);
  if (run.first > run.last) return;
  document_lines += run.last + 1 - run.first;
  if (known > 0 && run.first == known + 1)
    documents.back().last = run.last;
  else
    documents.push_back(run);
  if (documents.size() > max_documents) documents.erase(documents.begin());
}

void ParseStats::drop_documents_from(std::uint64_t line) {
  while (!documents.empty() && documents.back().last >= line) {
    ToolLines& run = documents.back();
    const std::uint64_t first = std::max(run.first, line);
    document_lines -= run.last + 1 - first;
    if (first == run.first)
      documents.pop_back();
    else
      run.last = first - 1;
  }
}

std::uint64_t ParseStats::log_lines_after(std::uint64_t line) const {
  std::uint64_t behind = lines - std::min(lines, line);
  for (const ToolLines& run : documents)
    if (run.last > line) behind -= std::min(behind, run.last - std::max(run.first - 1, line));
  return behind;
}

std::string_view to_string(Level level) {
  constexpr std::string_view names[] = {"version", "warn", "info", "abort", "trace",
                                        "call",    "diag", "attn", "error", "outside"};
  return names[static_cast<std::size_t>(level)];
}

std::string_view to_string(Damage damage) {
  constexpr std::string_view names[] = {"none", "glued", "joined", "cut", "torn"};
  static_assert(std::size(names) == damage_kinds);
  return names[static_cast<std::size_t>(damage)];
}

}  // namespace nccl_analyze
