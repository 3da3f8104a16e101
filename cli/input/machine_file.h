#pragma once
/// Finds files that describe a machine, whose copies count: twin hosts have equal `nvidia-smi topo -m`.

#include <string>

namespace nccl_analyze {

/// Whether the file, of at most a mebibyte, describes a machine and holds no line of NCCL.
bool describes_machine_only(const std::string& path);

}  // namespace nccl_analyze
