#pragma once
/// Compares the collectives of a communicator's ranks call by call, by their COLL lines. All ranks must call the same
/// collectives in the same order. Calls are numbered by counting them, because ranks that make the same calls may print
/// different opCounts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Describes a call: `AllReduce (sum) of 1024 float32`, `Broadcast of 8 int64 from rank 0`.
std::string call_text(const CollectiveCall& call);

/// Ranks that made the same call.
struct CallGroup {
  CollectiveCall call;  ///< The call as the first rank printed it.
  std::vector<const Rank*> ranks;
};

/// The first collective at which the calls of the ranks differ.
struct CallMismatch {
  std::uint64_t number = 0;       ///< Number of the collective, starting at 0.
  bool may_be_earlier = false;    ///< Whether earlier calls, which the model no longer keeps, may differ too.
  std::vector<CallGroup> groups;  ///< The smallest group comes first.
};
/// Returns the first collective at which the calls of the ranks differ; nullopt if all calls agree, or if call lines
/// may be missing from a log.
std::optional<CallMismatch> find_call_mismatch(const Model& model, const Communicator& comm);

/// A call of a process whose communicator appears only in call lines.
struct UnnamedCall {
  Index process = -1;
  int device = -1;
  CollectiveCall call;
};
/// The first opCount at which the calls of processes without a known communicator differ.
struct UnnamedCallMismatch {
  std::uint64_t op_count = 0;
  int nranks = 0;
  std::vector<std::vector<UnnamedCall>> groups;  ///< Two groups of equal calls; the smaller one comes first.
};
/// Compares calls by opCount in an excerpt that shows no initialisation, and returns the first difference. nullopt if
/// all calls agree in order. nullopt also if the calls may belong to several communicators, whose calls differ anyway:
/// the sizes differ, a process has two communicators, there are more processes than ranks, or the first difference is
/// not between one call of most processes and one other call of all others.
std::optional<UnnamedCallMismatch> find_unnamed_call_mismatch(const Model& model);

/// Whether the processes of Model::unnamed_calls may belong to one communicator, all of them made calls, and these
/// calls agree in order.
bool unnamed_calls_agree(const Model& model);

/// `behind`: the ranks that called fewer collectives than others; `others`: the ranks that called the most.
struct Stragglers {
  std::vector<const Rank*> behind, others;
};
/// Returns the stragglers of the communicator. nullopt unless PyTorch's watchdog reported a timeout, because the ranks
/// of a running job are usually a few calls apart when its log ends. nullopt also if a logged rank may lack calls, if
/// more ranks are behind than not, if none is behind, or if the ranks made different calls.
std::optional<Stragglers> find_stragglers(const Model& model, const Communicator& comm);

/// Describes how many collectives each rank called, and its last one; empty if no rank's number is known.
std::string last_calls_text(const Model& model, const Communicator& comm);

}  // namespace nccl_analyze
