#pragma once
/// The object behind the handle of a report: the judged log or the difference, and the texts that C programs request.

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "c_api/session.h"

struct nccl_analyze_report;

namespace nccl_analyze {

inline constexpr std::array<std::string_view, 6> finding_keys{"rule", "name", "severity", "place", "message", "fix"};

/// The values of one finding, in the order of finding_keys.
using FindingTexts = std::array<std::string, finding_keys.size()>;

std::unique_ptr<nccl_analyze_report> new_report(Judged judged);

}  // namespace nccl_analyze

struct nccl_analyze_report {
  nccl_analyze::Judged judged;
  std::string verdict, outcome, headline;
  std::vector<nccl_analyze::FindingTexts> findings;
};
