#pragma once
/// Determines the error numbers of failed system calls and CUDA calls.

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Returns the Linux errno of a failed call, which is printed as a number, as a negative number (`RC: -12`), or as text
/// (`Cannot allocate memory`). 0 if it is unknown.
int errno_of(const Incident& incident);

/// Returns the cudaError_t of a failed CUDA call or GPU memory allocation. 0 if the incident is neither, or the error
/// is unknown.
int cuda_error_of(const Incident& incident);

}  // namespace nccl_analyze::builder
