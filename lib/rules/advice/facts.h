#pragma once
/// The part of the model that conditions and placeholders of a finding's advice look at.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/rule.h"
#include "queries/hosts.h"

namespace nccl_analyze {

/// A text of an incident of the finding, with the place in NCCL's source that printed it; or a quoted line, which is
/// both `text` and `place`, because the line may name a place.
struct Saying {
  std::string_view text, place;
  friend bool operator==(const Saying&, const Saying&) = default;
  friend auto operator<=>(const Saying&, const Saying&) = default;
};

/// A finding, the processes that it concerns (all processes if it names none) and its incidents. Their numbers are
/// limited, so that advice for a job of 10^5 ranks costs as little as for a small one; a fault of so many processes is
/// the same in each of them. Pointers are valid as long as the model, the spans and the finding.
struct Facts {
  static constexpr std::size_t max_processes = 256, max_incidents = 256;

  Facts(const Model& of_model, const JobHostSpans& job_spans, const Finding& of_finding);

  const Model& model;
  const JobHostSpans& spans;
  const Finding& finding;
  std::vector<Index> process_indices;
  std::vector<const Process*> processes;  ///< The first is that of the first suspect, if its log is in the input.
  std::vector<const Incident*> incidents;
  std::vector<Saying> sayings;  ///< Sorted by text, without duplicates.

  /// Returns the value that the rule gave this name (Finding::values); empty if none.
  std::string_view value(std::string_view name) const;
};

}  // namespace nccl_analyze
