#include "redact/name_places.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_set>

#include "redact/bytes.h"
#include "redact/forms.h"
#include "text/blanks.h"

namespace nccl_analyze::redact {

namespace {

constexpr std::size_t longest_look = 256;  // Bytes before and after a word that are examined.

/// Whether `text` is the rest of a prefix, `:152:386 [0] `, or `:152:386 NCCL`.
bool is_before_prefix(std::string_view text) {
  if (!goes_on_as_prefix(text)) return false;
  const std::size_t thread = end_of(text, text.find(':', 1) + 1, is_digit);
  return text.substr(thread).starts_with(" [") || text.substr(thread).starts_with(" NCCL");
}

/// Returns the length of `open`, a number and `close` together, if `text` begins with them; else 0.
std::size_t number_between(std::string_view text, std::string_view open, std::string_view close) {
  if (!text.starts_with(open)) return 0;
  const std::size_t end = end_of(text, open.size(), is_digit);
  return end > open.size() && text.substr(end).starts_with(close) ? end + close.size() : 0;
}

bool ends_with_any(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.ends_with(word); });
}

/// Whether the text between `before` and `behind` is a host in a list of srun: `srun: error: node1,node[3-4]: tasks
/// 0-7: Killed`.
bool is_in_list_of_srun(std::string_view before, std::string_view behind) {
  constexpr std::string_view lead = "srun: error: ";
  const auto is_of_list = [](char c) { return is_name_byte(c) || c == ',' || c == '[' || c == ']'; };
  if (!behind.substr(end_of(behind, 0, is_of_list)).starts_with(": task")) return false;
  const std::size_t at = before.rfind(lead);
  return at != std::string_view::npos && end_of(before, at + lead.size(), is_of_list) == before.size();
}

/// Whether the text between `before` and `behind` is a name in brackets after its number: `Killed process 4711
/// (python)` of the kernel, `uid=1000(ray)`.
bool is_name_of_number(std::string_view before, std::string_view behind) {
  constexpr std::array<std::string_view, 3> leads = {"process ", "id=", "groups="};
  if (!before.ends_with('(') || !behind.starts_with(')')) return false;
  before = trimmed_end(before.substr(0, before.size() - 1));
  while (!before.empty() && is_digit(before.back())) before.remove_suffix(1);
  return ends_with_any(before, leads);
}

/// Whether the text between `before` and `behind` is the host in a line of nccl-tests: `Pid 4711 on   node1 device 0`,
/// `.. node1 pid 4711: Test failure`.
bool is_host_of_tests(std::string_view before, std::string_view behind) {
  constexpr std::string_view device = " device ";
  if (behind.starts_with(device)) {
    const std::size_t number = end_of(behind, device.size(), [](char c) { return c == ' '; });
    return trimmed_end(before).ends_with(" on") && number_between(behind.substr(number), "", " [") > 0;
  }
  return before.ends_with(".. ") && number_between(behind, " pid ", ": Test") > 0;
}

/// Whether the word is a date with a time of the day, `2026-01-31T10:00:00`.
bool is_timestamp(std::string_view word) {
  return word.size() > 18 && word[4] == '-' && word[7] == '-' && (word[10] == 'T' || word[10] == 't') &&
         word[13] == ':' && is_digit(word[0]) && is_digit(word[11]);
}

constexpr std::array<std::string_view, 12> months = {"jan", "feb", "mar", "apr", "may", "jun",
                                                     "jul", "aug", "sep", "oct", "nov", "dec"};

std::string_view take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

}  // namespace

bool goes_on_as_prefix(std::string_view text) {
  if (!text.starts_with(':')) return false;
  const std::size_t pid = end_of(text, 1, is_digit);
  return pid > 1 && pid + 1 < text.size() && text[pid] == ':' && is_digit(text[pid + 1]);
}

bool is_place_of_name(std::string_view before, std::string_view behind) {
  constexpr std::string_view words[] = {"node ",   "host ",  "host=",      "on ",
                                        "error: ", "name: ", "amespace: ", "container "};
  if (is_place_of_names_alone(before, behind) || goes_on_as_prefix(behind) || ends_with_any(before, words)) return true;
  const bool is_quoted = before.ends_with('"') && behind.starts_with('"');
  return is_quoted || (before.empty() && behind.starts_with(' '));
}

