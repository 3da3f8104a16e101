#pragma once
/// The first line of the text report.

#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct Judgement {
  std::string_view label;  ///< ERROR, WARNING, OK or UNKNOWN
  std::string text;
};

/// The first finding above info; else OK, unless the input is too thin to prove anything.
Judgement judge(const Model& model, const Report& report);

/// What all parsers read together.
ParseStats totals(const Model& model);

}  // namespace nccl_analyze
