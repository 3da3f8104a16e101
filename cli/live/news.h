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

/// A finding to report.
struct NewsItem {
  const Finding* finding = nullptr;  ///< In the report that was given.
  bool repeated = false;             ///< Whether it was news before. Only provisional findings are news again.
};

class NewFindings {
 public:
  /// The findings, and their consequences, that affect a process or rank for which their rule was not news before.
  /// Provisional findings are news only if the log is `quiet`, and then every time.
  std::vector<NewsItem> take(const Model& model, const Report& report, bool quiet);

 private:
  /// By rule id, what has been news: {host, pid} for a process, {"", rank} for a rank, and {"", -1} once the rule has
  /// been news at all.
  using Reported = std::map<std::string_view, std::set<std::pair<std::string, std::int64_t>>>;
  void tell(const Model& model, const Finding& finding, bool quiet, std::vector<NewsItem>& items);
  static bool insert(const Model& model, const Finding& finding, Reported& reported);

  Reported reported_, provisional_;
};

/// One line: rule, place and message.
std::string describe_news(const Model& model, const Finding& finding);

}  // namespace nccl_analyze
