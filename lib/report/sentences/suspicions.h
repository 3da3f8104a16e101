#pragma once
/// Maps ranks to the rules that suspect them: tables list the rules, pictures colour the ranks.

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The rules whose errors or warnings suspect a rank or a host.
struct Suspicion {
  std::set<std::string_view> rules;  ///< Ids such as `NCA606`, owned by the rule registry.
  Severity worst = Severity::info;   ///< Worst severity of the findings; info if `rules` is empty.
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
