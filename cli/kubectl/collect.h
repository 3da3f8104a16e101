#pragma once
/// The two modes of the plugin: it collects all logs and reports on them, or it follows the logs.

#include "cli/kubectl/command_line.h"
#include "cli/kubectl/query.h"
#include "input/interrupts.h"

namespace nccl_analyze::kubectl {

/// Both return the exit status of nccl-analyze, and throw Failure if no log can be read. collect() returns 130 if the
/// user interrupts the listing of the pods.
int collect(const CommandLine& line, const Query& query, Interrupts& interrupts);
int follow(const CommandLine& line, const Query& query, Interrupts& interrupts);

/// Returns the path of nccl-analyze: the program beside this one if there is one, else the one on PATH.
std::string analyzer();

/// Names of the files with the pods and events from Kubernetes. No pod can have these names, because they contain
/// underscores.
inline constexpr const char *pods_file = "kubectl_get_pods.json", *events_file = "kubectl_get_events.json";

}  // namespace nccl_analyze::kubectl
