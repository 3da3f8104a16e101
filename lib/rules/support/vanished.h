#pragma once
/// Who is missing: processes that vanished, and ranks that never started. Inferred from what others print and from what
/// is absent, so that a proven failure outweighs it.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A rank whose process vanished without an error of its own.
struct Death {
  Index communicator = -1;
  int rank = -1;
  std::string sign;             ///< What shows it.
  bool circumstantial = false;  ///< No other rank names it: it is inferred from who went on.
  Evidence evidence;
};
/// Empty while ranks are missing that never started.
std::vector<Death> find_deaths(const Model& model);

/// Ranks that never reached Init START while the ranks that did wait for them.
struct Unstarted {
  Index communicator = -1;
  std::vector<int> ranks;
};
std::vector<Unstarted> find_unstarted(const Model& model);

/// Processes that printed INFO lines and are in no communicator.
std::vector<Index> processes_without_rank(const Model& model);

}  // namespace nccl_analyze
