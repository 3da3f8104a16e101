#include "model/resolve/first_communicators.h"

#include <cstddef>

namespace nccl_analyze {

void find_first_communicators(Model& model) {
  for (Process& process : model.processes) process.communicator = -1;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    for (const Rank& rank : model.communicators[i].ranks) {
      if (rank.process < 0) continue;
      Index& first = model.processes[rank.process].communicator;
      if (first < 0) first = static_cast<Index>(i);
    }
  }
}

}  // namespace nccl_analyze
