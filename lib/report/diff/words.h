#pragma once
/// Sentences and rows about the difference of two runs, which text, Markdown and HTML share. They are not escaped yet;
/// each format does so.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// A row of the table of changes. `what` is empty in all rows of a fact except the first.
struct DiffRow {
  std::string what, old_value, new_value;
  std::string who;  ///< `14 of 16 hosts: ranks 0-111`; empty for the whole job and for every rank.
  std::string old_place, new_place;
};
/// The rows about one topic, in the order in which topics are shown.
struct DiffTopic {
  Topic topic{};
  std::vector<DiffRow> rows;
  std::size_t left_out = 0;  ///< Number of rows beyond the limit for one fact.
};
/// Describes the changes by topic, with at most `most` rows for each fact.
std::vector<DiffTopic> describe_changes(const RunDiff& diff, std::size_t most);

/// Returns the first difference and the number of others: `network: IB before, Socket now; and 5 other differences`.
/// Without a difference, `no difference` or, if some facts were not compared, `no difference in what both runs show`.
std::string describe_diff(const RunDiff& diff);
/// Returns `Both: 16 ranks, 2 hosts, network Socket`; empty if no main fact is equal.
std::string describe_shared(const RunDiff& diff);
/// Returns `Equal: settings 8, channels 4`; empty if nothing was equal.
std::string describe_equal(const RunDiff& diff);
/// Returns one line per topic and run that lacks facts: `graphs (rings and trees): not in the old run; shown by …`.
std::vector<std::string> describe_not_compared(const RunDiff& diff);

}  // namespace nccl_analyze
