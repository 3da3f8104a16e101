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
  /// Finds the value in the log; returns an empty text if the log does not show it. Null for values that only rules
  /// give.
  std::string (*find)(const Facts&);
  /// Whether the value is a text of this library, which may contain Markdown and commands. Texts of the log may not.
  bool is_ours = false;
};
/// Returns all placeholders, sorted by name. Values that a rule gives, in Finding::values, take precedence.
std::span<const Placeholder> all_placeholders();

/// Returns the value of a placeholder. Empty if it is unknown, or if its text might do harm in a shell or in Markdown,
/// because people paste commands, and the log is no trusted input.
std::string value_of(std::string_view name, const Facts& facts);

/// Fills the placeholders of a text. Examples that replace unknown values are added to `examples`, except those with a
/// blank, which are plain words such as `the node`. Nullopt if a value without an example is not known.
std::optional<std::string> fill(std::string_view text, const Facts& facts, std::vector<std::string>& examples);

/// A placeholder such as `{iface|eth0}`, split into name and example. `size` is its length with the braces; 0 if a text
/// does not begin with a placeholder.
struct Hole {
  std::string_view name, example;
  std::size_t size = 0;
  bool has_example = false;
};
Hole hole_at(std::string_view text);

}  // namespace nccl_analyze
