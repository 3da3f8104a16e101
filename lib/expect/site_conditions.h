#pragma once
/// Conditions of site rules: comparisons of a small, closed set of fields of the model.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expect/expect.h"
#include "expect/located_json.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// What a condition looks at.
struct SiteField {
  std::string_view name;
  ValueKind kind;                             ///< text, number or version
  std::string (*of_process)(const Process&);  ///< Empty: not told. nullptr: a field of communicators.
  std::vector<std::string> (*of_communicator)(const Communicator&);  ///< Any of them may fit; none: not told.
  LineRef Process::*at;                                              ///< The line that tells it.
};

struct SiteCondition {
  const SiteField* field = nullptr;  ///< nullptr: a setting.
  std::string variable;              ///< Of a setting.
  Expectation wanted;                ///< Comparison and values; `present`: a setting with any value.
};

struct SiteConditions {
  std::vector<SiteCondition> conditions;
  std::optional<FileError> error;
};
SiteConditions read_site_conditions(const LocatedJson& when);

/// Where conditions hold.
struct SiteMatch {
  std::vector<Index> processes;
  Evidence evidence;
  std::string untold;  ///< The first field that no line tells, of any process; empty when all are told somewhere.
};
/// Processes that fit every condition, together with a communicator of theirs that does.
SiteMatch find_matches(const Model& model, const std::vector<SiteCondition>& conditions);

}  // namespace nccl_analyze
