#pragma once
/// Errors of the system and of CUDA, in any spelling, as one number.

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Linux's errno of a failed call: printed as a number, negative (`RC: -12`), or in words (`Cannot allocate memory`).
/// 0: neither a number nor known words are in it.
int errno_of(const Incident& incident);

/// cudaError_t of a CUDA call that NCCL reports, or of memory of a GPU that it did not get; 0: no such error, or
/// unknown.
int cuda_error_of(const Incident& incident);

}  // namespace nccl_analyze::builder
