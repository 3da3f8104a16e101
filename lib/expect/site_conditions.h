#pragma once
/// Conditions of site rules: comparisons of environment variables, fields of the model and expectations.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expect/expect.h"
#include "expect/located_json.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A field of processes or communicators that conditions can compare.
struct SiteField {
  std::string_view name;
  ValueKind kind;                             ///< Only text, number or version.
  std::string (*of_process)(const Process&);  ///< nullptr: a field of communicators. Empty value: not in the log.
  std::vector<std::string> (*of_communicator)(const Communicator&);  ///< nullptr: a field of processes.
  LineRef Process::*at;                                              ///< Line that shows a process field.
};

/// A condition on a field, on the answer to an expectation, or on an environment variable; two of `field`, `fact` and
/// `variable` are empty.
struct SiteCondition {
  const SiteField* field = nullptr;
  const ExpectationRow* fact = nullptr;
  CheckStatus holds_if = CheckStatus::pass;  ///< The answer to `fact` for which the condition holds.
  std::string variable;                      ///< Name of the environment variable.
  Expectation wanted;                        ///< Comparison and values; `present` accepts any value of a variable.
};

struct SiteConditions {
  std::vector<SiteCondition> conditions;
  std::optional<FileError> error;
};
SiteConditions read_site_conditions(const LocatedJson& when);

/// The processes for which all conditions hold.
struct SiteMatch {
  std::vector<Index> processes;
  Evidence evidence;
  std::string unknown;  ///< First field without a value in the whole log; empty if the log shows all fields.
};
/// Finds the processes that meet all process conditions and belong to a communicator that meets all communicator
/// conditions.
SiteMatch find_matches(const Model& model, const std::vector<SiteCondition>& conditions);

}  // namespace nccl_analyze
