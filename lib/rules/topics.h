#pragma once
/// Which rule an incident speaks for: the one place that decides it.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// What the decision rests on, surest first.
enum class TopicSource : std::uint8_t {
  none,     ///< No rule is known for it.
  event,    ///< Its event, with its error number.
  wording,  ///< The topic that the table of wordings gives it.
  place,    ///< Only the place in NCCL's code: the words are generic, unknown or cut.
};

struct Topic {
  std::string_view rule;  ///< Name; empty: of none. `none`: harmless, or an echo that says nothing about a cause.
  TopicSource source = TopicSource::none;
};

Topic topic_of(const Incident& incident);

/// The incident belongs to this rule by its event or its wording.
bool is_about(const Incident& incident, std::string_view rule);

/// A warning as NCCL, a framework or the system printed it; not an INFO line.
bool is_warning(const Incident& incident);

/// The rule of a place in NCCL's or a plugin's code, `transport/nvls.cc:254` or a function; empty: none.
std::string_view rule_of_place(std::string_view place);

}  // namespace nccl_analyze
