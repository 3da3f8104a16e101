#pragma once
/// The two modes of the plugin: it collects all logs and reports on them, or it follows the logs.

#include "cli/kubectl/command_line.h"
#include "cli/kubectl/folder.h"
#include "cli/kubectl/pods.h"
#include "cli/kubectl/query.h"
#include "input/interrupts.h"

namespace nccl_analyze::kubectl {

/// Both return the exit status of nccl-analyze, and throw Failure if no log can be read. collect() returns 130 if the
/// user interrupts the listing of the pods.
int collect(const CommandLine& line, const Query& query, Interrupts& interrupts);
int follow(const CommandLine& line, const Query& query, Interrupts& interrupts);

/// Returns the path of nccl-analyze: the program beside this one if there is one, else the one on PATH.
std::string analyzer();

/// Asks nccl-analyze whether the words behind `--` are right, before anything is collected for them. Returns its exit
/// status, which is not 0 after its message about a mistake.
int check_analysis_words(const CommandLine& line);

/// Writes the pods and their events, as Kubernetes reports them, beside the logs of each pod.
void write_states(Folder& folder, const std::vector<Pod>& pods);

}  // namespace nccl_analyze::kubectl
