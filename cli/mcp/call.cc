#include "cli/mcp/call.h"

#include <algorithm>
#include <array>

#include "input/failure.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

using Kind = LocatedJson::Kind;

constexpr std::size_t max_paths = 1000;
constexpr std::size_t max_notes = 8;

/// Returns what the value should be; empty if it fits.
std::string expected_instead_of(const LocatedJson& value, const Argument& argument) {
  const auto is_text = [](const LocatedJson& one) { return one.kind == Kind::text; };
  switch (argument.kind) {
    case ArgumentKind::paths:  // A single text is accepted as well, because models write it.
      if (is_text(value)) return {};
      if (value.kind == Kind::array && !value.items.empty() && value.items.size() <= max_paths &&
          std::ranges::all_of(value.items, is_text))
        return {};
      return "an array of 1 to 1000 texts";
    case ArgumentKind::number:
      return value.integer && *value.integer >= 0 ? "" : "a whole number from 0";
    case ArgumentKind::flag:
      return value.kind == Kind::boolean ? "" : "true or false";
    case ArgumentKind::text:
      break;
  }
  const auto is_choice = [&](std::string_view word) { return word == value.text; };
  if (is_text(value) && (argument.choices.empty() || std::ranges::any_of(argument.choices, is_choice))) return {};
  return argument.choices.empty() ? "a text" : "one of " + joined(argument.choices);
}

}  // namespace

Call::Call(const LocatedJson* given, const Folders& folders)
    : given_(given), folders_(folders), log_([this](std::string_view, std::string_view sentence) { note(sentence); }) {}

void Call::check(std::span<const Argument> table) const {
  if (given_ != nullptr && given_->kind != Kind::object) throw Failure("the arguments must be an object");
  for (const Argument& argument : table) {
    const LocatedJson* const value = find(argument.name);
    if (value == nullptr && argument.required) throw Failure(concat("the argument ", argument.name, " is missing"));
    const std::string expected = value == nullptr ? "" : expected_instead_of(*value, argument);
    if (!expected.empty()) throw Failure(concat("the argument ", argument.name, " must be ", expected));
  }
  if (given_ == nullptr) return;
  for (const LocatedJson& one : given_->items)
    if (std::ranges::find(table, one.key, &Argument::name) == table.end())
      throw Failure("this tool has no argument " + excerpt(one.key, 40));
}

std::string_view Call::text(std::string_view name) const {
  const LocatedJson* const value = find(name);
  return value == nullptr ? std::string_view() : value->text;
}

std::vector<std::string> Call::texts(std::string_view name) const {
  std::vector<std::string> texts;
  const LocatedJson* const value = find(name);
  if (value != nullptr && value->kind == Kind::text) texts.push_back(value->text);
  if (value != nullptr)
    for (const LocatedJson& item : value->items) texts.push_back(item.text);
  return texts;
}

bool Call::flag(std::string_view name) const {
  const LocatedJson* const value = find(name);
  return value != nullptr && value->boolean;
}

std::size_t Call::number(std::string_view name, std::size_t otherwise) const {
  const LocatedJson* const value = find(name);
  return value == nullptr ? otherwise : static_cast<std::size_t>(*value->integer);
}

void Call::note(std::string_view sentence) { notes_.emplace_back(sentence); }

std::string Call::notes() const {
  std::string text;
  for (std::size_t i = 0; i < std::min(max_notes, notes_.size()); ++i) text += notes_[i] + "\n";
  if (notes_.size() > max_notes) text += concat("and ", notes_.size() - max_notes, " more\n");
  return text;
}

}  // namespace nccl_analyze
