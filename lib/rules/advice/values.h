#pragma once
/// The placeholders of steps and titles: values that a log shows for a finding.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rules/advice/facts.h"

namespace nccl_analyze {

/// A placeholder, `{name}` in the documents of rules.
struct Placeholder {
  std::string_view name;
  std::string_view about;  ///< Explains the value in half a sentence.
  /// Returns an empty text if the log does not show the value. Null for values that only rules give.
  std::string (*find)(const Facts&);
};
/// All placeholders, sorted by name. Finding::values has the values that a rule gives, which go first.
std::span<const Placeholder> all_placeholders();

/// The value of a placeholder; empty if it is not known, or if its text might do harm in a shell or in Markdown: people
/// paste commands, and the log is no trusted input.
std::string value_of(std::string_view name, const Facts& facts);

/// Fills the placeholders of a text. Examples, which stand for unknown values, are added to `examples`,
/// unless they have a blank: then they are words, `the node`. Nullopt if a value without an example is not known.
std::optional<std::string> fill(std::string_view text, const Facts& facts, std::vector<std::string>& examples);

/// Splits `{iface|eth0}` at the start of `text` into name and example; both are empty for anything else. `size` is the
/// length with its braces.
struct Hole {
  std::string_view name, example;
  std::size_t size = 0;
  bool has_example = false;
};
Hole hole_at(std::string_view text);

}  // namespace nccl_analyze
