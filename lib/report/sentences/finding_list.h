#pragma once
/// Lists the findings of a report: one after the other, for formats that do not nest consequences under their causes,
/// and notes by their likeness.

#include <string>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct ListedFinding {
  const Finding* finding = nullptr;
  const Finding* cause = nullptr;  ///< The finding that explains this one; null for a root cause.
};

/// Returns each finding of the report, followed by its consequences. The pointers are valid as long as the report is
/// unchanged.
std::vector<ListedFinding> list_findings(const Report& report);

/// A note, and the later notes that are like it: of the same rule, with the same message but for words with digits,
/// such as numbers and names of hosts.
struct AlikeNotes {
  const Finding* first = nullptr;
  std::vector<const Finding*> others;
};
std::vector<AlikeNotes> group_notes(const Report& report);
/// Returns `and 5 more of its kind, for communicators tp:[1-5]`; empty if the note has no others.
std::string describe_others(const Model& model, const AlikeNotes& notes);

/// Returns the path of the line's source; `stdin` for standard input, which has none.
std::string path_of(const Model& model, LineRef at);

/// Says how a consequence is related to its cause: `Follows from it`.
std::string relation_of(const Finding& cause, const Finding& consequence);

/// Returns the finding's message; for a consequence, followed by the rule of its cause in parentheses.
std::string message_of(const ListedFinding& listed);

}  // namespace nccl_analyze
