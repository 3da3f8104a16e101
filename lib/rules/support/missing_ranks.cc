#include "rules/support/missing_ranks.h"

#include "queries/completeness.h"
#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze {

std::string unless_here(const Model& model, const Communicator& comm, std::size_t missing) {
  const bool may_be_here = has_unplaced_lines(model), is_damaged = may_be_lost(model, comm, 1);
  if (!may_be_here && !is_damaged) return {};
  return concat(", unless ", may_be_here ? "lines that name no communicator" : "",
                may_be_here && is_damaged ? ", or damaged lines," : "", !may_be_here ? "damaged lines" : "", " are of ",
                missing == 1 ? "this rank" : "these ranks");
}

}  // namespace nccl_analyze
