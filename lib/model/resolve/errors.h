#pragma once
/// Determines the error numbers of failed system calls and CUDA calls.

#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Returns the Linux errno of a failed call, which is printed as a number, as a negative number (`RC: -12`), or as text
/// (`Cannot allocate memory`). 0 if it is unknown.
int errno_of(const Incident& incident);

/// Whether an exception, or the check of a program, is about an error of CUDA or HIP. PyTorch has words of its own for
/// some of them: `No CUDA GPUs are available`.
bool is_cuda_exception(std::string_view exception, std::string_view words);

/// Returns the cudaError_t of a failed CUDA call or GPU memory allocation, or of one that a program reports. 0 if the
/// incident is none of these, or the error is unknown.
int cuda_error_of(const Incident& incident);

}  // namespace nccl_analyze::builder
