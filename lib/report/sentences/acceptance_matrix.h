#pragma once
/// The acceptance of a report as rows and texts that its formats share. The texts are not escaped; each writer escapes
/// them.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/acceptance.h"

namespace nccl_analyze {

/// Nodes with equal cells, as one row.
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

/// Returns the name of a node, followed by those of its pod and container: `node/pod/container`. Leaves out empty ones,
/// and a pod's name that equals the node's.
std::string node_name(const AcceptanceNode& node);

/// Returns the node's cell in a column. For a node without a log, the cell of `hosts` has the status of the node, and
/// all other cells are unknown.
AcceptanceCell cell_of(const AcceptanceNode& node, const Acceptance& acceptance, std::size_t column);

}  // namespace nccl_analyze
