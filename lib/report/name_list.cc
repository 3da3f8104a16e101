// Folds host names into the bracket lists that Slurm uses.

#include "report/name_list.h"

#include "text/host_list.h"

namespace nccl_analyze {

std::string folded_names(const std::vector<std::string_view>& names, std::size_t most) {
  return fold_host_list(names, most);
}

}  // namespace nccl_analyze
