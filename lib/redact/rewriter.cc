#include "redact/rewriter.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "redact/bytes.h"
#include "redact/scan.h"
#include "redact/vocabulary.h"

namespace nccl_analyze::redact {

/// A visitor of scan_line() that replaces names and addresses.
struct WordOverwriter {
  const Rewriter& rewriter;
  MarkedLine& line;

  void ipv4(std::size_t at, std::size_t size, std::uint32_t address) {
    rewriter.addresses_.overwrite_ipv4(line.text.data() + at, size, address);
    line.mark(at, size);
  }
  void ipv6(std::size_t at, std::size_t size, std::size_t tail, const Ipv6& address) {
    rewriter.addresses_.overwrite_ipv6(line.text.data() + at, size, tail, address);
    line.mark(at, size);
  }
  void hex(std::size_t at, std::size_t size, std::uint64_t value) {
    if (rewriter.addresses_.overwrite_guid(line.text.data() + at, size, value)) line.mark(at, size);
  }
  void word(std::size_t at, std::size_t end) {
    rewriter.overwrite_hex(line, at, end);
    const std::size_t known = rewriter.overwrite_behind_backslash(line, at, end);
    rewriter.overwrite_words(line, at + known, end);
  }
};

/// A visitor for names of files, which also replaces words that are neither names nor common words.
struct FileNameOverwriter : WordOverwriter {
  void word(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end;) {
      if (const std::size_t size = rewriter.overwrite_name(line, at, end); size > 0) {
        at += size;
        continue;
      }
      const std::string_view text = line.text;
      const std::size_t part = end_of(text, at, [](char c) { return is_name_byte(c) && !is_separator(c); });
      const std::size_t letters = end_of(text, at, is_letter);
      const bool is_common =
          is_common_word(lowered(text.substr(at, part - at))) || is_common_word(lowered(text.substr(at, letters - at)));
      if (part > at && !is_common) rewriter.names_.overwrite(line.text.data() + at, part - at);
      at = part + 1;
    }
    // The whole word is examined again, because a single part does not show that it belongs to an address.
    const std::string_view known = line.is_known;
    rewriter.names_.overwrite_numbers(line.text.data() + begin, end - begin, known.substr(begin, end - begin));
  }
};

namespace {

constexpr std::size_t most_parts = 16;  // limit on the parts of a name that are tried

bool is_part_start(std::string_view line, std::size_t begin, std::size_t at) {
  return at == begin || is_separator(line[at - 1]);
}

}  // namespace

void Rewriter::rewrite(MarkedLine& line, const FreeParts* parts) const {
  if (parts == nullptr || holds_guid(line.text)) return rewrite(line, FreePart{0, line.text.size()});
  for (const FreePart& part : parts->all()) rewrite(line, part);
}

void Rewriter::rewrite(MarkedLine& line, const FreePart& part) const {
  const std::string_view text = line.text;
  if (part.begin == part.end) return;
  WordOverwriter overwriter{*this, line};
  scan_line(text.substr(0, part.end), part.begin, overwriter);
  if (part.end < text.size()) return;
  std::size_t last_word = text.size();
  while (last_word > 0 && is_name_byte(text[last_word - 1])) --last_word;
  overwrite_cut(line, last_word, text.size());
}

void Rewriter::overwrite(MarkedLine& line, std::size_t at, std::size_t size) const {
  names_.overwrite(line.text.data() + at, size);
  line.mark(at, size);
}

void Rewriter::overwrite_hex(MarkedLine& line, std::size_t at, std::size_t end) const {
  while (at < end) {
    const std::size_t part = end_of(line.text, at, [](char c) { return is_name_byte(c) && !is_separator(c); });
    std::size_t skip = 0;
    const std::uint64_t value = long_hex(std::string_view(line.text).substr(at, part - at), skip);
    if (value != 0 && addresses_.overwrite_guid(line.text.data() + at + skip, part - at - skip, value))
      line.mark(at + skip, part - at - skip);
    at = part + 1;
  }
}

void Rewriter::overwrite_words(MarkedLine& line, std::size_t begin, std::size_t end) const {
  const std::size_t host = host_of_prefix(line.text, begin, end);
  for (std::size_t at = begin; at < host;) {
    const std::size_t size = names_.may_begin({line.text.data() + at, host - at}) ? overwrite_name(line, at, host) : 0;
    if (size == 0 && overwrite_stem(line, at, host)) return;
    at += std::max<std::size_t>(size, 1);
    while (at < host && !is_part_start(line.text, begin, at)) ++at;
  }
  if (host == end) return;
  overwrite(line, host, end - host);
  overwrite_cut(line, begin, host);
}

