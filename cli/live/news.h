#pragma once
/// Selects findings that were not printed yet.

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
  /// One line for each finding that affects a process or rank for which its rule has not been printed. Provisional
  /// findings are returned only if the log is `quiet`, and then every time.
  std::vector<std::string> take(const Model& model, const Report& report, bool quiet);

 private:
  void tell(const Model& model, const Finding& finding, bool quiet, std::vector<std::string>& lines);

  /// By rule id, what has been printed: {host, pid} for a process, {"", rank} for a rank, and {"", -1} once the rule
  /// has been printed at all.
  std::map<std::string_view, std::set<std::pair<std::string, std::int64_t>>> reported_;
};

}  // namespace nccl_analyze
