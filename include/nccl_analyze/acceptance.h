#pragma once
/// The checks of a report: questions about the whole job, and the acceptance of a cluster as a matrix of nodes and
/// checks.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/language.h"

namespace nccl_analyze {

/// `unknown`: the log has no line that answers the question.
enum class CheckStatus : std::uint8_t { pass, fail, unknown };
std::string_view to_string(CheckStatus status);

/// A question about the job, such as which network it uses, with the answer.
struct Check {
  std::string check;
  CheckStatus status = CheckStatus::unknown;
  std::string detail;
};

/// A check that every node must pass; a column of the matrix.
struct AcceptanceColumn {
  std::string check;         ///< The expectation as written: `nics>=8`.
  std::string key;           ///< The key of the expectation: `nics`.
  std::int64_t wanted = -1;  ///< The number that `=` or `>=` requires; -1 for any other expectation.
};

/// The answer of one node to one check.
struct AcceptanceCell {
  CheckStatus status = CheckStatus::unknown;
  std::string seen;          ///< The value that the log shows: `7 NICs`; empty if no line shows it.
  std::int64_t amount = -1;  ///< The number in `seen` that is compared with AcceptanceColumn::wanted; -1: none.
};

/// A node of the job; a row of the matrix.
struct AcceptanceNode {
  std::string name;                           ///< The host, else its pod; empty if no line names either.
  std::string pod, container;                 ///< Set only where several rows have the same name.
  bool has_log = true;                        ///< False for an expected node that has no log in the input.
  CheckStatus status = CheckStatus::unknown;  ///< The worst of `cells`: fail, then unknown, then pass.
  /// One cell for each column. Empty for a node without a log; `status` is then the result of the check `hosts`, and
  /// the results of the other checks are unknown.
  std::vector<AcceptanceCell> cells;
};

/// What was expected of a job and what its log shows, by node and check.
struct Acceptance {
  std::string profile, source;            ///< Name of the profile, and the origin of its numbers; set by the caller.
  std::vector<AcceptanceColumn> columns;  ///< In the order of the expectations.
  std::vector<AcceptanceNode> nodes;      ///< Sorted by name.
  std::vector<Check> job;                 ///< The expectations of the whole job.
  std::int64_t unlogged_nodes = 0;  ///< Number of nodes that have no log in the input and whose names are unknown.
};

}  // namespace nccl_analyze
