// NCA704 reports values that NCCL rejects or reads differently from what the user wrote.

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "nccl_analyze/events/environment.h"
#include "nccl_analyze/rule.h"
#include "queries/settings.h"
#include "rules/findings.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca704 {

namespace {

/// Range of useful values of a numeric variable. A value outside the range shows that NCCL misread the text: `4M` is
/// read as 4, `yes` as 0.
struct Range {
  std::string_view variable;
  std::int64_t least, most;
  std::string_view consequence;
};

constexpr std::array<Range, 2> ranges = {{
    {"NCCL_BUFFSIZE", 65536, INT64_MAX, "buffers of so few bytes make every transfer slow"},
    {"NCCL_IB_TIMEOUT", 1, 31, "0 waits forever, and a NIC knows no more than 31"},
}};

constexpr std::array<std::string_view, 6> names_of_things = {"NCCL_ALGO", "NCCL_PROTO",      "NCCL_IB_HCA",
                                                             "NCCL_NET",  "NCCL_NET_PLUGIN", "NCCL_SOCKET_IFNAME"};

/// Parses a number as NCCL prints it, sometimes with a full stop (`4.`); nullopt for any other text.
std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || (end != text.data() + text.size() && *end != '.')) return std::nullopt;
  return number;
}

bool is_quoted(std::string_view value) { return value.starts_with('"') || value.starts_with('\''); }

std::string out_of_range(std::string_view variable, std::string_view value) {
  const auto range = std::ranges::find(ranges, variable, &Range::variable);
  const std::optional<std::int64_t> number = number_in(value);
  if (range == ranges.end() || !number || (*number >= range->least && *number <= range->most)) return {};
  return concat("NCCL reads ", variable, " as ", *number, ": ", range->consequence,
                ". Compare it with what was written");
}

std::string quoted(std::string_view variable, std::string_view value) {
  if (!is_quoted(value)) return {};
  return concat(variable, " has quotes in its value, ", excerpt(value, 60), ": NCCL takes them as a part of the name");
}

/// NCCL reads `^` and `=` at the head of these lists only (misc/utils.cc: parseStringList, and the callers).
constexpr std::array<std::string_view, 2> lists = {"NCCL_IB_HCA", "NCCL_SOCKET_IFNAME"};

std::string signs_inside(std::string_view variable, std::string_view value) {
  for (std::size_t comma = value.find(','); comma != std::string_view::npos; comma = value.find(',', comma + 1)) {
    const std::string_view name = value.substr(comma + 1, value.find(',', comma + 1) - comma - 1);
    if (!name.starts_with('^') && !name.starts_with('=')) continue;
    return concat(variable, " has a sign before `", excerpt(name, 40),
                  "`, which is not the first name of its list: NCCL takes the sign as a part of the name, so that the "
                  "name fits nothing");
  }
  return {};
}

/// Returns a finding for each way in which NCCL misreads values of the setting, as `what` says.
std::vector<Finding> misread(const Model& model, std::string_view variable,
                             std::string (*what)(std::string_view variable, std::string_view value)) {
  return each_process(model, [&](Index, const Process& process, ProcessGroup& group) -> std::string {
    const EnvValue* set = setting(process, variable);
    std::string message = set == nullptr ? std::string() : what(variable, set->value);
    if (message.empty()) return message;
    group.evidence.add(set->at);
    group.values = {{"var", std::string(variable)},
                    {"value", set->value.str()},
                    {"misread", is_quoted(set->value)                        ? "quotes"
                                : signs_inside(variable, set->value).empty() ? "number"
                                                                             : "signs"}};
    return message;
  });
}

/// Whether NCCL does not start with the value, as with an address of the root that it cannot read.
bool stops(const Incident& incident) { return incident.failed; }

std::string warning_text(const Incident& incident) {
  const bool is_meant = incident.kind != IncidentKind::env_rejected && warns(incident.level);
  return when(is_meant, "NCCL warns: ", excerpt(incident.message));
}

}  // namespace

RuleResult check(const Model& model) {
  RuleResult result{incident_findings(model, {IncidentKind::env_rejected}, [](const Incident& incident) {
    const std::string_view variable = incident.event.as<EnvRejected>().variable;
    return concat(variable.empty() ? std::string("A setting") : excerpt(variable, 60),
                  " has a value that NCCL does not take: ", excerpt(incident.message));
  })};
  for (Finding& finding : topic_findings(model, "env-invalid-value", warning_text)) {
    if (any_incident(model, finding, stops)) {
      finding.own_severity = Severity::error;
      finding.own_stage = Stage::configuration;
    }
    result.findings.push_back(std::move(finding));
  }
  for (const Range& range : ranges) append(result.findings, misread(model, range.variable, out_of_range));
  for (const std::string_view variable : names_of_things) append(result.findings, misread(model, variable, quoted));
  for (const std::string_view variable : lists) append(result.findings, misread(model, variable, signs_inside));
  return result;
}

}  // namespace nccl_analyze::nca704
