#pragma once
/// The report of a case with what its folder asks for.

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "testdata.h"

namespace nccl_analyze {

/// Analyses the model, compares it with the case's file `baseline` and checks the expectations in `expect`, if these
/// exist.
Report judge(const Case& test, const Model& model);

}  // namespace nccl_analyze
