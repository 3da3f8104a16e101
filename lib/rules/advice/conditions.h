#pragma once
/// The conditions of steps and titles: what a log can prove about a finding.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rules/advice/facts.h"

namespace nccl_analyze {

/// A term of a condition: its first word, and a function that proves it. The function returns the fact in a few words,
/// for Step::because; nullopt if the log does not prove the term, which may be true nevertheless.
struct Condition {
  std::string_view name;
  std::string_view argument;  ///< The form of the argument, for readers: `N`, `NAME=VALUE`; empty if there is none.
  std::string_view about;     ///< Explains the term in a sentence.
  std::optional<std::string> (*prove)(const Facts&, std::string_view argument);
};
/// Returns all terms, sorted by name.
std::span<const Condition> all_conditions();

/// Evaluates a condition such as `errno 110 and not kubernetes or roce`, in which `and` binds more tightly than `or`.
/// `not` holds if its term is not proven. Returns the facts that prove the condition, joined by commas and possibly
/// empty; nullopt if it is not proven, or has an unknown term.
std::optional<std::string> prove(std::string_view condition, const Facts& facts);

/// Returns the name of the first term that is unknown, or whose argument is missing or not allowed; empty for a valid
/// condition.
std::string_view error_in_condition(std::string_view condition);

/// Returns the terms of a condition, without `not`.
std::vector<std::string_view> terms_of(std::string_view condition);

}  // namespace nccl_analyze
