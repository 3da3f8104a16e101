#include "redact/rewriter.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "redact/bytes.h"
#include "redact/scan.h"
#include "redact/vocabulary.h"

namespace nccl_analyze::redact {

/// Overwrites what scan_line() finds.
struct WordOverwriter {
  const Rewriter& rewriter;
  std::string& line;

  void ipv4(std::size_t at, std::size_t size, std::uint32_t address) {
    rewriter.addresses_.overwrite_ipv4(line.data() + at, size, address);
  }
  void ipv6(std::size_t at, std::size_t size, std::size_t tail, const Ipv6& address) {
    rewriter.addresses_.overwrite_ipv6(line.data() + at, size, tail, address);
  }
  void hex(std::size_t at, std::size_t size, std::uint64_t value) {
    rewriter.addresses_.overwrite_guid(line.data() + at, size, value);
  }
  void word(std::size_t at, std::size_t end) {
    rewriter.overwrite_hex(line, at, end);
    const std::size_t known = rewriter.overwrite_behind_backslash(line, at, end);
    rewriter.overwrite_words(line, at + known, end);
  }
};

/// Also overwrites words that are neither names nor common words.
struct FileNameOverwriter : WordOverwriter {
  void word(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end;) {
      if (const std::size_t size = rewriter.overwrite_name(line, at, end); size > 0) {
        at += size;
        continue;
      }
      const std::size_t part = end_of(line, at, [](char c) { return is_name_byte(c) && !is_separator(c); });
      const std::size_t letters = end_of(line, at, is_letter);
      const bool is_common =
          is_common_word(lowered(line.substr(at, part - at))) || is_common_word(lowered(line.substr(at, letters - at)));
      if (part > at && !is_common) rewriter.names_.overwrite(line.data() + at, part - at);
      at = part + 1;
    }
  }
};

namespace {

constexpr std::size_t most_parts = 16;  // of one name

bool is_part_start(std::string_view line, std::size_t begin, std::size_t at) {
  return at == begin || is_separator(line[at - 1]);
}

/// Whether `text` goes on as a prefix of NCCL does behind its host: `:152:386 [`.
bool goes_on_as_prefix(std::string_view text) {
  if (!text.starts_with(':')) return false;
  const std::size_t pid = end_of(text, 1, is_digit);
  return pid > 1 && pid + 1 < text.size() && text[pid] == ':' && is_digit(text[pid + 1]);
}

/// Whether a name stands between these texts, so that a common word there is one too.
bool is_place_of_name(std::string_view before, std::string_view behind) {
  constexpr std::array<std::string_view, 13> words = {
      "[pod/", "/home/", "/Users/", "@",      "://",        "node ",     "host ",
      "host=", "on ",    "error: ", "name: ", "amespace: ", "container "};
  const auto precedes = [&](std::string_view word) { return before.ends_with(word); };
  if (goes_on_as_prefix(behind) || std::ranges::any_of(words, precedes)) return true;
  if (behind.size() > 1 && behind[0] == '<' && is_digit(behind[1])) return true;
  const bool is_quoted = before.ends_with("\"") && behind.starts_with("\"");
  const bool is_container = before.ends_with('/') && behind.starts_with(']') && before.find("[pod/") != before.npos;
  return is_quoted || is_container || (before.empty() && behind.starts_with(' '));
}

}  // namespace

void Rewriter::rewrite(std::string& line) const {
  const std::string text = line;
  WordOverwriter overwriter{*this, line};
  scan_line(text, overwriter);
  std::size_t last_word = line.size();
  while (last_word > 0 && is_name_byte(line[last_word - 1])) --last_word;
  overwrite_cut(line, last_word, line.size());
}

void Rewriter::overwrite_hex(std::string& line, std::size_t at, std::size_t end) const {
  while (at < end) {
    const std::size_t part = end_of(line, at, [](char c) { return is_name_byte(c) && !is_separator(c); });
    std::size_t skip = 0;
    const std::uint64_t value = long_hex(std::string_view(line).substr(at, part - at), skip);
    if (value != 0) addresses_.overwrite_guid(line.data() + at + skip, part - at - skip, value);
    at = part + 1;
  }
}

