#pragma once
// Recognises a warning by its beginning, if its end was cut off or someone shortened its values.

#include <string_view>

namespace nccl_analyze {

/// Returns the topic (a rule, `rule/aspect` or `none`) of the known warnings that begin with the same literal words as
/// the message, at least 16 bytes. Empty if there are none, or if their topics differ.
std::string_view topic_of_beginning(std::string_view message);

}  // namespace nccl_analyze
