#pragma once
// Finds the tag that a launcher prints before each line of a process to identify the process.

#include <string_view>

namespace nccl_analyze {

/// Returns the part of a decoration that distinguishes the processes of a launcher: `0:` of `srun -l`, `[trainer0|2` of
/// torchrun's `[trainer0|2]:`, `[rank0` of `[rank0]:`, `[1,3` of mpirun's `[1,3]<stdout>:`, `pid=4711, ip=10.0.0.7` of
/// Ray's `(Worker pid=4711, ip=10.0.0.7)`. Empty if there is none. A tag is returned unchanged.
std::string_view launcher_tag(std::string_view decoration);

/// Whether PyTorch itself prints this tag, such as `[rank0`. PyTorch prints it only before its messages and the lines
/// of a traceback, so that other lines of the process may lack it.
bool is_rank_tag(std::string_view tag);

/// Whether PyTorch's hook for uncaught exceptions printed the line. `before`: the text before the name of the
/// exception, `[rank3]: `. PyTorch's logger prints more after the tag.
bool is_printed_by_hook(std::string_view before);

/// Returns the number of the process in the job from a tag of PyTorch: 3 for `[rank3`; -1 for other tags.
int rank_of_tag(std::string_view tag);

}  // namespace nccl_analyze
