// Holds the table of expectation keys and parses the words of --expect and of profiles.

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "expect/expect.h"
#include "rules/support/rule_support.h"
#include "text/blanks.h"

namespace nccl_analyze {

namespace {

constexpr std::array<ExpectationRow, 20> rows{{
    {{"ranks", "ranks=N", "The job has N ranks."}, ValueKind::positive, judge_ranks},
    {{"nodes", "nodes=N", "NCCL sees N nodes."}, ValueKind::positive, judge_nodes},
    {{"gpus", "gpus=N", "Each node has N ranks: all its GPUs work."}, ValueKind::positive, judge_gpus},
    {{"logs", "logs", "The log of every rank is in the input."}, ValueKind::none, judge_logs},
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
    {{"nics", "nics=N", "Each host has N NICs of the network."}, ValueKind::number, judge_nics},
    {{"nics-used", "nics-used=N", "Connections of each host use N NICs; alone: all that it has."},
     ValueKind::number_or_none,
     judge_nics_used},
    {{"nic-speed", "nic-speed>=N", "Gbit/s of each NIC (2.27.3+)."}, ValueKind::number, judge_nic_speed},
    {{"gdr", "gdr", "Every connection over the network uses GPUDirect RDMA."}, ValueKind::none, judge_gdr},
    {{"nvlink", "nvlink", "NVLink joins the GPUs of each host, and they use P2P."}, ValueKind::none, judge_nvlink},
    {{"nvls", "nvls", "NVLink SHARP (NVLS) is available and has channels."}, ValueKind::none, judge_nvls},
    {{"channels", "channels>=N", "Collective channels of the largest communicator."},
     ValueKind::number,
     judge_channels},
    {{"no-warning", "no-warning", "No finding above info, and no warning that no rule explains."},
     ValueKind::none,
     judge_no_warning},
}};

constexpr std::array<std::pair<std::string_view, Comparison>, 7> operators{{{">=", Comparison::at_least},
                                                                            {"<=", Comparison::at_most},
                                                                            {"!=", Comparison::not_equal},
                                                                            {"==", Comparison::equal},
                                                                            {"=", Comparison::equal},
                                                                            {">", Comparison::greater},
                                                                            {"<", Comparison::less}}};

/// Removes the part of `text` up to and including the first `mark`, and returns it without the mark.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return head;
}

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
  std::string list;
  for (const ExpectationRow& row : rows) list += concat(list.empty() ? "" : ", ", row.key.key);
  return list;
}

/// Returns the error in the comparison or its values, or an empty string if they are valid for this kind of key.
std::string refuse_values(const Expectation& expected, ValueKind kind) {
  const bool alone = expected.comparison == Comparison::present;
  if (kind == ValueKind::none) return alone ? "" : "stands alone";
  if (alone) return kind == ValueKind::number_or_none ? "" : "needs a value";
  const bool orders = expected.comparison != Comparison::equal && expected.comparison != Comparison::not_equal;
  if (orders && kind == ValueKind::text) return "knows = and != only";
  if (orders && expected.values.size() > 1) return "takes several values with = and != only";
  for (const std::string& value : expected.values) {
    if (value.empty()) return "needs a value";
    const bool number = kind == ValueKind::number || kind == ValueKind::positive || kind == ValueKind::number_or_none;
    if (number && !is_number(value)) return concat("needs a number, not \"", excerpt(value, 40), "\"");
    if (kind == ValueKind::positive && value.find_first_not_of('0') == std::string::npos)
      return "needs a number above 0";
    if (kind == ValueKind::version && !is_version(value))
      return concat("needs a version, not \"", excerpt(value, 40), "\"");
  }
  return {};
}

/// Parses one word. The second value is the error message, which is empty on success.
std::pair<Expectation, std::string> parse_word(std::string_view word) {
  Expectation expected;
  expected.word = std::string(word);
  const std::size_t end = std::min(word.find_first_of("=<>!"), word.size());
  expected.key = std::string(trimmed(word.substr(0, end)));
  const ExpectationRow* row = find_expectation_row(expected.key);
  if (row == nullptr)
    return {{}, concat("nothing is called \"", excerpt(expected.key, 40), "\"; what can be expected: ", known_keys())};
  word.remove_prefix(end);
  if (!word.empty()) {
    const auto* const with =
        std::find_if(operators.begin(), operators.end(), [&](const auto& one) { return word.starts_with(one.first); });
    if (with == operators.end()) return {{}, concat("\"", excerpt(expected.word, 60), "\": write ", row->key.form)};
    expected.comparison = with->second;
    word.remove_prefix(with->first.size());
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
    const std::string_view word = trimmed(take_until(words, ','));
    if (word.empty()) {
      parsed.error = concat("an expectation is empty; what can be expected: ", known_keys());
    } else {
      auto [expected, error] = parse_word(word);
      parsed.error = std::move(error);
      if (parsed.error.empty()) parsed.expectations.push_back(std::move(expected));
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
