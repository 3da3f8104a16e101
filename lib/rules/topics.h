#pragma once
/// Decides to which rule an incident belongs. No other code decides this.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The reason why an incident belongs to a rule. The reasons after `none` are in order of reliability, the most
/// reliable first.
enum class TopicSource : std::uint8_t {
  none,     ///< The incident belongs to no rule.
  event,    ///< The kind of the event, together with its error number.
  wording,  ///< The topic of the message in the table of known formats.
  place,    ///< The place in NCCL's code, because the message is generic, unknown or truncated.
};

/// The rule to which an incident belongs, and the reason.
struct Topic {
  /// Name of the rule; empty if no rule applies; `none` if the incident is harmless or only a symptom.
  std::string_view rule;
  TopicSource source = TopicSource::none;
};

Topic topic_of(const Incident& incident);

/// Whether the incident belongs to this rule by TopicSource::event or TopicSource::wording. False for well-known
/// phrases.
bool is_about(const Incident& incident, std::string_view rule);

/// Whether the incident was printed as a failure, by NCCL (warns()), a framework or the system. After other incidents,
/// NCCL continues.
bool is_warning(const Incident& incident);

}  // namespace nccl_analyze
