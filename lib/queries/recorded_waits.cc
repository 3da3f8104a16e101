// Follows the waits of ranks to their ends.

#include "queries/recorded_waits.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

#include "text/message_text.h"

namespace nccl_analyze {

namespace {

void add_recorded_group(RecordedGroup& group, RecordedWaits& waits) {
  RecordedLag lag = lag_of(group);
  for (const FlightRecord* record : group.ranks) {
    const int rank = record->global_rank;
    waits.recorded.insert(rank);
    if (!record->receives.empty() || !record->sends.empty()) waits.transfers[rank].push_back(record);
    if (!lag.behind.empty() && record->sequence == lag.sequence)
      waits.in_groups[rank].push_back(waits.desyncs.size());
    else if (record->sequence >= 0)
      waits.open.try_emplace(rank, group.name);
  }
  if (!lag.behind.empty())
    waits.desyncs.push_back({.group = std::move(group), .lag = std::move(lag), .held = {}, .effects = {}, .cause = {}});
}

/// Whether the dump of a rank shows nothing that it waits for.
bool waits_nowhere(const RecordedWaits& waits, int rank) {
  return waits.recorded.contains(rank) && !waits.in_groups.contains(rank) && !waits.open.contains(rank) &&
         !waits.transfers.contains(rank);
}

/// Where the sends and receives lead in which a rank waits.
struct TransferEnds {
  std::set<int> ranks;                  ///< Ranks that wait for nothing by their dumps.
  std::set<std::size_t> groups;         ///< Groups with ranks behind in which ranks wait.
  std::set<const FlightRecord*> shown;  ///< The records of these sends and receives.
  bool is_known = true;                 ///< Whether the dumps show all ends.
};

std::set<int> peers_of(const std::vector<const FlightRecord*>& records) {
  std::set<int> peers;
  for (const FlightRecord* record : records) {
    peers.insert(record->receives.begin(), record->receives.end());
    peers.insert(record->sends.begin(), record->sends.end());
  }
  return peers;
}

TransferEnds follow_transfers(const RecordedWaits& waits, int start) {
  constexpr std::size_t most = 256;  // ranks of a chain
  TransferEnds ends;
  std::vector<int> reached{start};
  std::set<int> seen{start};
  bool waits_for_several = false, has_cycle = false;
  for (std::size_t i = 0; i < reached.size() && ends.is_known; ++i) {
    const int rank = reached[i];
    const auto groups = waits.in_groups.find(rank);
    const auto transfers = waits.transfers.find(rank);
    if (i > 0 && groups != waits.in_groups.end()) {
      ends.groups.insert(groups->second.begin(), groups->second.end());
    } else if (reached.size() > most || waits.open.contains(rank) || !waits.recorded.contains(rank)) {
      ends.is_known = false;
    } else if (transfers == waits.transfers.end()) {
      ends.ranks.insert(rank);
    } else {
      ends.shown.insert(transfers->second.begin(), transfers->second.end());
      const std::set<int> peers = peers_of(transfers->second);
      waits_for_several = waits_for_several || peers.size() > 1;
      for (const int peer : peers) {
        const bool is_new = seen.insert(peer).second;
        if (is_new) reached.push_back(peer);
        has_cycle = has_cycle || !is_new;
      }
    }
  }
  // Operations that were issued together complete together, so that a rank may wait for only one of the peers that its
  // dump names. If others wait for each other, they may be the reason.
  if (waits_for_several && has_cycle) ends.is_known = false;
  return ends;
}

/// Returns `a receive from rank 2`; empty if there are no peers.
std::string transfer_text(std::string_view what, const std::vector<int>& peers) {
  const auto is_unknown = [](int peer) { return peer < 0; };
  if (peers.empty()) return {};
  if (std::ranges::any_of(peers, is_unknown)) return concat("a ", what, " a rank that its dump does not name");
  return concat("a ", what, " ", ranks_text(peers));
}

/// Returns the sends and receives of a process group in which a rank waits, and which ranks at their other ends left no
/// dump.
std::string transfers_text(const RecordedWaits& waits, const FlightRecord& record) {
  if (record.sends.empty() && record.receives == std::vector{-1})
    return "an operation of which its dump does not name the other ranks";
  std::vector<std::string> parts;
  for (std::string part : {transfer_text("receive from", record.receives), transfer_text("send to", record.sends)})
    if (!part.empty()) parts.push_back(std::move(part));
  std::vector<int> missing;
  for (const std::vector<int>* peers : {&record.receives, &record.sends})
    std::ranges::copy_if(*peers, std::back_inserter(missing),
                         [&](int peer) { return peer >= 0 && !waits.recorded.contains(peer); });
  return list_text(parts) + when(!missing.empty(), " (the dumps hold no operation of ", ranks_text(missing), ")");
}

/// Notes that a rank waits in sends and receives. Returns where these lead.
TransferEnds hold_in_transfers(const RecordedWaits& waits, int rank, HeldRanks& held) {
  held.places.try_emplace(rank, transfers_text(waits, *waits.transfers.at(rank).front()));
  held.in_transfers.insert(rank);
  TransferEnds ends = follow_transfers(waits, rank);
  held.transfers.insert(ends.shown.begin(), ends.shown.end());
  if (ends.is_known && ends.ranks.size() == 1 && ends.groups.empty()) held.awaited.insert(*ends.ranks.begin());
  return ends;
}

/// Returns the group in which a rank that is behind in `group` waits, itself or by its sends and receives; `group` if
/// there is none.
std::size_t where_held(const RecordedWaits& waits, int rank, std::size_t group, HeldRanks& held) {
  const auto is_other = [&](std::size_t one) { return one != group; };
  if (const auto found = waits.in_groups.find(rank); found != waits.in_groups.end()) {
    const auto other = std::ranges::find_if(found->second, is_other);
    if (other != found->second.end()) return *other;
  }
  if (waits.open.contains(rank) || !waits.transfers.contains(rank)) return group;
  const TransferEnds ends = hold_in_transfers(waits, rank, held);
  const auto other = std::ranges::find_if(ends.groups, is_other);
  return ends.is_known && ends.ranks.empty() && other != ends.groups.end() ? *other : group;
}

/// Sets RecordedDesync::held of all groups. Returns for each group the group whose ranks it waits for in the end; its
/// own position for a group with a rank behind that waits in no other one, and for groups that wait for each other.
std::vector<std::size_t> causes_of(const RecordedWaits& waits, std::vector<RecordedDesync>& all) {
  constexpr int longest_chain = 16;
  std::vector<std::set<std::size_t>> holders(all.size());
  std::vector<bool> is_explained(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const FlightRecord* record : all[i].lag.behind) {
      const std::size_t holder = where_held(waits, record->global_rank, i, all[i].held);
      holders[i].insert(holder);
      if (holder == i) is_explained[i] = true;
      if (holder != i)
        all[i].held.places.try_emplace(record->global_rank,
                                       concat("process group ", excerpt(all[holder].group.name, 60)));
    }
  std::vector<std::size_t> causes(all.size());
  std::iota(causes.begin(), causes.end(), std::size_t{0});
  for (int round = 0; round < longest_chain; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto explained = [&](std::size_t holder) { return is_explained[holder]; };
      if (is_explained[i] || !std::ranges::all_of(holders[i], explained)) continue;
      is_explained[i] = true;
      causes[i] = causes[*holders[i].begin()];
    }
  return causes;
}

/// Holds ranks that are behind and have a collective open in a group of which no rank is behind. If that leaves no rank
/// that waits nowhere, the reason is outside of what is recorded: the group that holds one of them.
void hold_in_open_groups(const RecordedWaits& waits, RecordedDesync& desync) {
  std::string holder;
  for (const FlightRecord* record : desync.lag.behind) {
    const auto found = waits.open.find(record->global_rank);
    if (found == waits.open.end()) continue;
    if (desync.held.places.try_emplace(record->global_rank, concat("process group ", excerpt(found->second, 60)))
            .second)
      holder = found->second;
  }
  const bool all_held = desync.held.places.size() == desync.lag.behind.size();
  if (!holder.empty() && all_held && desync.held.awaited.empty()) desync.cause = holder;
}

}  // namespace

std::string held_text(const HeldRanks& held, std::string_view first) {
  std::map<std::string, std::vector<int>> ranks_of;
  for (const auto& [rank, place] : held.places) ranks_of[place].push_back(rank);
  std::vector<std::string> parts;
  for (const auto& [place, ranks] : ranks_of)
    parts.push_back(concat(ranks_text(ranks), ranks.size() == 1 ? " waits" : " wait", " in ", excerpt(place)));
  std::string text = when(!parts.empty(), ". ", first, " ", list_text(parts));
  if (!held.awaited.empty())
    text += concat(". Such waits lead to ", ranks_text({held.awaited.begin(), held.awaited.end()}),
                   held.awaited.size() == 1 ? ", whose dump shows" : ", whose dumps show", " nothing to wait for");
  return text;
}

std::vector<int> suspects_of(const HeldRanks& held, std::string_view cause, const std::set<int>& behind) {
  std::set<int> found = held.awaited;
  for (const int rank : behind)
    if (!held.places.contains(rank)) found.insert(rank);
  if (found.empty() && cause.empty() && held.in_transfers.empty()) found = behind;
  return {found.begin(), found.end()};
}

RecordedWaits find_recorded_waits(const Model& model) {
  RecordedWaits waits;
  for (RecordedGroup& group : recorded_groups(model)) add_recorded_group(group, waits);
  std::vector<RecordedDesync>& all = waits.desyncs;
  const std::vector<std::size_t> cause = causes_of(waits, all);
  for (RecordedDesync& desync : all) hold_in_open_groups(waits, desync);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (cause[i] == i || !all[i].cause.empty()) continue;
    all[cause[i]].effects.push_back(all[i].group.name);
    all[i].cause = all[cause[i]].group.name;
  }
  return waits;
}

HeldRanks held_in_transfers(const RecordedWaits& waits, const std::set<int>& ranks) {
  HeldRanks held;
  for (const int rank : ranks) {
    if (!waits.transfers.contains(rank)) continue;
    const TransferEnds ends = hold_in_transfers(waits, rank, held);
    if (!ends.is_known || !ends.ranks.empty() || ends.groups.size() != 1) continue;
    const RecordedDesync& desync = waits.desyncs[*ends.groups.begin()];
    std::set<int> behind;
    for (const FlightRecord* record : desync.lag.behind) behind.insert(record->global_rank);
    for (const int suspect : suspects_of(desync.held, desync.cause, behind))
      if (waits_nowhere(waits, suspect)) held.awaited.insert(suspect);
  }
  return held;
}

}  // namespace nccl_analyze
