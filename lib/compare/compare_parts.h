#pragma once
/// The parts of a comparison beside the facts: measures, findings, and the order of what changed.

#include <string>

#include "compare/topics.h"
#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// `worker-0.log:27`; empty for no line.
std::string place_of(const RunFacts& run, LineRef at);

/// Sets the line that shows the value of the new run.
void set_new_line(Change& change, const RunFacts& run, LineRef at);

/// Adds a fact that one run lacks to the entry of its topic. `shown` are the topics of which that run has facts.
void note_not_compared(RunDiff& diff, Topic topic, std::string what, bool old_lacks, TopicSet shown = 0);

void compare_measures(const RunFacts& before, const RunFacts& after, TopicSet ignored, RunDiff& diff);
void compare_findings(const RunFacts& before, const RunFacts& after, RunDiff& diff);

/// Sorts changes by topic, but a topic that explains changes of an earlier one is put before it.
void put_causes_first(std::vector<Change>& changes);

/// Cuts two long texts so that the place where they begin to differ is still shown.
void shorten(std::string& before, std::string& after);

}  // namespace nccl_analyze