bool is_in_userinfo(std::string_view before, std::string_view behind) {
  if (behind.find('@') == std::string_view::npos) return false;
  const std::size_t scheme = before.rfind("://");
  if (scheme == std::string_view::npos || before.find_first_of("/ \"'", scheme + 3) != before.npos) return false;
  if (before.find('@', scheme) != before.npos) return false;
  return behind.substr(0, behind.find_first_of("/ \"'")).find('@') != behind.npos;
}

bool is_before_domain(std::string_view behind) {
  constexpr std::size_t shortest_end = 2;
  if (!behind.starts_with('@')) return false;
  std::string_view domain = behind.substr(1, end_of(behind, 1, is_name_byte) - 1);
  while (domain.ends_with('.')) domain.remove_suffix(1);
  const std::size_t end = domain.rfind('.') + 1;
  return end > 1 && domain.size() >= end + shortest_end && end_of(domain, end, is_letter) == domain.size();
}

bool is_place_of_names_alone(std::string_view before, std::string_view behind) {
  constexpr std::string_view words[] = {"[pod/",       "/home/",    "/Users/",           "@",
                                        "://",         " on node ", "resolve hostname ", "connect to host ",
                                        "slurmstepd-", "slurmd-"};
  before = before.substr(before.size() - std::min(before.size(), longest_look));
  behind = behind.substr(0, longest_look);
  if (is_before_prefix(behind) || ends_with_any(before, words) || behind.starts_with('@')) return true;
  if (number_between(behind, "<", "") > 0 || behind.starts_with(": Test ")) return true;
  if (before.ends_with('(') && number_between(behind, ", ", ")") > 0) return true;
  if (before.ends_with('[') && number_between(behind, "]:", "") > 0) return true;
  const bool is_container = before.ends_with('/') && behind.starts_with(']') && before.find("[pod/") != before.npos;
  return is_container || is_in_userinfo(before, behind) || is_in_list_of_srun(before, behind) ||
         is_name_of_number(before, behind) || is_host_of_tests(before, behind);
}

bool begins_host_list(std::string_view word, std::string_view behind) {
  constexpr std::string_view numbered_things[] = {
      "rank", "ranks", "channel", "channels", "gpu",   "gpus",   "cpu",     "cpus", "ring", "rings", "tree", "trees",
      "nic",  "nics",  "numa",    "core",     "cores", "device", "devices", "dev",  "port", "ports", "peer", "peers"};
  const auto is_of_list = [](char c) { return is_digit(c) || c == '-' || c == ','; };
  if (!behind.starts_with('[')) return false;
  const std::size_t end = end_of(behind, 1, is_of_list);
  const std::string_view list = behind.substr(1, end - 1);
  const bool has_several = list.find_first_of("-,") != list.npos && is_digit(list.front()) && is_digit(list.back());
  if (!has_several || !behind.substr(end).starts_with(']')) return false;
  const bool is_filled = list.front() == '0' && end_of(list, 0, is_digit) > 1;  // `001`
  return is_filled || !is_among(numbered_things, lowered(word));
}

bool is_in_range_of_addresses(std::string_view before) {
  constexpr std::ptrdiff_t fewest_points = 2;
  const auto is_of_list = [](char c) { return is_digit(c) || c == '-' || c == ','; };
  before = before.substr(before.size() - std::min(before.size(), longest_look));
  while (!before.empty() && is_of_list(before.back())) before.remove_suffix(1);
  if (!before.ends_with(".[")) return false;
  before.remove_suffix(1);
  std::size_t begin = before.size();
  while (begin > 0 && (is_digit(before[begin - 1]) || before[begin - 1] == '.')) --begin;
  return std::ranges::count(before.substr(begin), '.') >= fewest_points;
}

