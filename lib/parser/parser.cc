// Glue of text and messages: lines become records.

#include "nccl_analyze/parser.h"

#include <string>
#include <utility>
#include <vector>

#include "messages/matcher.h"
#include "text/lines.h"
#include "text/prefix.h"
#include "text/wrapper.h"

namespace nccl_analyze {

struct Parser::Impl {
  SourceId source;
  Sink sink;
  LineSplitter splitter;
  const Matcher& matcher = standard_matcher();
  ParseStats stats;
  Record record;
  std::string unwrapped, scratch;
  std::vector<FoundRecord> found;

  void line(std::string_view text, std::uint64_t number) {
    text = unwrap_json(text, unwrapped);
    while (true) {
      const std::size_t newline = text.find('\n');
      records(text.substr(0, newline), number);
      if (newline == std::string_view::npos) return;
      text.remove_prefix(newline + 1);
    }
  }

  void records(std::string_view text, std::uint64_t number) {
    text = strip_escapes(text, scratch);
    found.clear();
    find_records(text, found);
    std::size_t floor = 0;
    for (const FoundRecord& one : found) {
      ++stats.nccl_lines;
      if (!one.has_prefix && one.level != Level::version) ++stats.malformed;
      record.at = {source, number};
      record.level = one.level;
      record.origin = one.origin;
      read_wrapper(text.substr(floor, one.start > floor ? one.start - floor : 0), record.origin);
      record.message = one.message;
      record.text = one.text;
      if (matcher.match(one.message, record.event) == nullptr) ++stats.unrecognized;
      sink(record);
      floor = static_cast<std::size_t>(one.message.data() - text.data()) + one.message.size();
    }
  }

  auto emit() {
    return [this](std::string_view text, std::uint64_t number) { line(text, number); };
  }

  void take_counts() {
    stats.bytes = splitter.counts().bytes;
    stats.lines = splitter.counts().lines;
    stats.truncated = splitter.counts().truncated;
  }
};

Parser::Parser(SourceId source, Sink sink, ParserLimits limits)
    : impl_(new Impl{.source = source,
                     .sink = std::move(sink),
                     .splitter = LineSplitter{limits.max_line},
                     .stats = {},
                     .record = {},
                     .unwrapped = {},
                     .scratch = {},
                     .found = {}}) {}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;
Parser::~Parser() = default;

void Parser::feed(std::string_view chunk) {
  impl_->splitter.feed(chunk, impl_->emit());
  impl_->take_counts();
}

void Parser::finish() {
  impl_->splitter.finish(impl_->emit());
  impl_->take_counts();
}

const ParseStats& Parser::stats() const noexcept { return impl_->stats; }

std::string_view to_string(Level level) {
  constexpr std::string_view names[] = {"version", "warn", "info", "abort", "trace", "call"};
  return names[static_cast<std::size_t>(level)];
}

}  // namespace nccl_analyze