void Rewriter::overwrite_words(std::string& line, std::size_t begin, std::size_t end) const {
  const std::size_t host = host_of_prefix(line, begin, end);
  for (std::size_t at = begin; at < host;) {
    const std::size_t size = names_.may_begin({line.data() + at, host - at}) ? overwrite_name(line, at, host) : 0;
    if (size == 0 && overwrite_stem(line, at, host)) return;
    at += std::max<std::size_t>(size, 1);
    while (at < host && !is_part_start(line, begin, at)) ++at;
  }
  if (host == end) return;
  names_.overwrite(line.data() + host, end - host);
  overwrite_cut(line, begin, host);
}

std::size_t Rewriter::host_of_prefix(std::string_view line, std::size_t begin, std::size_t end) const {
  if (!goes_on_as_prefix(line.substr(end))) return end;
  std::size_t at = begin;
  while (at < end && names_.find(line.substr(at, end - at)) == NameTable::Known::no) ++at;
  return at;
}

std::size_t Rewriter::overwrite_name(std::string& line, std::size_t at, std::size_t end) const {
  std::array<std::size_t, most_parts> ends{};
  std::size_t count = 0;
  for (std::size_t i = at + 1; i <= end && count < most_parts; ++i)
    if (i == end || is_separator(line[i])) ends[count++] = i;
  const std::string_view text = line;
  while (count > 0) {
    const std::size_t last = ends[--count];
    const NameTable::Known known = names_.find(text.substr(at, last - at));
    if (known == NameTable::Known::no) continue;
    const bool is_named =
        known == NameTable::Known::everywhere || is_place_of_name(text.substr(0, at), text.substr(last));
    if (!is_named) continue;
    names_.overwrite(line.data() + at, last - at);
    return last - at + overwrite_domain(line, last, end);
  }
  return 0;
}

std::size_t Rewriter::overwrite_domain(std::string& line, std::size_t at, std::size_t end) const {
  if (at + 1 >= end || line[at] != '.' || !is_letter(line[at + 1])) return 0;
  const std::size_t label = end_of(line, at + 1, [](char c) { return is_name_byte(c) && !is_separator(c); });
  if (is_common_word(lowered({line.data() + at + 1, label - at - 1}))) return 0;
  names_.overwrite(line.data() + at, end - at);
  return end - at;
}

std::size_t Rewriter::overwrite_behind_backslash(std::string& line, std::size_t at, std::size_t end) const {
  if (at < 2 || line[at - 2] != '\\' || !is_letter(line[at - 1])) return 0;
  if (names_.find({line.data() + at, end - at}) != NameTable::Known::no) return 0;
  const std::size_t size = overwrite_name(line, at - 1, end);
  return size == 0 ? 0 : size - 1;
}

bool Rewriter::overwrite_stem(std::string& line, std::size_t at, std::size_t end) const {
  if (end + 1 >= line.size() || line[end] != '[' || !is_digit(line[end + 1])) return false;
  if (!names_.is_stem(lowered({line.data() + at, end - at}))) return false;
  names_.overwrite(line.data() + at, end - at);
  return true;
}

void Rewriter::overwrite_cut(std::string& line, std::size_t begin, std::size_t end) const {
  constexpr std::size_t shortest = 4, longest = 256;
  begin = std::max(begin, end - std::min(end, longest));
  for (std::size_t at = begin; at + shortest <= end; ++at) {
    const std::string_view cut(line.data() + at, end - at);
    // Within a word, letters alone may be an end of it: `strain` ends with the beginning of `train-0`.
    const bool is_certain = at == begin || std::ranges::any_of(cut, is_separator);
    if (!is_certain || !is_letter(cut.front()) || is_common_word(lowered(cut)) || !names_.begins_name(cut)) continue;
    return names_.overwrite(line.data() + at, cut.size());
  }
}

std::string Rewriter::file_name(std::string name) const {
  const std::string text = name;
  FileNameOverwriter overwriter{{*this, name}};
  scan_line(text, overwriter);
  return name;
}

}  // namespace nccl_analyze::redact
