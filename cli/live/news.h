#pragma once
/// Selects findings that have not been reported yet.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/flat_tables.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// A finding to report.
struct NewsItem {
  const Finding* finding = nullptr;  ///< A finding of the report that was passed to take().
  bool repeated = false;             ///< Whether it was reported before; only provisional findings are reported again.
};

class NewFindings {
 public:
  /// Returns the findings, and their consequences, that affect a process or rank for which their rule was not reported
  /// before. Provisional findings are included only if the log is `quiet`, and then every time.
  std::vector<NewsItem> take(const Model& model, const Report& report, bool quiet);

 private:
  /// A set of ranks, of which a job may have a hundred thousand.
  class Ranks {
   public:
    /// Returns whether the rank is new.
    bool insert(int rank);

   private:
    std::vector<bool> has_;               ///< By rank.
    builder::FlatSet<std::int64_t> odd_;  ///< Negative ones, and those beyond the limit of a model.
  };

  /// What has been reported of a rule. A finding may name a hundred thousand processes.
  struct Told {
    bool any = false;
    Ranks ranks;
    /// Hashes of host and pid. One table for all hosts, because this is kept: small pieces of memory for each host
    /// would lie all over the memory that a judging frees, and none of it could be returned.
    builder::FlatSet<std::uint64_t> processes;
  };
  using Reported = std::map<std::string_view, Told>;  ///< By rule id.
  void tell(const Model& model, const Finding& finding, bool quiet, std::vector<NewsItem>& items);
  static bool insert(const Model& model, const Finding& finding, Reported& reported);

  Reported reported_, provisional_;
};

/// Formats a finding in one line: rule, place and message.
std::string describe_news(const Model& model, const Finding& finding);

}  // namespace nccl_analyze
