#pragma once
/// The only place that decides to which rule an incident belongs.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Why an incident belongs to a rule. After `none`, the most reliable reason comes first.
enum class TopicSource : std::uint8_t {
  none,     ///< The incident belongs to no rule.
  event,    ///< The kind of the event, together with its error number.
  wording,  ///< The topic of the message in the table of known formats.
  place,    ///< Only the place in NCCL's code, because the message is generic, unknown or cut.
};

struct Topic {
  /// Name of the rule; empty when no rule fits. `none` marks incidents that are harmless, or pure symptoms.
  std::string_view rule;
  TopicSource source = TopicSource::none;
};

Topic topic_of(const Incident& incident);

/// Whether the incident belongs to this rule by its event or wording; a place in NCCL's code alone is not enough.
bool is_about(const Incident& incident, std::string_view rule);

/// Whether the incident was printed as a warning or an abort, by NCCL, a framework or the system.
bool is_warning(const Incident& incident);

/// The rule for a place in the code of NCCL or a plugin: `transport/nvls.cc:254`, or a function name. Empty when no
/// rule covers the place.
std::string_view rule_of_place(std::string_view place);

}  // namespace nccl_analyze
