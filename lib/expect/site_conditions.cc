// Reads the conditions of site rules from JSON and evaluates them on a model.

#include "expect/site_conditions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rules/support/rule_support.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_values = 100;  // Limit for one condition.

std::vector<std::string> number_of(int value) {
  return value < 0 ? std::vector<std::string>{} : std::vector<std::string>{std::to_string(value)};
}

std::string driver_of(const Process& process) {
  return process.driver < 0 ? std::string{} : concat(process.driver / 1000, ".", process.driver % 1000 / 10);
}

constexpr std::array<SiteField, 12> fields{{
    {"network", ValueKind::text, [](const Process& one) { return one.network.str(); }, nullptr, &Process::network_at},
    {"version", ValueKind::version, [](const Process& one) { return one.version.str(); }, nullptr,
     &Process::version_at},
    {"library", ValueKind::text, [](const Process& one) { return one.library.str(); }, nullptr, &Process::version_at},
    {"cuda", ValueKind::version, [](const Process& one) { return one.toolkit.str(); }, nullptr, &Process::version_at},
    {"driver", ValueKind::version, driver_of, nullptr, &Process::driver_at},
    {"platform", ValueKind::text, [](const Process& one) { return one.platform.str(); }, nullptr, &Process::first},
    {"interface", ValueKind::text, [](const Process& one) { return one.bootstrap_interface.str(); }, nullptr,
     &Process::bootstrap_at},
    {"host", ValueKind::text, [](const Process& one) { return one.host.str(); }, nullptr, &Process::first},
    {"nranks", ValueKind::number, nullptr, [](const Communicator& comm) { return number_of(comm.nranks); }, nullptr},
    {"nnodes", ValueKind::number, nullptr, [](const Communicator& comm) { return number_of(comm.nnodes); }, nullptr},
    {"channels", ValueKind::number, nullptr, [](const Communicator& comm) { return number_of(comm.channels); },
     nullptr},
    {"transport", ValueKind::text, nullptr, [](const Communicator& comm) { return comm.transports; }, nullptr},
}};

constexpr std::array<std::pair<std::string_view, Comparison>, 5> suffixes{{{">=", Comparison::at_least},
                                                                           {"<=", Comparison::at_most},
                                                                           {"!=", Comparison::not_equal},
                                                                           {">", Comparison::greater},
                                                                           {"<", Comparison::less}}};

std::string known_fields() {
  std::string list;
  for (const SiteField& field : fields) list += concat(field.name, ", ");
  return list + "env";
}

/// Appends one value, or each value of an array, to `into` as text. Number fields accept whole numbers only, all other
/// fields accept strings only.
std::optional<FileError> read_values(const LocatedJson& value, std::string_view key, ValueKind kind,
                                     Expectation& into) {
  const bool number = kind == ValueKind::number;
  const auto add = [&](const LocatedJson& one) -> std::optional<FileError> {
    const bool fits =
        number ? one.kind == LocatedJson::Kind::number && one.integer : one.kind == LocatedJson::Kind::text;
    if (!fits)
      return FileError{one.line, concat("\"", excerpt(key, 40), "\" is compared with ",
                                        number ? "a whole number" : "a text", ", not ", kind_name(one.kind))};
    into.values.push_back(number ? std::to_string(*one.integer) : one.text);
    return std::nullopt;
  };
  if (value.kind != LocatedJson::Kind::array) return add(value);
  if (value.items.empty() || value.items.size() > max_values)
    return FileError{value.line, concat("\"", excerpt(key, 40), "\" takes 1 to ", max_values, " values")};
  for (const LocatedJson& one : value.items)
    if (auto error = add(one)) return error;
  return std::nullopt;
}

std::optional<FileError> read_settings(const LocatedJson& env, std::vector<SiteCondition>& into) {
  if (env.kind != LocatedJson::Kind::object || env.items.empty())
    return FileError{env.line, "\"env\" is an object of variables with their values"};
  for (const LocatedJson& value : env.items) {
    SiteCondition& condition = into.emplace_back();
    condition.variable = value.key;
    condition.wanted.comparison = Comparison::equal;
    if (value.kind == LocatedJson::Kind::boolean && value.boolean) {
      condition.wanted.comparison = Comparison::present;
    } else if (auto error = read_values(value, value.key, ValueKind::text, condition.wanted)) {
      error->what += "; true means: whatever its value";
      return error;
    }
  }
  return std::nullopt;
}

std::optional<FileError> read_field(std::string_view key, const LocatedJson& value, std::vector<SiteCondition>& into) {
  SiteCondition condition;
  condition.wanted.comparison = Comparison::equal;
  std::string_view name = key;
  for (const auto& [suffix, comparison] : suffixes) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    condition.wanted.comparison = comparison;
    break;
  }
  const auto* const field =
      std::find_if(fields.begin(), fields.end(), [&](const SiteField& one) { return one.name == name; });
  if (field == fields.end())
    return FileError{value.line,
                     concat("no condition is called \"", excerpt(key, 40), "\"; there are: ", known_fields())};
  const bool orders =
      condition.wanted.comparison != Comparison::equal && condition.wanted.comparison != Comparison::not_equal;
  if (orders && (field->kind == ValueKind::text || value.kind == LocatedJson::Kind::array))
    return FileError{value.line,
                     concat("\"", excerpt(key, 40),
                            "\": ", field->kind == ValueKind::text ? "texts have no order" : "compare with one value",
                            "; write \"", field->name, "\" or \"", field->name, "!=\"")};
  condition.field = field;
  if (auto error = read_values(value, key, field->kind, condition.wanted)) return error;
  into.push_back(std::move(condition));
  return std::nullopt;
}

