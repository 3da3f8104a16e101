#pragma once
/// What other programs in the log prove: who raised, was killed, or stopped waiting, and which of it others only echo.

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// How a process ended, of an incident of the kind process_ended: its exit code, or the signal as a negative number; 0
/// when neither is told.
int exit_status(const Incident& incident);

/// Where an incident of the kinds program_raised, process_ended, memory_killed, job_cancelled and gpu_faulted, or a
/// phrase of an exception, stands between root and symptom: why the program ended, or (Stage::symptom) that some
/// process failed and not why. None where it only follows from something else, and for other kinds.
std::optional<Stage> stage_of_end(const Model& model, const Incident& incident);

/// What a rank called, as far as ranks must agree on it: operation, elements in and out. Sizes are -1 where they may
/// differ by rank.
using Call = std::tuple<std::string, std::int64_t, std::int64_t>;
Call call_of(const WatchdogTimeout& stuck);

/// Whether PyTorch's watchdog gave up on a collective.
bool has_watchdog_timeout(const Model& model);

}  // namespace nccl_analyze
