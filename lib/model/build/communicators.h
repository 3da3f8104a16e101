#pragma once
// Records when each rank starts, completes and ends, and the names that the program gives its communicators.

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
  /// Names that a process printed for communicators whose initialisation has not begun. NCCL prints the name before the
  /// initialisation, often in another thread.
  struct GivenNames {
    struct Given {
      std::int64_t tid = -1;
      std::string name;
    };
    std::vector<Given> waiting;
    bool mixed = false;  ///< Different names were waiting for a communicator, and its thread had printed none.
  };

  /// Sets the name of a communicator whose initialisation begins, if the process printed the name before.
  void give_program_name(Context& context, RankRef ref);

  std::unordered_map<Index, GivenNames> given_names_;  ///< By process.
};

}  // namespace nccl_analyze::builder
