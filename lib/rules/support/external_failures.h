#pragma once
/// Separates causes from symptoms among the lines of frameworks, launchers and the kernel.

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// How the process of a process_ended incident ended: the exit code, or the negated number of the signal. 0 when the
/// line has neither.
int exit_status(const Incident& incident);

/// The stage of an incident about the end of a program: program_raised, process_ended, memory_killed, job_cancelled,
/// gpu_faulted, and phrase_seen in an exception. Stage::symptom means that the line shows a failed process, but not the
/// reason. No stage for other kinds, for exceptions that the program survived, and for processes that a launcher ended.
std::optional<Stage> stage_of_end(const Model& model, const Incident& incident);

/// The properties of a collective that must be equal on all ranks: operation, elements in, elements out. Both sizes are
/// -1 for operations that allow different sizes.
using Call = std::tuple<std::string, std::int64_t, std::int64_t>;
Call call_of(const WatchdogTimeout& stuck);

/// Whether PyTorch's watchdog reported the timeout of a numbered collective.
bool has_watchdog_timeout(const Model& model);

}  // namespace nccl_analyze
