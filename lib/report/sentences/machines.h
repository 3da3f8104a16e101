#pragma once
/// Describes in words what documents of tools such as lspci and ibstat show about machines.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Returns one line for each document: its host, its tool, and the devices, paths, ports or graphs that it shows. The
/// lines are not escaped; documents beyond a limit are only counted.
std::vector<std::string> describe_machines(const Model& model);

}  // namespace nccl_analyze
