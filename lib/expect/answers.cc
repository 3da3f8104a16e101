// Compares values from the log with an expectation, and combines the values of all processes or hosts into one answer.

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "expect/expect.h"
#include "model/versions.h"
#include "queries/ranks.h"
#include "text/lower_case.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_names = 4;
constexpr std::size_t max_groups = 4;

/// Whether a value meets the comparison. `order` is the sign of the value minus the expected value, as from strcmp().
bool holds(Comparison comparison, int order) {
  switch (comparison) {
    case Comparison::present:
      return true;
    case Comparison::equal:
      return order == 0;
    case Comparison::not_equal:
      return order != 0;
    case Comparison::less:
      return order < 0;
    case Comparison::at_most:
      return order <= 0;
    case Comparison::greater:
      return order > 0;
    case Comparison::at_least:
      return order >= 0;
  }
  return false;
}

/// Whether a value meets the expectation; `order(wanted)` compares it with one expected value. `!=` must hold for all
/// expected values, any other comparison for at least one.
template <class Order>
bool fits_values(const Expectation& expected, Order order) {
  const auto fits = [&](const std::string& value) { return holds(expected.comparison, order(value)); };
  return expected.comparison == Comparison::not_equal
             ? std::all_of(expected.values.begin(), expected.values.end(), fits)
             : std::any_of(expected.values.begin(), expected.values.end(), fits);
}

std::string_view host_name(const Model& model, Index process) {
  const Process* one = process_of(model, process);
  if (one == nullptr) return {};
  return one->host.empty() ? one->pod.view() : one->host.view();
}

/// Subjects with equal status and value.
struct Group {
  std::size_t count = 0;
  std::set<std::string_view> hosts;
};
/// Groups by status and value. Failures sort first, then unknown values, then passes.
using Groups = std::map<std::pair<int, std::string>, Group>;

int group_order(CheckStatus status) { return status == CheckStatus::fail ? 0 : status == CheckStatus::unknown ? 1 : 2; }

/// Describes a group of `all` subjects: `Socket on 1 of 16 processes (worker-3)`. Names hosts only if `name_hosts` is
/// true and some subject is not in the group.
std::string group_text(const std::string& value, const Group& group, std::size_t all, bool name_hosts,
                       std::string_view noun) {
  if (group.count == all) return concat(value, " on ", count_text(all, noun));
  std::string text = concat(value, " on ", group.count, " of ", count_text(all, noun));
  if (!name_hosts || group.hosts.empty()) return text;
  std::vector<std::string> names;
  for (const std::string_view host : group.hosts) names.push_back(excerpt(host, 60));
  return concat(text, " (", list_text(names, max_names), ")");
}

}  // namespace

bool fits_number(const Expectation& expected, std::int64_t value) {
  return fits_values(expected, [&](const std::string& wanted) {
    std::int64_t number = 0;
    std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    return value < number ? -1 : value > number ? 1 : 0;
  });
}

std::optional<double> real_value(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{{{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::string_view word(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto* const unit = std::find_if(units.begin(), units.end(), [&](const auto& one) { return one.first == word; });
  if (error != std::errc() || unit == units.end() || !(number >= 0 && number <= 1e12)) return std::nullopt;
  return number * unit->second;
}

bool fits_real(const Expectation& expected, double value) {
  return fits_values(expected, [&](const std::string& wanted) {
    const double number = real_value(wanted).value_or(0);
    return value < number ? -1 : value > number ? 1 : 0;
  });
}

bool fits_version(const Expectation& expected, std::string_view value) {
  return fits_values(expected, [&](const std::string& wanted) {
    const bool begins = value.starts_with(wanted);
    const char next = begins && value.size() > wanted.size() ? value[wanted.size()] : '.';
    if (begins && (next < '0' || next > '9')) return 0;
    return lower_version(value, wanted) ? -1 : 1;
  });
}

bool fits_text(const Expectation& expected, std::string_view value) {
  return fits_values(expected,
                     [&](const std::string& wanted) { return lower_case(value).compare(lower_case(wanted)); });
}

CheckStatus status_of(bool fits) { return fits ? CheckStatus::pass : CheckStatus::fail; }

ExpectationAnswer passed(std::string detail) { return {CheckStatus::pass, std::move(detail), {}, {}}; }
ExpectationAnswer unknown(std::string detail) { return {CheckStatus::unknown, std::move(detail), {}, {}}; }

ExpectationAnswer sum_up(const ExpectationCase& asked, std::vector<Subject> subjects, std::string_view noun,
                         const Silence& silence) {
  const std::string nothing(silence.what);
  const std::string remedy = silence.remedy.empty() ? std::string{} : concat("; ", silence.remedy);
  if (subjects.empty()) return unknown(nothing + remedy);
  Groups groups;
  for (const Subject& subject : subjects) {
    const std::string value = subject.value.empty() ? nothing : subject.value;
    Group& group = groups[{group_order(subject.status), value}];
    ++group.count;
    if (const std::string_view host = host_name(asked.model, subject.process); !host.empty()) group.hosts.insert(host);
  }
  ExpectationAnswer answer;
  const int worst = groups.begin()->first.first;
  answer.status = worst == 0 ? CheckStatus::fail : worst == 1 ? CheckStatus::unknown : CheckStatus::pass;
  for (const Subject& subject : subjects) {
    if (subject.status != answer.status || answer.status == CheckStatus::pass) continue;
    answer.processes.push_back(subject.process);
    if (answer.status == CheckStatus::fail) answer.evidence.add(subject.evidence);
  }
  std::vector<std::string> parts;
  for (const auto& [key, group] : groups)
    parts.push_back(group_text(key.second, group, subjects.size(), key.first < 2, noun));
  const std::size_t shown = std::min(parts.size(), max_groups);
  for (std::size_t i = 0; i < shown; ++i) answer.detail += concat(i == 0 ? "" : "; ", parts[i]);
  if (shown < parts.size()) answer.detail += concat("; and ", count_text(parts.size() - shown, "other value"));
  if (answer.status == CheckStatus::unknown) answer.detail += remedy;
  answer.subjects = std::move(subjects);
  return answer;
}

std::vector<char> working_processes(const Model& model) {
  std::vector<char> working(model.processes.size(), 0);
  bool some = false;
  for (const Communicator& comm : model.communicators) {
    for (const Rank& rank : comm.ranks) {
      if (process_of(model, rank.process) == nullptr) continue;
      working[static_cast<std::size_t>(rank.process)] = 1;
      some = true;
    }
  }
  if (!some) std::fill(working.begin(), working.end(), 1);
  return working;
}

const Communicator* largest_communicator(const Model& model) {
  const Communicator* largest = nullptr;
  for (const Communicator& comm : model.communicators)
    if (!comm.inferred && comm.nranks > 0 && (largest == nullptr || comm.nranks > largest->nranks)) largest = &comm;
  return largest;
}

}  // namespace nccl_analyze