ByteRange names_of_syslog(std::string_view line) {
  std::string_view rest = line;
  const std::size_t priority = number_between(rest, "<", ">");
  rest.remove_prefix(priority);
  const bool is_structured = priority > 0 && rest.starts_with("1 ");  // RFC 5424: version 1 follows the priority.
  if (is_structured) take_word(rest);
  const std::string_view first = take_word(rest);
  const bool has_month = is_among(months, lowered(first.substr(0, 3))) && first.size() == 3;
  if (has_month) {
    const std::string_view day = take_word(rest), time = take_word(rest);
    if (day.size() > 2 || end_of(day, 0, is_digit) != day.size() || time.size() < 8 || time[2] != ':') return {};
  } else if (!is_timestamp(first)) {
    return {};
  }
  const std::size_t begin = line.size() - rest.size();
  take_word(rest);  // the host
  const std::string_view program = take_word(rest);
  if (!has_month && !is_structured && !program.ends_with(':')) return {};
  return {begin, line.size() - rest.size()};
}

bool is_word_of_prefix(std::string_view word) {
  constexpr std::string_view words =
      " python pod kernel torchrun stdout stderr stddiag f p i w e d t z info warn warning error debug "
      "trace notice nccl rank local global gpu cpu pid tid ip log out err txt input am pm utc gmt cet cest "
      "pst pdt est edt jst mon tue wed thu fri sat sun dp tp pp ep actor worker workers systemd slurmd "
      "slurmstepd kubelet containerd dockerd srun mpirun prterun x xx xxx raylet raytrainworker "
      "rayworkerwrapper rayworkervllm workerdict vllmworkerprocess vllmworker enginecore mainthread json "
      "message time level default container jan feb mar apr may jun jul aug sep oct nov dec ";
  static const std::unordered_set<std::string_view> all = [&] {
    std::unordered_set<std::string_view> made;
    for (std::string_view rest = words; !trimmed(rest).empty();) made.insert(take_word(rest));
    return made;
  }();
  for (std::size_t at = 0; at < word.size(); ++at) {
    const std::size_t end = end_of(word, at, is_letter);
    if (end == at) continue;
    if (!all.contains(word.substr(at, end - at))) return false;
    at = end - 1;
  }
  return true;
}

bool is_piece_of_address(std::string_view line, std::size_t begin, std::size_t end) {
  const auto is_of_address = [](char c) { return is_hex(c) || lower(c) == 'x' || c == '.' || c == ':' || c == '*'; };
  const std::string_view word = line.substr(begin, end - begin), behind = line.substr(end, longest_look);
  const bool has_point =
      word.find('.') != word.npos && end_of(word, 0, [](char c) { return is_digit(c) || c == '.'; }) == word.size();
  if (has_point && word.ends_with('.') && (behind.starts_with('*') || behind.starts_with('['))) return true;
  // A slash and one of these numbers give the size of a network. Such a text is not a ratio.
  constexpr std::array<std::string_view, 7> sizes = {"/8", "/12", "/16", "/20", "/22", "/23", "/24"};
  const std::size_t size = behind.starts_with('/') ? end_of(behind, 1, is_digit) : 0;
  const bool ends_size = size >= behind.size() || (!is_name_byte(behind[size]) && behind[size] != '/');
  if (has_point && is_among(sizes, behind.substr(0, size)) && ends_size) return true;
  // NCCL prints addresses after the name of their interface.
  std::size_t from = begin;
  while (from > 0 && begin - from < longest_look && is_of_address(line[from - 1])) --from;
  while (from < begin && line[from] != ':') ++from;  // the end of the name of the interface
  std::size_t interface = from;
  while (interface > 0 && is_name_byte(line[interface - 1])) --interface;
  if (line[from] != ':' || !is_interface(lowered(line.substr(interface, from - interface)))) return false;
  const std::size_t last = end_of(line, end, is_of_address);
  const std::string_view address = line.substr(from + 1, last - from - 1);
  // The line may be cut after the first number of an address. A single digit is the port of a card.
  const bool is_cut = last == line.size() && address.size() > 1 && end_of(address, 0, is_digit) == address.size();
  if (is_cut) return true;
  return address.find_first_of(".:") != address.npos && (last == line.size() || line[last] != '/');
}

}  // namespace nccl_analyze::redact
