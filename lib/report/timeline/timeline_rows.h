#pragma once
/// Chooses which processes the picture of the time line shows, in which order, and under which names.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "report/timeline/timeline.h"

namespace nccl_analyze {

/// The rows of the picture. A row shows one process, or one GPU of a process that has several.
struct TimelineRows {
  struct Span {
    const InitSpan* span = nullptr;
    std::size_t row = 0;
  };
  std::vector<std::string> names;           ///< Name of each row, not yet escaped: `rank 3 worker-0 GPU 3`.
  std::vector<Span> spans;                  ///< In the order of Timeline::spans, to which they point.
  std::map<Index, std::size_t> of_process;  ///< Row of each process; the row of its lowest GPU if it has several.
  std::size_t left_out = 0;                 ///< Number of rows beyond the limit.
  std::size_t failing_left_out = 0;         ///< Number of rows beyond the limit that have failures.
  std::size_t spans_left_out = 0;  ///< Number of spans in shown rows that are missing in `spans`, which has a limit.
};

/// Chooses the rows: first processes with failures, then processes with the longest initialisations. The chosen rows
/// are sorted by rank in the widest communicator. A time line of length 0 has no rows.
TimelineRows rows_of(const Model& model, const Timeline& timeline);

}  // namespace nccl_analyze
