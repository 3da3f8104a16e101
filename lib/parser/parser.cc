// The parser's interface, and that of one that reads a part of the input.

#include "nccl_analyze/parser.h"

#include <utility>

#include "nccl_analyze/part_parser.h"
#include "parser/parser_impl.h"

namespace nccl_analyze {

void Parser::Impl::take_counts() {
  stats.lines = splitter.counts().lines;
  stats.truncated = splitter.counts().truncated;
}

void Parser::Impl::restart() {
  splitter.restart();
  outside.restart();
  fragments.finish(done);
  done.clear();
  stats = {};
  wrapped_at = 0;
  wrapped_head.clear();
  learned.clear();
  unsure = asked = false;
}

Parser::Parser(SourceId source, Sink sink, ParserLimits limits)
    : impl_(new Impl{.source = source, .sink = std::move(sink), .splitter = LineSplitter{limits.max_line}}) {}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;
Parser::~Parser() = default;

void Parser::feed(std::string_view chunk) {
  impl_->stats.bytes += chunk.size();
  impl_->decoder.feed(chunk, [this](std::string_view text) { impl_->feed(text); });
  impl_->take_counts();
}

void Parser::finish() { impl_->finish(); }

const ParseStats& Parser::stats() const noexcept { return impl_->stats; }

void Parser::move_to(SourceId source) noexcept {
  impl_->source = source;
  impl_->origin_of = 0;  // the record at hand has the old one
}

std::shared_ptr<const ParserKnowledge> Parser::knowledge() const {
  if (!impl_->decoder.is_plain() || !impl_->is_between()) return nullptr;
  return std::make_shared<const ParserKnowledge>(impl_->known);
}

bool Parser::pass(const ParsedPart& part) {
  const bool same = part.knowledge->known.changes() == impl_->known.changes();
  if (!impl_->decoder.is_plain() || !impl_->is_between() || (part.needs_same && !same)) return false;
  impl_->known.try_out();
  for (const ParsedPart::Speaker& speaker : part.speakers) {
    Origin origin;
    origin.host = speaker.host;
    origin.pid = speaker.pid;
    if (impl_->known.take(origin).host == speaker.meant) continue;
    impl_->known.undo();
    return false;
  }
  impl_->known.keep();
  impl_->splitter.pass({part.stats.bytes, part.stats.lines, part.stats.truncated});
  impl_->stats += part.stats;
  return true;
}

PartParser::PartParser(SourceId source, Parser::Sink sink, std::uint16_t number, ParserLimits limits)
    : impl_(new Parser::Impl{.source = source,
                             .sink = std::move(sink),
                             .splitter = LineSplitter{limits.max_line},
                             .speakers = Speakers{number},
                             .out_of_turn = true}) {}
PartParser::PartParser(PartParser&&) noexcept = default;
PartParser& PartParser::operator=(PartParser&&) noexcept = default;
PartParser::~PartParser() = default;

std::optional<ParsedPart> PartParser::parse(std::string_view lines, std::shared_ptr<const ParserKnowledge> knowledge) {
  constexpr std::size_t slice = std::size_t{1} << 15U;  // what is read in vain at most
  impl_->restart();
  if (impl_->with != knowledge) {
    impl_->with = std::move(knowledge);
    impl_->known = impl_->with->known;
    impl_->speakers.unsettle();
  }
  impl_->stats.bytes = lines.size();
  impl_->known.try_out();
  for (std::size_t at = 0; at < lines.size() && !impl_->unsure; at += slice) impl_->feed(lines.substr(at, slice));
  if (!impl_->learned.empty()) impl_->speakers.unsettle();
  impl_->known.undo();
  if (impl_->unsure || !impl_->is_between()) return std::nullopt;
  impl_->take_counts();
  return ParsedPart{impl_->stats, std::move(impl_->learned), impl_->with, impl_->asked};
}

ParseStats& ParseStats::operator+=(const ParseStats& other) {
  bytes += other.bytes;
  lines += other.lines;
  nccl_lines += other.nccl_lines;
  unrecognized += other.unrecognized;
  malformed += other.malformed;
  truncated += other.truncated;
  for (std::size_t i = 0; i < damaged.size(); ++i) damaged[i] += other.damaged[i];
  return *this;
}

std::string_view to_string(Level level) {
  constexpr std::string_view names[] = {"version", "warn", "info", "abort", "trace", "call", "diag", "outside"};
  return names[static_cast<std::size_t>(level)];
}

std::string_view to_string(Damage damage) {
  constexpr std::string_view names[] = {"none", "glued", "joined", "cut", "torn"};
  static_assert(std::size(names) == damage_kinds);
  return names[static_cast<std::size_t>(damage)];
}

}  // namespace nccl_analyze
