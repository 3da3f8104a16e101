#pragma once
/// The parts of a comparison other than facts: measures, findings, and the order of changes.

#include <string>

#include "compare/topics.h"
#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// Formats the place of a line: `worker-0.log:27`; empty if the line is unknown.
std::string place_of(const RunFacts& run, LineRef at);

/// Sets Change::new_at and Change::new_place to the line that shows the value of the new run.
void set_line_of_new_run(Change& change, const RunFacts& run, LineRef at);

/// Records that a fact could not be compared, because the old run (if `old_lacks`) or the new run lacks it. `shown`:
/// the topics for which that run has facts. If one of them is in TopicRow::shown_by, nothing is recorded, because the
/// log would show the fact if it applied to the run.
void note_not_compared(RunDiff& diff, Topic topic, std::string what, bool old_lacks, TopicSet shown = 0);

void compare_measures(const RunFacts& before, const RunFacts& after, TopicSet ignored, RunDiff& diff);
void compare_findings(const RunFacts& before, const RunFacts& after, RunDiff& diff);

/// Sorts changes by topic. A topic whose changes may have caused changes of an earlier topic is moved before that
/// topic. Within a topic, the most important changes come first.
void put_causes_first(std::vector<Change>& changes);

/// Truncates both texts to about 160 bytes if one of them is longer. The part around their first difference is kept.
void shorten(std::string& before, std::string& after);

}  // namespace nccl_analyze
