#pragma once
/// Lists the findings of a report one after the other, for formats without a nesting of causes and consequences.

#include <string>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct ListedFinding {
  const Finding* finding = nullptr;
  const Finding* cause = nullptr;  ///< The finding that explains this one; null for a root cause.
};

/// Returns each root cause, followed by its consequences. The pointers are valid as long as the report is unchanged.
std::vector<ListedFinding> list_findings(const Report& report);

/// Returns the path of a source; `stdin` for standard input, which has none.
std::string path_of(const Model& model, LineRef at);

/// Returns the finding's message, and for a consequence the rule of its cause.
std::string message_of(const ListedFinding& listed);

}  // namespace nccl_analyze
