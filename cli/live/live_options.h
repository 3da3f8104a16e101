#pragma once
/// The options that go with --follow.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// What ends --follow before its inputs end.
struct Until {
  std::optional<Severity> severity;  ///< A finding of this severity or a worse one.
  bool ready = false;                ///< All communicators are initialised.
};

struct LiveOptions {
  Until until;
  std::vector<std::string> on_finding;  ///< A program and its arguments; empty: none.
  std::optional<std::string> news;      ///< The file for news as JSON lines; `-`: standard output.
};

}  // namespace nccl_analyze
