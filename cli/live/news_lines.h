#pragma once
/// What --follow reports, as JSON lines, for programs. cli/live/README.md describes the members.

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

// Each function returns one JSON object without a line break.

/// The progress of the communicators.
std::string state_news(const Model& model);
/// A finding, as in the JSON report.
std::string finding_news(const Model& model, const Finding& finding);
/// What the job waits for, after a time without NCCL lines.
std::string stall_news(std::chrono::milliseconds silence, const std::vector<std::string>& waits);
/// The verdict at the end, and why --follow ended: `input`, `signal` or `until`.
std::string end_news(const Model& model, const Report& report, std::string_view reason);

}  // namespace nccl_analyze
