// Holds the table of expectation keys and parses the words of --expect and of profiles.

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "expect/expect.h"
#include "text/blanks.h"
#include "text/host_list.h"
#include "text/nearest.h"
#include "text/phrases.h"
#include "text/split.h"

namespace nccl_analyze {

namespace {

constexpr std::array<ExpectationRow, 23> rows{{
    {{"ranks", "ranks=N", "The job has N ranks."}, ValueKind::positive, judge_ranks, Subjects::job},
    {{"nodes", "nodes=N", "NCCL sees N nodes."}, ValueKind::positive, judge_nodes, Subjects::job},
    {{"hosts", "hosts=dgx[001-080]", "The logs of exactly these hosts are in the input; Slurm's notation."},
     ValueKind::hosts,
     judge_hosts,
     Subjects::hosts},
    {{"gpus", "gpus=N", "Each node has N ranks: all its GPUs work."}, ValueKind::positive, judge_gpus, Subjects::hosts},
    {{"logs", "logs", "The log of every rank is in the input."}, ValueKind::none, judge_logs, Subjects::job},
    {{"version", "version>=2.21", "The version of NCCL; 2.21 stands for every 2.21.x."},
     ValueKind::version,
     judge_version},
    {{"one-version", "one-version", "All processes run the same NCCL."}, ValueKind::none, judge_one_version},
    {{"cuda", "cuda>=12.4", "The CUDA version that NCCL was built with."}, ValueKind::version, judge_cuda},
    {{"driver", "driver>=12.4", "The CUDA version of the driver."}, ValueKind::version, judge_driver},
    {{"network", "network=IB", "The network that NCCL uses; `EFA`, `IB`, `TCPX` and `TCPXO` know its names."},
     ValueKind::text,
     judge_network},
    {{"one-network", "one-network", "All processes use the same network."}, ValueKind::none, judge_one_network},
    {{"interface", "interface=eth0", "The interface of the bootstrap."}, ValueKind::text, judge_interface},
    {{"platform", "platform=p5.48xlarge", "The instance type that aws-ofi-nccl reports."},
     ValueKind::text,
     judge_platform},
    {{"nics", "nics=N", "Each host has N NICs of the network."}, ValueKind::number, judge_nics, Subjects::hosts},
    {{"nics-used", "nics-used=N", "Connections of each host use N NICs; alone: all that it has."},
     ValueKind::number_or_none,
     judge_nics_used,
     Subjects::hosts},
    {{"nic-speed", "nic-speed>=N", "Gbit/s of each NIC (2.27.3+)."},
     ValueKind::number,
     judge_nic_speed,
     Subjects::hosts},
    {{"gdr", "gdr", "Every connection over the network uses GPUDirect RDMA."},
     ValueKind::none,
     judge_gdr,
     Subjects::hosts},
    {{"nvlink", "nvlink", "NVLink joins the GPUs of each host, and they use P2P."},
     ValueKind::none,
     judge_nvlink,
     Subjects::hosts},
    {{"nvls", "nvls", "NVLink SHARP (NVLS) is available and has channels."}, ValueKind::none, judge_nvls},
    {{"channels", "channels>=N", "Collective channels of the largest communicator."},
     ValueKind::number,
     judge_channels,
     Subjects::job},
    {{"init", "init<=60s", "Time of the longest initialisation of each process (2.21.5+)."},
     ValueKind::seconds,
     judge_init},
    {{"busbw", "busbw>=N", "Highest bus bandwidth in GB/s of a table of nccl-tests."},
     ValueKind::decimal,
     judge_busbw,
     Subjects::job},
    {{"no-warning", "no-warning", "No finding above info, and no warning that no rule explains."},
     ValueKind::none,
     judge_no_warning,
     Subjects::job},
}};

constexpr std::array<std::pair<std::string_view, Comparison>, 7> operators{{{">=", Comparison::at_least},
                                                                            {"<=", Comparison::at_most},
                                                                            {"!=", Comparison::not_equal},
                                                                            {"==", Comparison::equal},
                                                                            {"=", Comparison::equal},
                                                                            {">", Comparison::greater},
                                                                            {"<", Comparison::less}}};

bool is_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0;
}

bool is_version(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9' &&
         text.find_first_not_of("0123456789.-+abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

std::string known_keys() {
  return joined_by(rows, [](const ExpectationRow& row) { return row.key.key; });
}

/// Returns advice for an unknown key: a similar key, or the list of all keys.
std::string advice_on(std::string_view key) {
  std::array<std::string_view, rows.size()> names{};
  std::ranges::transform(rows, names.begin(), [](const ExpectationRow& row) { return row.key.key; });
  std::string advice = did_you_mean(key, names);
  return advice.empty() ? concat("; what can be expected: ", known_keys()) : advice;
}

/// Returns the error in one value, or an empty string.
std::string refuse_value(std::string_view value, ValueKind kind) {
  if (value.empty()) return "needs a value";
  const std::string found = concat(", not \"", excerpt(value, 40), "\"");
  const bool number = kind == ValueKind::number || kind == ValueKind::positive || kind == ValueKind::number_or_none;
  if (number && !is_number(value)) return "needs a number" + found;
  if (kind == ValueKind::positive && value.find_first_not_of('0') == std::string::npos) return "needs a number above 0";
  if (kind == ValueKind::version && !is_version(value)) return "needs a version" + found;
  if (kind == ValueKind::seconds && !real_value(value)) return "needs a time such as 60s or 1.5m" + found;
  const bool has_unit = value.find_first_not_of("0123456789.") != std::string_view::npos;
  if (kind == ValueKind::decimal && (has_unit || !real_value(value))) return "needs a number" + found;
  return {};
}

/// Returns the error in the comparison or its values, or an empty string if they are valid for this kind of key.
std::string refuse_values(const Expectation& expected, ValueKind kind) {
  const bool alone = expected.comparison == Comparison::present;
  if (kind == ValueKind::none) return alone ? "" : "stands alone";
  if (alone) return kind == ValueKind::number_or_none ? "" : "needs a value";
  const bool orders = expected.comparison != Comparison::equal && expected.comparison != Comparison::not_equal;
  if (orders && kind == ValueKind::text) return "knows = and != only";
  if (orders && expected.values.size() > 1) return "takes several values with = and != only";
  if (!orders && (kind == ValueKind::seconds || kind == ValueKind::decimal)) return "knows <, <=, > and >= only";
  for (const std::string& value : expected.values)
    if (std::string wrong = refuse_value(value, kind); !wrong.empty()) return wrong;
  return {};
}

/// Returns the part of a word before its operator, or before the first comma.
std::string_view key_of(std::string_view word) {
  return trimmed(word.substr(0, std::min(word.find_first_of("=<>!,"), word.size())));
}

/// Returns the length of `words` up to the first comma outside brackets, or the whole length if there is none.
std::size_t word_length(std::string_view words) {
  const std::size_t comma = std::min(words.find(','), words.size()), bracket = words.find('[');
  if (bracket > comma) return comma;
  const std::size_t end = words.find(']', bracket);
  return end == std::string_view::npos ? words.size() : end + word_length(words.substr(end));
}

/// Removes the first word and the comma after it from `words`, and returns the word. After `hosts=`, everything up to
/// the next key is part of the list of hosts: `hosts=dgx[1-8],login1,gdr`.
std::string_view take_word(std::string_view& words) {
  std::size_t length = word_length(words);
  if (key_of(words) == "hosts") {
    while (length < words.size()) {
      const std::string_view rest = words.substr(length + 1);
      const std::size_t next = word_length(rest);
      const std::string_view item = trimmed(rest.substr(0, next));
      const bool is_name = !item.empty() && item.find_first_of("=<>!") == std::string_view::npos &&
                           find_expectation_row(item) == nullptr;
      if (!is_name) break;
      length += 1 + next;
    }
  }
  const std::string_view word = words.substr(0, length);
  words.remove_prefix(std::min(length + 1, words.size()));
  return word;
}

/// Parses the value of `hosts`. The second value is the error message, which is empty on success.
std::pair<Expectation, std::string> parse_hosts(Expectation expected, std::string_view list) {
  const std::string word = excerpt(expected.word, 60);
  if (expected.comparison != Comparison::equal) return {{}, concat("\"", word, "\": hosts knows = only")};
  HostList hosts = expand_host_list(list);
  if (!hosts.error.empty()) return {{}, concat("\"", word, "\": ", hosts.error)};
  expected.values = std::move(hosts.names);
  return {std::move(expected), std::string{}};
}

/// Parses one word. The second value is the error message, which is empty on success.
std::pair<Expectation, std::string> parse_word(std::string_view word) {
  Expectation expected;
  expected.word = std::string(word);
  const std::size_t end = std::min(word.find_first_of("=<>!"), word.size());
  expected.key = std::string(trimmed(word.substr(0, end)));
  const ExpectationRow* row = find_expectation_row(expected.key);
  if (row == nullptr)
    return {{}, concat("nothing is called \"", excerpt(expected.key, 40), "\"", advice_on(expected.key))};
  word.remove_prefix(end);
  if (!word.empty()) {
    const auto* const with =
        std::find_if(operators.begin(), operators.end(), [&](const auto& one) { return word.starts_with(one.first); });
    if (with == operators.end()) return {{}, concat("\"", excerpt(expected.word, 60), "\": write ", row->key.form)};
    expected.comparison = with->second;
    word.remove_prefix(with->first.size());
    if (row->kind == ValueKind::hosts) return parse_hosts(std::move(expected), word);
    do expected.values.emplace_back(trimmed(take_until(word, '|')));
    while (!word.empty());
  }
  const std::string wrong = refuse_values(expected, row->kind);
  if (wrong.empty()) return {std::move(expected), std::string{}};
  return {{}, concat("\"", excerpt(expected.word, 60), "\": ", row->key.key, " ", wrong, "; write ", row->key.form)};
}

}  // namespace

const ExpectationRow* find_expectation_row(std::string_view key) {
  const auto* const found =
      std::find_if(rows.begin(), rows.end(), [&](const ExpectationRow& row) { return row.key.key == key; });
  return found == rows.end() ? nullptr : found;
}

std::string add_expectation(Expectation expected, std::vector<Expectation>& into) {
  const auto is_hosts = [](const Expectation& one) { return one.key == "hosts"; };
  if (is_hosts(expected) && std::any_of(into.begin(), into.end(), is_hosts))
    return "hosts is there twice; write one list";
  into.push_back(std::move(expected));
  return {};
}

std::span<const ExpectationKey> expectation_keys() {
  static constexpr auto keys = [] {
    std::array<ExpectationKey, rows.size()> all{};
    for (std::size_t i = 0; i < rows.size(); ++i) all[i] = rows[i].key;
    return all;
  }();
  return keys;
}

ParsedExpectations parse_expectations(std::string_view words) {
  ParsedExpectations parsed;
  do {
    const std::string_view word = trimmed(take_word(words));
    if (word.empty()) {
      parsed.error = concat("an expectation is empty; what can be expected: ", known_keys());
    } else {
      auto [expected, error] = parse_word(word);
      parsed.error = std::move(error);
      if (parsed.error.empty()) parsed.error = add_expectation(std::move(expected), parsed.expectations);
    }
  } while (!words.empty() && parsed.error.empty());
  return parsed;
}

std::vector<Expectation> override_expectations(std::vector<Expectation> first, std::span<const Expectation> second) {
  const std::size_t said = first.size();
  for (const Expectation& one : second) {
    const bool replaced = std::any_of(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(said),
                                      [&](const Expectation& other) { return other.key == one.key; });
    if (!replaced) first.push_back(one);
  }
  return first;
}

}  // namespace nccl_analyze
