#pragma once
// Removes the text before the message in a line of a program other than NCCL: what collectors and launchers add to the
// output of a process, and what loggers print.

#include <cstddef>
#include <string_view>

namespace nccl_analyze {

/// Returns the length of the text that collectors and launchers print before each line of a stream, including the blank
/// after it: syslog's and journalctl's `Nov 25 10:00:00 node1 python[123]: `, the container runtime's
/// `2026-01-31T10:00:00.1Z stderr F `, mpirun's `[1,0]<stderr>:`, the kernel's `[Mon Nov 24 10:00:00 2025] `. 0 if
/// there is none.
std::size_t wrapper_size(std::string_view line);

/// Removes the decoration before a line's message: wrappers, and the leading words that are brackets, a time, a rank or
/// a level. Blanks at both ends are removed too.
std::string_view without_decoration(std::string_view line);

}  // namespace nccl_analyze