bool fits(const SiteCondition& condition, std::string_view value) {
  switch (condition.field == nullptr ? ValueKind::none : condition.field->kind) {
    case ValueKind::number: {
      std::int64_t number = 0;
      for (const char digit : value) number = number * 10 + (digit - '0');
      return fits_number(condition.wanted, number);
    }
    case ValueKind::version:
      return fits_version(condition.wanted, value);
    case ValueKind::text:
      return fits_text(condition.wanted, value);
    case ValueKind::none:
    case ValueKind::positive:
    case ValueKind::number_or_none:
      break;
  }
  // Values of environment variables are compared exactly, unlike text fields, which ignore case.
  return condition.wanted.comparison == Comparison::present ||
         std::find(condition.wanted.values.begin(), condition.wanted.values.end(), value) !=
             condition.wanted.values.end();
}

bool is_of_communicator(const SiteCondition& condition) {
  return condition.field != nullptr && condition.field->of_communicator != nullptr;
}

class Matching {
 public:
  Matching(const Model& model, const std::vector<SiteCondition>& conditions)
      : model_(model), conditions_(conditions), told_(conditions.size(), 0) {}

  SiteMatch run() {
    const std::vector<char> in_communicator = find_members();
    SiteMatch match;
    for (std::size_t i = 0; i < model_.processes.size(); ++i) {
      Evidence evidence;
      const bool holds = process_fits(model_.processes[i], evidence) && in_communicator[i] != 0;
      if (!holds) continue;
      if (evidence.count == 0) evidence = evidence_at(model_.processes[i].first);
      match.processes.push_back(static_cast<Index>(i));
      match.evidence.add(evidence);
    }
    for (std::size_t i = 0; i < conditions_.size() && match.untold.empty(); ++i)
      if (told_[i] == 0 && conditions_[i].field != nullptr) match.untold = conditions_[i].field->name;
    return match;
  }

 private:
  /// Returns for each process 1 if one of its communicators meets all communicator conditions, else 0; 1 for all
  /// processes if there are no such conditions.
  std::vector<char> find_members() {
    const bool asked = std::any_of(conditions_.begin(), conditions_.end(), is_of_communicator);
    std::vector<char> members(model_.processes.size(), asked ? 0 : 1);
    if (!asked) return members;
    for (const Communicator& comm : model_.communicators) {
      if (!communicator_fits(comm)) continue;
      for (const Rank& rank : comm.ranks)
        if (process_of(model_, rank.process) != nullptr) members[static_cast<std::size_t>(rank.process)] = 1;
    }
    return members;
  }

  bool communicator_fits(const Communicator& comm) {
    bool all = true;
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      if (!is_of_communicator(conditions_[i])) continue;
      const std::vector<std::string> values = conditions_[i].field->of_communicator(comm);
      if (!values.empty()) told_[i] = 1;
      const auto value_fits = [&](const std::string& value) { return fits(conditions_[i], value); };
      // `transport!=` must hold for all transports of the communicator; other comparisons need one that fits.
      const bool none_may = conditions_[i].wanted.comparison == Comparison::not_equal;
      const bool holds = !values.empty() && (none_may ? std::all_of(values.begin(), values.end(), value_fits)
                                                      : std::any_of(values.begin(), values.end(), value_fits));
      all = all && holds;
    }
    return all;
  }

  bool process_fits(const Process& process, Evidence& evidence) {
    bool all = true;
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      if (is_of_communicator(conditions_[i])) continue;
      const SiteCondition& condition = conditions_[i];
      const EnvValue* const setting = condition.field == nullptr ? process.env.find(condition.variable) : nullptr;
      const std::string value = condition.field != nullptr ? condition.field->of_process(process)
                                : setting != nullptr       ? setting->value.str()
                                                           : std::string{};
      const bool is_told = condition.field == nullptr ? setting != nullptr : !value.empty();
      if (is_told) told_[i] = 1;
      const bool holds = is_told && fits(condition, value);
      all = all && holds;
      if (holds) add_line(evidence, condition.field != nullptr ? process.*condition.field->at : setting->at);
    }
    return all;
  }

  const Model& model_;
  const std::vector<SiteCondition>& conditions_;
  std::vector<char> told_;
};

}  // namespace

SiteConditions read_site_conditions(const LocatedJson& when) {
  SiteConditions read;
  if (when.kind != LocatedJson::Kind::object || when.items.empty()) {
    read.error = FileError{when.line, concat("\"when\" is an object of conditions; there are: ", known_fields())};
    return read;
  }
  for (const LocatedJson& value : when.items) {
    read.error =
        value.key == "env" ? read_settings(value, read.conditions) : read_field(value.key, value, read.conditions);
    if (read.error) return read;
  }
  return read;
}

SiteMatch find_matches(const Model& model, const std::vector<SiteCondition>& conditions) {
  return Matching(model, conditions).run();
}

}  // namespace nccl_analyze
