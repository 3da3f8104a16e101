#pragma once
/// Which findings suspect which ranks: tables name them and pictures paint them.

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The findings above info that suspect somebody, and how bad the worst of them is. Views of the registry's names.
struct Suspicion {
  std::set<std::string_view> rules;  ///< `NCA606`
  Severity worst = Severity::info;   ///< info where `rules` is empty.
  void add(const Suspicion& other);
  std::string text() const;  ///< `NCA301, NCA606`
};

/// Those of one communicator's ranks.
class Suspicions {
 public:
  Suspicions(const Report& report, Index communicator);
  Suspicion of(const Rank& rank) const;

 private:
  std::map<Index, Suspicion> by_process_;
  std::map<int, Suspicion> by_rank_;
};

}  // namespace nccl_analyze
