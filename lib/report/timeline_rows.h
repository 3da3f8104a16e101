#pragma once
/// The rows of the time line's picture: which processes it shows, in which order, and under which names.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "report/timeline.h"

namespace nccl_analyze {

/// A row shows one process, or one GPU of a process that has several.
struct TimelineRows {
  struct Span {
    const InitSpan* span = nullptr;
    std::size_t row = 0;
  };
  std::vector<std::string> names;           ///< Name of each row, as raw log text: `rank 3 worker-0 GPU 3`.
  std::vector<Span> spans;                  ///< In the order of Timeline::spans, to which they point.
  std::map<Index, std::size_t> of_process;  ///< The row of each process; of several, the lowest GPU's row.
  std::size_t left_out = 0;                 ///< Number of rows beyond the limit.
  std::size_t failing_left_out = 0;         ///< Number of rows beyond the limit that have failures.
  std::size_t spans_left_out = 0;           ///< Number of spans of the shown rows beyond their own limit.
};

/// Chooses the rows: processes with failures first, then the longest initialisations. Rows are sorted by rank in the
/// widest communicator. A time line without any length has no rows.
TimelineRows rows_of(const Model& model, const Timeline& timeline);

}  // namespace nccl_analyze
