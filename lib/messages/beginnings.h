#pragma once
// Recognises a warning by its beginning, if its end was cut off or someone shortened its values.

#include <string_view>

namespace nccl_analyze {

/// The topic of the known warning that begins with the same literal words as the message: a rule, `rule/aspect` or
/// `none`. Empty if no known warning begins so, or if known warnings of several topics do.
std::string_view topic_of_beginning(std::string_view message);

}  // namespace nccl_analyze
