// Reads conditions and evaluates them by the functions of their terms.

#include <algorithm>

#include "rules/advice/conditions.h"

namespace nccl_analyze {

namespace {

/// Removes the part before the first separator, and the separator, from `text` and returns the part. Without a
/// separator the part is the whole text.
std::string_view take_part(std::string_view& text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + separator.size());
  return part;
}

struct Term {
  bool is_negated = false;
  std::string_view name, argument;
  const Condition* condition = nullptr;  ///< Null for an unknown name.
};

Term read_term(std::string_view text) {
  Term term;
  term.is_negated = text.starts_with("not ");
  if (term.is_negated) text.remove_prefix(4);
  term.name = take_part(text, " ");
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  term.argument = text;
  const auto found = std::ranges::find(all_conditions(), term.name, &Condition::name);
  if (found != all_conditions().end()) term.condition = &*found;
  return term;
}

std::optional<std::string> prove_all(std::string_view terms, const Facts& facts) {
  std::string facts_text;
  while (!terms.empty()) {
    const Term term = read_term(take_part(terms, " and "));
    if (term.condition == nullptr) return std::nullopt;
    const std::optional<std::string> proven = term.condition->prove(facts, term.argument);
    if (proven.has_value() == term.is_negated) return std::nullopt;
    if (proven && !proven->empty()) facts_text += (facts_text.empty() ? "" : ", ") + *proven;
  }
  return facts_text;
}

}  // namespace

std::optional<std::string> prove(std::string_view condition, const Facts& facts) {
  while (!condition.empty())
    if (std::optional<std::string> proven = prove_all(take_part(condition, " or "), facts)) return proven;
  return std::nullopt;
}

std::string_view error_in_condition(std::string_view condition) {
  while (!condition.empty()) {
    std::string_view terms = take_part(condition, " or ");
    while (!terms.empty()) {
      const Term term = read_term(take_part(terms, " and "));
      if (term.condition == nullptr || term.condition->argument.empty() != term.argument.empty()) return term.name;
    }
  }
  return {};
}

std::vector<std::string_view> terms_of(std::string_view condition) {
  std::vector<std::string_view> terms;
  while (!condition.empty()) {
    std::string_view all = take_part(condition, " or ");
    while (!all.empty()) {
      std::string_view term = take_part(all, " and ");
      if (term.starts_with("not ")) term.remove_prefix(4);
      terms.push_back(term);
    }
  }
  return terms;
}

}  // namespace nccl_analyze
