#include "rules/support/missing_ranks.h"

#include "queries/completeness.h"
#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze {

std::string unless_here(const Model& model, const Communicator& comm, std::size_t missing, bool has_unplaced) {
  if (lacks_processes(model)) return ", unless they are beyond the number of processes that this program keeps";
  const bool is_damaged = may_be_lost(model, comm, 1);
  if (!has_unplaced && !is_damaged) return {};
  return concat(", unless ", has_unplaced ? "lines that name no communicator" : "",
                has_unplaced && is_damaged ? ", or damaged lines," : "", !has_unplaced ? "damaged lines" : "",
                " are of ", missing == 1 ? "this rank" : "these ranks");
}

}  // namespace nccl_analyze
