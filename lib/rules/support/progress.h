#pragma once
/// How far the ranks of a communicator have come in its collectives, by their COLL lines: facts, no judgement. In a log
/// that merely ends, ranks are a few calls apart.

#include <cstdint>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

struct RankProgress {
  int rank = -1;  ///< -1: its communicator is known by its calls alone.
  Index process = -1;
  int gpu = -1;
  std::uint64_t number = 0;  ///< Of its last collective, from 1; 0 = it has called none.
  LineRef at;                ///< Its last call.
};

struct CallProgress {
  Index communicator = -1;  ///< -1: only calls of it are in the input, put together by their size and what they call.
  int nranks = -1;
  std::uint64_t number = 0;           ///< Of the furthest collective, from 1.
  CollectiveCall call;                ///< That one.
  std::vector<RankProgress> reached;  ///< Sorted by rank.
  std::vector<RankProgress> behind;   ///< The furthest behind first.
  std::vector<int> unknown;           ///< Ranks in this input whose calls are not shown, or not all.
};

/// Of each communicator whose ranks can be compared, in the model's order.
std::vector<CallProgress> find_call_progress(const Model& model);

/// `AllReduce 174: 127 of 128 ranks; rank 52 is at 173`
std::string progress_text(const Model& model, const CallProgress& progress);

}  // namespace nccl_analyze
