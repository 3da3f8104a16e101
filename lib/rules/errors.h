#pragma once
/// Errors of the system in any spelling as one number, before anything is judged by them.

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Linux's errno of a failed call: printed as a number, negative (`RC: -12`), or in words (`Cannot allocate memory`).
/// 0: neither its number nor its words say which.
int errno_of(const Incident& incident);

/// The peer was gone: refused, reset, broken pipe. Other errors of a connect say that there is no way to it.
bool says_peer_gone(const Incident& incident);

/// The number of a CUDA error that NCCL printed as number or in words; 0: unknown.
int cuda_error_of(const Incident& incident);

}  // namespace nccl_analyze
