#pragma once
/// Derives from the source line of an error in NCCL how a rank shared its memory with another rank.

#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// How a rank shares memory. `cumem`: by a cuMem handle; `ipc`: by a CUDA IPC handle, which NCCL uses if cuMem is off.
enum class HandleKind : std::uint8_t { unknown, cumem, ipc };

/// Returns the kind of handle that the process opened at `place`, by the releases of NCCL that it may run; `unknown`
/// for other places, for RCCL, or if these releases differ.
HandleKind handle_kind_at(std::string_view place, const Process& process);

}  // namespace nccl_analyze
