#include "queries/announced.h"

#include <algorithm>

namespace nccl_analyze {

std::set<int> Announced::missing() const {
  std::set<int> found;
  for (int rank = 0; rank < size; ++rank)
    if (!ranks.contains(rank)) found.insert(rank);
  return found;
}

std::optional<Announced> waiting_members(const Model& model) {
  constexpr int most = 1 << 20;  // processes of a job
  const auto began = [](const Source& source) { return source.stats.trained_at > 0; };
  if (model.announced.empty() || model.all_registered || !model.communicators.empty() ||
      std::ranges::any_of(model.sources, began))
    return std::nullopt;
  Announced found;
  found.size = model.announced.front().size;
  for (const AnnouncedMember& one : model.announced) {
    if (one.size != found.size || one.size > most) return std::nullopt;
    if (!found.ranks.insert(one.rank).second) found.twice.insert(one.rank);
    found.evidence.add(one.at);
  }
  return static_cast<int>(found.ranks.size()) < found.size ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace nccl_analyze
