#pragma once
/// Finds files that describe a machine. Copies of these are not left out, because two hosts may print equal output of
/// `nvidia-smi topo -m`.

#include <string>

namespace nccl_analyze {

/// Whether the file has at most 1 MiB, describes a machine and contains no line of NCCL.
bool describes_machine_only(const std::string& path);

}  // namespace nccl_analyze
