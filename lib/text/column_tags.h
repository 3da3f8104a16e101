#pragma once
// Reads the names that stern and docker compose print in columns before each line.

#include <string_view>

#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// Stores the names in `origin` if `decoration`, the text before a record without the blanks at its end, begins with
/// - `POD CONTAINER`, `POD › CONTAINER` or, for several namespaces, `NAMESPACE POD CONTAINER` (stern);
/// - `SERVICE-1  |` or `SERVICE_1  |` (docker compose): Origin::pod, without a container.
/// A line of a program may begin with similar words. Therefore a name counts only if it has an end that controllers or
/// docker compose give to names: a number, or five random characters.
void read_column_tags(std::string_view decoration, Origin& origin);

}  // namespace nccl_analyze
