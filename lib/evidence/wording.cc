#include "evidence/wording.h"

#include <algorithm>

#include "text/escape.h"

namespace nccl_analyze::evidence {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at]) || line[at] == '\r') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::size_t start_of_words_before(std::string_view line, std::size_t at, int count) {
  for (int i = 0; i < count; ++i) {
    const std::size_t end = line.substr(0, at).find_last_not_of(" \t");
    if (end == std::string_view::npos) return end;
    const std::size_t blank = line.substr(0, end).find_last_of(" \t");
    at = blank == std::string_view::npos ? 0 : blank + 1;
  }
  return at;
}

double measured(double value) {
  constexpr double most = 1e12;
  return value >= 0 && value <= most ? value : 0;
}

std::string hex(std::uint64_t value) { return "0x" + to_hex(value); }

bool read_hex(std::string_view text, std::uint64_t& value) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc{} && end == text.data() + text.size();
}

bool is_gid(std::string_view text) {
  constexpr std::size_t shortest = 3, longest = 45;  // `::1`, and the long form with an IPv4 address at its end
  return text.size() >= shortest && text.size() <= longest &&
         text.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos &&
         std::ranges::count(text, ':') >= 2;
}

bool read_bus_id(std::string_view text, std::uint64_t& bus_id) {
  constexpr std::size_t rest_size = 7;  // `19:00.0`
  if (text.size() < rest_size) return false;
  const std::size_t split = text.size() - rest_size;
  const std::string_view rest = text.substr(split);
  std::uint64_t domain = 0, bus = 0, device = 0, function = 0;
  if (rest[2] != ':' || rest[5] != '.' || !read_hex(rest.substr(0, 2), bus) || !read_hex(rest.substr(3, 2), device) ||
      !read_hex(rest.substr(6), function))
    return false;
  constexpr std::size_t max_domain = 9;  // `00000000:`
  if (split != 0 &&
      (split < 2 || split > max_domain || text[split - 1] != ':' || !read_hex(text.substr(0, split - 1), domain)))
    return false;
  bus_id = domain << 20U | bus << 12U | device << 4U | function;
  return true;
}

}  // namespace nccl_analyze::evidence
