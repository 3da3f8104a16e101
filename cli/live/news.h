#pragma once
/// Findings that were not told yet.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

class News {
 public:
  /// One line for each finding that touches somebody of whom its rule has not been told. Those that wait for the end
  /// of the log are told when it is `quiet`, each time.
  std::vector<std::string> take(const Model& model, const Report& report, bool quiet);

 private:
  void tell(const Model& model, const Finding& finding, bool quiet, std::vector<std::string>& lines);

  /// Whom each rule has been told of: processes by host and number; ranks without a host.
  std::map<std::string_view, std::set<std::pair<std::string, std::int64_t>>> told_;
};

}  // namespace nccl_analyze
