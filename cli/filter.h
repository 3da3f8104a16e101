#pragma once
/// `--host` and `--comm`: the part of a finished analysis that the user wants to see.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct Scope {
  std::function<bool(std::string_view host)> host;  ///< Empty: every host.
  /// A communicator's name, its id or its pointer in any rank (0x…), or its number in the model (#1, 1).
  std::optional<std::string> comm;
};

/// Drops what is out of scope from a model and from the report on it; the whole model was judged before, so what
/// remains stays true of the whole job. A communicator in scope keeps all its ranks, rings and trees; ranks whose
/// process is out of scope point to none (-1), and only connections that touch a rank in scope stay.
void restrict_to(const Scope& scope, Model& model, Report& report);

}  // namespace nccl_analyze
