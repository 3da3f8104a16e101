#include "model/summary/plain_record.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace nccl_analyze::builder {

namespace {

/// Consumes parts of a line from its start.
class Scan {
 public:
  explicit Scan(std::string_view line) : left_(line) {}
  bool at_end() const { return left_.empty(); }
  bool take(std::string_view words) {
    if (!left_.starts_with(words)) return false;
    left_.remove_prefix(words.size());
    return true;
  }
  template <class Number>
  bool take_number(Number& number) {
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (error != std::errc()) return false;
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return true;
  }
  /// Consumes a text and its closing quote.
  bool take_text(Text& text) {
    const auto is_special = [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; };
    const auto size = static_cast<std::size_t>(std::ranges::find_if(left_, is_special) - left_.begin());
    text = left_.substr(0, size);
    left_.remove_prefix(size);
    return take("\"");
  }

 private:
  std::string_view left_;
};

bool take_channels(Scan& scan, SummaryRest& rest) {
  do {
    auto& [line, channel] = rest.channels.emplace_back();
    if (!scan.take("[") || !scan.take_number(line) || !scan.take(", ") || !scan.take_number(channel) || !scan.take("]"))
      return false;
    if (channel < 0 || channel > max_channel) return false;
  } while (scan.take(", "));
  return scan.take("]}");
}

}  // namespace

bool read_plain_record(std::string_view line, SummaryRecord& into) {
  Scan scan(line);
  if (!scan.take("[") || !scan.take_number(into.line) || !scan.take(", ") || !scan.take_number(into.origin) ||
      !scan.take(", \"") || !scan.take_text(into.message))
    return false;
  if (scan.take(", {\"channels\": [") && !take_channels(scan, into.rest.made())) return false;
  return scan.take("]") && scan.at_end();
}

}  // namespace nccl_analyze::builder
