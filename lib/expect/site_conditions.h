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
  ValueKind kind;  ///< Only text, number or version.
  /// Returns an empty text if the log does not show the value. nullptr for a field of communicators.
  std::string (*of_process)(const Process&);
  std::vector<std::string> (*of_communicator)(const Communicator&);  ///< nullptr for a field of processes.
  LineRef Process::*at;                                              ///< Line that shows a process field, else nullptr.
};

/// A condition on a field, on the answer to an expectation, or on an environment variable. Exactly one of `field`,
/// `fact` and `variable` is set.
struct SiteCondition {
  const SiteField* field = nullptr;
  const ExpectationRow* fact = nullptr;
  CheckStatus holds_if = CheckStatus::pass;  ///< The answer to `fact` for which the condition holds.
  std::string variable;                      ///< Name of the environment variable.
  Expectation wanted;                        ///< Comparison and values; `present` accepts any value of a variable.
};

/// The conditions of one rule, or the first error in them.
struct SiteConditions {
  std::vector<SiteCondition> conditions;
  std::optional<FileError> error;
};
SiteConditions read_site_conditions(const LocatedJson& when);

/// The processes for which all conditions hold.
struct SiteMatch {
  std::vector<Index> processes;
  Evidence evidence;
  /// Name of the first field or expectation whose value the log shows for no process; empty if there is none.
  std::string unknown;
};
/// Finds the processes that meet all process conditions. If there are communicator conditions, one communicator of the
/// process must meet all of them.
SiteMatch find_matches(const Model& model, const std::vector<SiteCondition>& conditions);

}  // namespace nccl_analyze
