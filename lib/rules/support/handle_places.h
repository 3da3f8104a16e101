#pragma once
/// Tells by the place of an error in NCCL's code how a rank handed its memory to another one.

#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// `cumem`: by a handle of cuMem; `ipc`: by one of CUDA IPC, which NCCL uses where cuMem is off.
enum class HandleKind : std::uint8_t { unknown, cumem, ipc };

/// The kind of handle that the process opened at `place`, by the releases that it may run; `unknown` for other places,
/// or if these releases differ.
HandleKind handle_kind_at(std::string_view place, const Process& process);

}  // namespace nccl_analyze
