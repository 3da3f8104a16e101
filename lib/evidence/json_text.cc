#include "evidence/json_text.h"

#include <algorithm>

#include "text/literal.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_search = std::size_t{1} << 16;  // bytes of an object that are searched for a member
constexpr std::size_t max_searches = 16;                  // limit of all searches together, as a multiple of the text

/// Returns the position after the string that begins at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// Returns the position after the value that begins at `at`; for a list or an object, after its opening bracket.
std::size_t value_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  if (text[at] == '"') return string_end(text, at);
  if (text[at] == '{' || text[at] == '[') return at + 1;
  return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
}

}  // namespace

JsonText::JsonText(std::string_view text, std::uint64_t lines_before)
    : text_(text), lines_before_(lines_before), left_(max_searches * text.size()), starts_{0} {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    starts_.push_back(at + 1);
}

JsonText::Span JsonText::find_member(std::size_t object, std::string_view key) {
  const std::string_view text = text_.substr(0, std::min(text_.size(), object + std::min(max_search, left_)));
  const auto searched = [&](std::size_t at) { left_ -= std::min(left_, at - object); };
  int depth = 0;
  std::size_t at = object;
  for (; at < text.size() && depth >= 0; ++at) {
    depth += text[at] == '{' || text[at] == '[' ? 1 : text[at] == '}' || text[at] == ']' ? -1 : 0;
    if (text[at] != '"') continue;
    const std::size_t end = string_end(text, at);
    const std::size_t colon = text.find_first_not_of(" \t\r\n", end);
    const bool is_key = depth == 0 && colon < text.size() && text[colon] == ':';
    if (is_key && text.substr(at + 1, end - at - 2) == key) {
      searched(end);
      return {at, value_end(text, std::min(text.find_first_not_of(" \t\r\n", colon + 1), text.size()))};
    }
    at = end - 1;
  }
  searched(at);
  return {};
}

std::size_t JsonText::line_at(std::size_t position) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(starts_, position) - starts_.begin()) - 1;
}

SourceQuote JsonText::piece(Span span) const {
  const std::size_t line = line_at(span.begin), start = starts_[line];
  const std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] - 1 : text_.size();
  return {lines_before_ + line + 1, literal_piece(text_.substr(start, end - start), span.begin - start,
                                                  std::min(span.end, end) - start, max_shown)};
}

SourceQuote JsonText::shown(const Json& object, std::initializer_list<std::string_view> keys) {
  const std::size_t place = place_of(object);
  std::vector<Span> found;
  for (const std::string_view key : keys)
    if (const Span span = place == 0 ? Span{} : find_member(place, key); span.end > 0) found.push_back(span);
  if (found.empty()) return {lines_before_ + line_at(place == 0 ? 0 : place - 1) + 1, {}};
  std::ranges::sort(found, {}, &Span::begin);
  SourceQuote shown = piece(found.front());
  for (const Span& span : found) add_piece(shown, piece(span));
  return shown;
}

}  // namespace nccl_analyze::evidence
