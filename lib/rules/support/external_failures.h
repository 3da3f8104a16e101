#pragma once
/// Separates causes from symptoms among the lines of frameworks, launchers and the kernel.

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Returns how the process of a process_ended incident ended: its exit code, or the negated number of the signal that
/// ended it (-9 for SIGKILL). Of a program_raised incident: the negated number of the signal that ended a child
/// process. 0 if the line has neither.
int exit_status(const Incident& incident);

/// Whether a launcher reports that a process ended with an exit code other than 0, but not with which code.
bool ends_with_unknown_exit_code(const Incident& incident);

/// Whether the line reports that a rank called MPI_Abort.
bool calls_abort(const Incident& incident);

/// Whether the log shows, apart from exceptions, that the job failed: a closed connection, the end of a process, an
/// error of NCCL that a program raised, a watchdog that gave up.
bool has_trouble(const Model& model);

/// Whether any process was killed for lack of memory. A launcher reports such a kill only as SIGKILL. The two reports
/// are not matched by pid, because kernel and launcher print different pids for a process in a container.
bool has_memory_kill(const Model& model);

/// Whether Python says that a command or process failed that it had started, whose output or kernel has the reason.
bool tells_of_child(const Incident& incident);

/// Whether an exception says that a signal, other than a launcher's SIGTERM, ended a child process.
bool tells_of_killed_child(const Incident& incident);

/// Whether the scheduler ended the job because its time was over.
bool is_time_limit(const Incident& incident);

/// Whether somebody stopped a Python program from the keyboard. The log does not prove what the program did.
bool is_stopped_by_hand(const Incident& incident);

/// Whether the kernel reports that a NIC has its link again.
bool is_link_up(const Incident& incident);

/// Returns the stage of an incident that ended a program; nullopt if it ended none, because the program survived the
/// exception, the process ended without an error, or a launcher ended it. Stage::symptom means that the line shows a
/// failed process, but not why it failed. Only the kinds program_raised, process_ended, memory_killed, job_cancelled,
/// gpu_faulted, node_lost and device_faulted have a stage, and phrase_seen if an exception contains the phrase.
std::optional<Stage> stage_of_end(const Model& model, const Incident& incident);

/// Says who raised an exception: `The program raised ValueError`. Exceptions without a name, such as that of PyTorch's
/// watchdog thread, have texts of their own.
std::string raised_text(std::string_view exception);

/// The operation, input elements and output elements of a collective, which must be equal on all ranks. The numbers of
/// elements are -1 for operations whose sizes may differ between ranks.
using Call = std::tuple<std::string, std::int64_t, std::int64_t>;
Call call_of(const WatchdogTimeout& stuck);

/// Whether PyTorch's watchdog reported a timeout with the number or the name of the collective.
bool has_watchdog_timeout(const Model& model);

}  // namespace nccl_analyze
