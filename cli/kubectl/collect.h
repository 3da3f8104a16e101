#pragma once
/// The two ways of work: collect all logs and report on them, or follow the logs.

#include "cli/kubectl/command_line.h"
#include "cli/kubectl/query.h"
#include "cli/live/interrupts.h"

namespace nccl_analyze::kubectl {

/// Both return the exit status of nccl-analyze, and throw Failure if no log can be read.
int collect(const CommandLine& line, const Query& query, Interrupts& interrupts);
int follow(const CommandLine& line, const Query& query, Interrupts& interrupts);

/// The program nccl-analyze: the one beside this program, or the one on PATH.
std::string analyzer();

/// The file names of what Kubernetes says. No pod can have these names.
inline constexpr const char *pods_file = "kubectl_get_pods.json", *events_file = "kubectl_get_events.json";

}  // namespace nccl_analyze::kubectl
