#pragma once
/// `--host` and `--comm`: restrict a finished analysis to a part of the job.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The part of the job that the user selected.
struct Scope {
  std::function<bool(std::string_view host)> host;  ///< Empty: every host.
  /// A communicator by name, by id, by pointer in any rank (0x…), or by number in the model (#1, 1). Empty: every
  /// communicator.
  std::optional<std::string> comm;
};

/// Removes what is out of scope from the model and the report. All rules have already run on the whole model, so the
/// remaining findings are based on the whole job. A communicator in scope keeps all its ranks, rings and trees.
/// Rank::process becomes -1 if the process is out of scope; a connection stays if one of its ranks is in scope.
void restrict_to(const Scope& scope, Model& model, Report& report);

}  // namespace nccl_analyze
