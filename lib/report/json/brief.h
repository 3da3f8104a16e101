#pragma once
/// The report as one short line of JSON.

#include <cstddef>
#include <ostream>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The size limit of a line of write_brief() in bytes, with its newline: what Kubernetes keeps of the termination
/// message of a container.
inline constexpr std::size_t max_brief = 4096;

/// Writes the verdict, the first finding, its suspects and its fix as one line of JSON. Long texts and lists are cut
/// until the line fits, because a line that Kubernetes cuts would not be valid JSON.
void write_brief(std::ostream& out, const Model& model, const Report& report);

}  // namespace nccl_analyze
