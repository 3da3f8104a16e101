// Parses log lines inside JSON: in a line that is JSON, or in a document of any size.

#include <algorithm>
#include <utility>

#include "parser/parser_impl.h"
#include "text/line_scan.h"
#include "text/line_time.h"

namespace nccl_analyze {

namespace {

/// Returns the log lines of the JSON in the line `text`. Returns none if a record stands outside of the JSON, or if the
/// JSON is cut and has only one log line.
std::vector<JsonLine> lines_in_json(std::string_view text, std::size_t max_string) {
  std::vector<JsonLine> lines;
  const JsonLines::Sink sink = [&](const JsonLine& line) { lines.push_back(line); };
  std::size_t at = 0;
  std::size_t marker = find_marker(text);
  while (marker != std::string_view::npos) {
    const std::size_t begin = text.find_first_of("{[", at);
    if (begin > marker) return {};
    JsonLines json(max_string);
    at = begin + json.take(text.substr(begin), sink);
    json.finish(sink);
    if (marker < at) marker = find_marker(text, at);
    const bool is_cut = json.state() == JsonLines::State::open && lines.size() == 1;
    const bool is_wrong = json.state() == JsonLines::State::wrong && marker != std::string_view::npos;
    if (is_cut || is_wrong) return {};
    if (json.state() != JsonLines::State::closed) break;
  }
  return lines;
}

std::size_t memory_of(const JsonLine& line) {
  constexpr std::size_t short_string = 16, block = 32;  // bytes that fit inside a string; overhead of an allocation
  std::size_t size = sizeof line;
  for (const std::string* const text : {&line.text, &line.fields.pod, &line.fields.container, &line.fields.time})
    if (text->size() >= short_string) size += text->size() + block;
  return size;
}

}  // namespace

bool Parser::Impl::read_json(const Line& line, std::string_view text, const Origin& outer) {
  std::vector<JsonLine> lines = lines_in_json(text, max_line);
  if (lines.empty()) return false;
  TimeOrder order;
  for (const JsonLine& one : lines) order.add(time_of_field(one.fields.time));
  if (order.newest_first()) {
    std::ranges::reverse(lines);
    stats.reversed = 1;
  }
  const std::uint64_t before = line.number - shift - 1;
  splitter.set_number(line.number - 1);
  for (const JsonLine& one : lines) read_document_line(one, before, outer);
  const std::uint64_t next = splitter.counts().lines + 1;
  shift = next - (before + 2);
  stats.places.add(next, before + 2, 1);
  return true;
}

void Parser::Impl::add_document_line(const JsonLine& line) {
  if (!document.hold) return read_document_line(line, document.before, {});
  document.order.add(time_of_field(line.fields.time));
  document.held.push_back(line);
  document.bytes += memory_of(line);
  const bool decides = document.held.size() >= DocumentLines::few && !document.order.newest_first();
  if (decides || document.bytes > DocumentLines::max_bytes) {
    if (!decides) stats.newest_first = 1;
    document.hold = false;
    read_held_lines();
  }
}

void Parser::Impl::end_document(std::uint64_t newlines) {
  if (document.order.newest_first() && document.hold) {
    std::ranges::reverse(document.held);
    stats.reversed = 1;
  }
  read_held_lines();
  const std::uint64_t place = document.before + newlines;
  const std::uint64_t number = std::max(splitter.counts().lines, place);
  splitter.set_number(number);
  shift = number - place;
  stats.places.add(number + 1, place + 1, 1);
  document = {};
}

void Parser::Impl::read_held_lines() {
  for (const JsonLine& line : std::exchange(document.held, {})) read_document_line(line, document.before, {});
}

void Parser::Impl::read_document_line(const JsonLine& line, std::uint64_t before, const Origin& outer) {
  Origin origin;
  const JsonFields& fields = line.fields;
  origin.pod = fields.pod.empty() ? outer.pod : fields.pod;
  origin.container = fields.container.empty() ? outer.container : fields.container;
  origin.time = fields.time.empty() ? outer.time : fields.time;
  if (line.truncated) splitter.count_truncated();
  std::string_view text = line.text;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::string_view one = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    const std::uint64_t place = before + line.line + 1;
    const std::uint64_t number = std::max(place, splitter.counts().lines + 1);
    stats.places.add(number, place, number == place ? 1 : 0);
    splitter.set_number(number);
    if (wanted() == Wanted::keyword && !has_keyword(one)) continue;
    Line read;
    read.text = one;
    read.number = number;
    read_any(read, origin);
  }
}

}  // namespace nccl_analyze
