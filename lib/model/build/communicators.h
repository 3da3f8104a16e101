#pragma once
// Communicators and ranks: which rank begins, completes and ends where, and what the program calls its communicators.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/build/comm_names.h"
#include "model/build/context.h"

namespace nccl_analyze::builder {

class Communicators {
 public:
  void apply(Context& context, const CommInitStarted& event);
  void apply(Context& context, const CommInitCompleted& event);
  void apply(Context& context, const CommPlaced& event);
  void apply(Context& context, const CommConfigSet& event);
  void apply(Context& context, const CommDestroyed& event);
  void apply(Context& context, const CommAborted& event);
  void apply(Context& context, const InitTimed& event);
  void apply(Context& context, const BootstrapTimed& event);

 private:
  /// Names that a process printed for communicators that have not begun yet: NCCL prints the name before the
  /// initialisation, often in another thread.
  struct GivenNames {
    struct Given {
      std::int64_t tid = -1;
      std::string name;
    };
    std::vector<Given> waiting;
    bool mixed = false;  ///< Different names began at once: each may be of any of the communicators.
  };

  /// The initialisation that begins is that of a name that its process has printed.
  void give_program_name(Context& context, RankRef ref);

  std::unordered_map<Index, GivenNames> given_names_;  ///< By process.
};

}  // namespace nccl_analyze::builder
