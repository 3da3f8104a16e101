// Formats the host, pid, ranks and inferred version of a process.

#include "queries/places.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze {

std::string process_text(const Process& process) {
  const std::string_view host = process.host.empty() ? std::string_view{"unknown host"} : process.host.view();
  return process.pid < 0 ? std::string(host) : concat(host, ":", process.pid);
}

std::string rank_and_process_text(const Model& model, Index process) {
  const Process* at = process_of(model, process);
  std::string name = at == nullptr ? "unknown process" : process_text(*at);
  const Index comm = first_communicator_of(model, process);
  if (comm < 0) return name;
  std::vector<int> ranks;
  for (const Rank& rank : model.communicators[comm].ranks)
    if (rank.process == process) ranks.push_back(rank.rank);
  return concat(ranks_text(ranks), " (", name, ")");
}

std::string inferred_version_text(const InferredVersion& inferred) {
  const std::string_view first = inferred.versions.front().view(), last = inferred.versions.back().view();
  return concat(inferred.library.view(), " ", first, first == last ? "" : concat(" to ", last),
                " by the places in its messages");
}

std::vector<InferredVersion> merged_versions(std::span<const InferredVersion* const> inferred) {
  std::vector<InferredVersion> merged;
  const InferredVersion* last = nullptr;
  for (const InferredVersion* const one : inferred) {
    if (last != nullptr && one->library == last->library && one->versions == last->versions) continue;
    last = one;
    std::vector<Text> common;
    const auto fits = [&](const InferredVersion& other) {
      common.clear();
      std::ranges::copy_if(other.versions, std::back_inserter(common), [&](const Text& version) {
        return std::ranges::find(one->versions, version) != one->versions.end();
      });
      return other.library == one->library && !common.empty();
    };
    const auto found = std::ranges::find_if(merged, fits);
    if (found == merged.end()) {
      InferredVersion& added = merged.emplace_back();
      added.library = one->library;
      added.versions = one->versions;
    } else {
      found->versions = std::move(common);
    }
  }
  return merged;
}

}  // namespace nccl_analyze
