#pragma once
/// What to do about a warning, where the document of its rule says less than the place that prints it.

#include <string_view>
#include <vector>

#include "rules/advice/facts.h"

namespace nccl_analyze {

/// A row of remedies.tsv. The texts are static.
struct Remedy {
  std::string_view wording;  ///< Row::wording; or a key, such as `@bug`, for steps that several wordings share.
  bool is_alone = false;     ///< Whether the step replaces those of the rule, which do not fit the message. Others
                             ///< stand where a document has `{remedy}`, or where the rule has no step.
  std::string_view step;     ///< Markdown; or the key of the row that has step and command.
  std::string_view command;  ///< A shell command that shows or repairs the fault; empty if none does.
};
/// Returns all rows, sorted by wording.
const std::vector<Remedy>& all_remedies();

/// Returns the remedy for the first message of the finding that is the cause of a failure. Its step is empty if the
/// table has none, or if the step sets a value that the log shows to be set.
Remedy remedy_of(const Facts& facts);

extern const std::string_view remedies_table;  ///< remedies.tsv

}  // namespace nccl_analyze
