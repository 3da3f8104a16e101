#pragma once
// Narrows the NCCL releases that a process may run, by the wording of its messages.

#include "nccl_analyze/event.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {
struct Row;
}

namespace nccl_analyze::builder {

/// Whether a message about a connection has the form `Channel 00/0 : …` and not `Channel 00 : …`.
bool has_connection_number(std::string_view message);

/// The bit of an event in ProcessState::dated, or -1 if the event is not used for narrowing. The events used are rare,
/// are printed only by NCCL itself, and have changed their wording often.
int dating_kind(const Event& event);

/// Whether a warning names one of NCCL's own files. Plugins for InfiniBand print `NET/IB` as the NCCL does that they
/// were made from, and their files are `.c` and `.cpp`.
bool is_warning_of_core(const Record& record);

/// Narrows `releases` to those with the wording and the form of the record's message. `row`: the row that matches the
/// message; null if it is not known. Returns whether they changed.
bool narrow(Releases& releases, const Record& record, const Row* row);

}  // namespace nccl_analyze::builder
