#pragma once
/// Maps ranks to the rules that suspect them: tables list the rules, pictures colour the ranks.

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The rules above info that suspect a rank or a host, as views of the registry's ids, and the worst severity among
/// them.
struct Suspicion {
  std::set<std::string_view> rules;  ///< `NCA606`
  Severity worst = Severity::info;   ///< info if `rules` is empty.
  void add(const Suspicion& other);
  std::string text() const;  ///< `NCA301, NCA606`
};

/// The suspicions against the ranks of one communicator.
class Suspicions {
 public:
  Suspicions(const Report& report, Index communicator);
  Suspicion of(const Rank& rank) const;

 private:
  std::map<Index, Suspicion> by_process_;
  std::map<int, Suspicion> by_rank_;
};

}  // namespace nccl_analyze
