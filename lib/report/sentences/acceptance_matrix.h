#pragma once
/// The acceptance of a report as rows and texts that its formats share. All texts are raw log text, which each writer
/// escapes.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/acceptance.h"

namespace nccl_analyze {

/// Nodes with equal answers, as one row.
struct MatrixRow {
  std::string nodes;  ///< `dgx[001-079]`
  std::size_t count = 0;
  CheckStatus status = CheckStatus::unknown;
  std::vector<std::string> cells;    ///< `ok`, `FAIL`, `7/8` (seen/wanted) or `?`; one for each column.
  std::vector<std::string> details;  ///< What was seen in the cells that are not ok: `gdr FAIL: no GPUDirect RDMA`.
};

/// The matrix with equal nodes folded into one row; failed rows first, then unknown ones.
struct Matrix {
  std::string headline;           ///< `79 of 80 nodes pass dgx-h100`
  std::vector<std::string> head;  ///< Keys of the columns; whole expectations where keys are equal.
  std::vector<MatrixRow> rows;
  std::vector<std::string> job;  ///< The checks of the job that did not pass: `ranks=640 FAIL: 632 ranks`.
};
Matrix fold_matrix(const Acceptance& acceptance);

/// The name of a node, with its pod and container where several nodes have the same name.
std::string node_name(const AcceptanceNode& node);

/// The answer of a node in a column. For a node without a log, the answer to `hosts` is the status of the node, and all
/// others are unknown.
AcceptanceCell cell_of(const AcceptanceNode& node, const Acceptance& acceptance, std::size_t column);

}  // namespace nccl_analyze