std::size_t Rewriter::host_of_prefix(std::string_view line, std::size_t begin, std::size_t end) const {
  if (!goes_on_as_prefix(line.substr(end))) return end;
  std::size_t at = begin;
  while (at < end && names_.find(line.substr(at, end - at)) == NameTable::Known::no) ++at;
  return at;
}

std::size_t Rewriter::overwrite_name(MarkedLine& line, std::size_t at, std::size_t end) const {
  std::array<std::size_t, most_parts> ends{};
  std::size_t count = 0;
  for (std::size_t i = at + 1; i <= end && count < most_parts; ++i)
    if (i == end || is_separator(line.text[i])) ends[count++] = i;
  const std::string_view text = line.text;
  while (count > 0) {
    const std::size_t last = ends[--count];
    const NameTable::Known known = names_.find(text.substr(at, last - at));
    if (known == NameTable::Known::no) continue;
    const bool is_named = known == NameTable::Known::everywhere || is_place(line, at, last);
    if (!is_named) continue;
    overwrite(line, at, last - at);
    return last - at + overwrite_domain(line, last, end);
  }
  return 0;
}

bool Rewriter::is_place(const MarkedLine& line, std::size_t begin, std::size_t end) {
  const std::string_view text = line.text;
  if (is_place_of_name(text.substr(0, begin), text.substr(end))) return true;
  const bool is_option = begin > 0 && text[begin - 1] == '-';
  return line.names.holds(begin) && !is_option && !is_word_of_prefix(lowered(text.substr(begin, end - begin)));
}

std::size_t Rewriter::overwrite_domain(MarkedLine& line, std::size_t at, std::size_t end) const {
  if (at + 1 >= end || line.text[at] != '.' || !is_letter(line.text[at + 1])) return 0;
  const std::size_t label = end_of(line.text, at + 1, [](char c) { return is_name_byte(c) && !is_separator(c); });
  if (is_common_word(lowered({line.text.data() + at + 1, label - at - 1}))) return 0;
  overwrite(line, at, end - at);
  return end - at;
}

std::size_t Rewriter::overwrite_behind_backslash(MarkedLine& line, std::size_t at, std::size_t end) const {
  if (at < 2 || line.text[at - 2] != '\\' || !is_letter(line.text[at - 1])) return 0;
  if (names_.find({line.text.data() + at, end - at}) != NameTable::Known::no) return 0;
  const std::size_t size = overwrite_name(line, at - 1, end);
  return size == 0 ? 0 : size - 1;
}

bool Rewriter::overwrite_stem(MarkedLine& line, std::size_t at, std::size_t end) const {
  if (end + 1 >= line.text.size() || line.text[end] != '[' || !is_digit(line.text[end + 1])) return false;
  if (!names_.is_stem(lowered({line.text.data() + at, end - at}))) return false;
  overwrite(line, at, end - at);
  return true;
}

void Rewriter::overwrite_cut(MarkedLine& line, std::size_t begin, std::size_t end) const {
  constexpr std::size_t shortest = 4, longest = 256;
  begin = std::max(begin, end - std::min(end, longest));
  for (std::size_t at = begin; at + shortest <= end; ++at) {
    const std::string_view cut(line.text.data() + at, end - at);
    // Within a word, the beginning of a name may occur by chance: `strain` ends like the beginning of `train-0`.
    const bool is_certain = at == begin || std::ranges::any_of(cut, is_separator);
    if (!is_certain || !is_letter(cut.front()) || is_common_word(lowered(cut)) || !names_.begins_name(cut)) continue;
    return overwrite(line, at, cut.size());
  }
}

bool Rewriter::keeps(std::string_view word) const {
  if (word.starts_with("0x")) word.remove_prefix(2);
  constexpr std::size_t most_digits = 16;
  if (word.empty() || word.size() > most_digits || end_of(word, 0, is_hex) != word.size()) return false;
  std::uint64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number, 16);
  return addresses_.is_kept(number);
}

std::string Rewriter::file_name(std::string name) const {
  std::string marks;
  MarkedLine line(name, marks);
  FileNameOverwriter overwriter{{*this, line}};
  scan_line(line.text, 0, overwriter);
  return name;
}

}  // namespace nccl_analyze::redact
