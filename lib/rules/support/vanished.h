#pragma once
/// Finds vanished processes. They are inferred from lines of other ranks and from missing lines, so a proven failure
/// outweighs them.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A rank whose process vanished without an error of its own.
struct Death {
  Index communicator = -1;
  int rank = -1;
  std::string sign;             ///< Why the process counts as vanished, as part of a sentence.
  bool circumstantial = false;  ///< No other rank reports the loss; lines that are missing are the only sign.
  Evidence evidence;
};
/// Empty when find_unstarted() finds ranks, which are the better explanation.
std::vector<Death> find_deaths(const Model& model);

}  // namespace nccl_analyze
