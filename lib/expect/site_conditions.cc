// Reads the conditions of site rules from JSON.

#include "expect/site_conditions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_condition_values = 100;  // Limit for one condition.

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

/// Expectations that conditions cannot use: `no-warning` depends on the findings of rules, and `hosts` is about hosts
/// without logs.
constexpr std::array<std::string_view, 2> no_conditions{"no-warning", "hosts"};

const SiteField* find_field(std::string_view name) {
  const auto* const found =
      std::find_if(fields.begin(), fields.end(), [&](const SiteField& one) { return one.name == name; });
  return found == fields.end() ? nullptr : found;
}

/// Returns the expectation with this key if a condition can use its answer, else nullptr. A field of the same name
/// takes precedence.
const ExpectationRow* find_fact(std::string_view key) {
  const bool is_excluded = std::find(no_conditions.begin(), no_conditions.end(), key) != no_conditions.end();
  return is_excluded || find_field(key) != nullptr ? nullptr : find_expectation_row(key);
}

std::string known_fields() {
  std::string list;
  for (const SiteField& field : fields) list += concat(field.name, ", ");
  for (const ExpectationKey& key : expectation_keys())
    if (find_fact(key.key) != nullptr) list += concat(key.key, ", ");
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
  if (value.items.empty() || value.items.size() > max_condition_values)
    return FileError{value.line, concat("\"", excerpt(key, 40), "\" takes 1 to ", max_condition_values, " values")};
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

/// Removes the operator at the end of `name` and returns its comparison; Comparison::equal if there is no operator.
Comparison take_comparison(std::string_view& name) {
  for (const auto& [suffix, comparison] : suffixes) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    return comparison;
  }
  return Comparison::equal;
}

bool is_order(Comparison comparison) { return comparison != Comparison::equal && comparison != Comparison::not_equal; }

/// Reads a condition on the answer to an expectation, such as `"gdr": false` or `"nics<": 8`, and appends it to `into`.
std::optional<FileError> read_fact(const ExpectationRow& fact, const LocatedJson& value, SiteCondition condition,
                                   std::vector<SiteCondition>& into) {
  condition.fact = &fact;
  condition.wanted.key = fact.key.key;
  if (value.kind == LocatedJson::Kind::boolean && condition.wanted.comparison == Comparison::equal) {
    const bool stands_alone = fact.kind == ValueKind::none || fact.kind == ValueKind::number_or_none;
    if (!stands_alone) return FileError{value.line, concat("\"", fact.key.key, "\" is compared with a whole number")};
    condition.wanted.comparison = Comparison::present;
    condition.holds_if = value.boolean ? CheckStatus::pass : CheckStatus::fail;
  } else if (fact.kind == ValueKind::none) {
    return FileError{value.line, concat("\"", fact.key.key, "\" is true or false")};
  } else if (value.kind == LocatedJson::Kind::array && is_order(condition.wanted.comparison)) {
    return FileError{value.line, concat("\"", fact.key.key, "\": an order compares with one value")};
  } else if (auto error = read_values(value, fact.key.key, ValueKind::number, condition.wanted)) {
    return error;
  }
  into.push_back(std::move(condition));
  return std::nullopt;
}

std::optional<FileError> read_field(std::string_view key, const LocatedJson& value, std::vector<SiteCondition>& into) {
  SiteCondition condition;
  std::string_view name = key;
  condition.wanted.comparison = take_comparison(name);
  const SiteField* const field = find_field(name);
  const ExpectationRow* const fact = find_fact(name);
  if (fact != nullptr) return read_fact(*fact, value, std::move(condition), into);
  if (field == nullptr)
    return FileError{value.line,
                     concat("no condition is called \"", excerpt(key, 40), "\"; there are: ", known_fields())};
  const bool orders = is_order(condition.wanted.comparison);
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

}  // namespace nccl_analyze
