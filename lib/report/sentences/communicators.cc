// Describes communicators in words, and groups those with equal descriptions.

#include "report/sentences/communicators.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "text/escape.h"
#include "text/host_list.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_names = 4;

struct TransportUse {
  std::uint64_t count = 0, gdrdma = 0;
};
using UseCounts = std::map<std::string_view, TransportUse>;  ///< Connections by transport.

void add_uses(const Communicator& communicator, UseCounts& uses) {
  communicator.connections.each_bundle([&](const ConnectionBundle& bundle) {
    TransportUse& use = uses[communicator.transports[bundle.transport]];
    use.count += bundle.size();
    use.gdrdma += static_cast<std::uint64_t>(std::popcount(bundle.gdrdma_send | bundle.gdrdma_receive));
  });
}

/// Lists the connections of each transport, the most frequent first: `8 x NET/Socket`. For network transports, also
/// counts the connections that use GPUDirect RDMA.
std::string describe_uses(const UseCounts& uses) {
  std::vector<std::pair<std::string_view, TransportUse>> sorted(uses.begin(), uses.end());
  sort_stably(sorted, [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  std::string list;
  for (const auto& [name, use] : sorted) {
    append_item(list, std::to_string(use.count) + " x " + std::string{name});
    if (use.gdrdma == use.count) list += " with GDRDMA";
    if (use.gdrdma > 0 && use.gdrdma < use.count) list += " (" + std::to_string(use.gdrdma) + " with GDRDMA)";
  }
  return list;
}

std::string transports_of(const Communicator& communicator) {
  UseCounts uses;
  add_uses(communicator, uses);
  return describe_uses(uses);
}

std::size_t count_logged_ranks(const Communicator& communicator) {
  std::size_t count = 0;
  int last = -1;
  for (const Rank& rank : communicator.ranks) count += std::exchange(last, rank.rank) != rank.rank ? 1 : 0;
  return count;
}

bool is_partial(const Communicator& communicator) {
  return communicator.nranks > 0 && count_logged_ranks(communicator) < static_cast<std::size_t>(communicator.nranks);
}

/// Counts the ranks that failed, aborted or did not complete. Empty if there are none, or if the log lacks the start of
/// the communicator.
std::string states_of(const Communicator& communicator) {
  struct Words {
    RankState state;
    std::string_view text;
  };
  constexpr std::array words{Words{RankState::failed, " failed"}, Words{RankState::aborted, " aborted"},
                             Words{RankState::started, " not seen to finish initialisation"}};
  if (communicator.inferred) return {};
  std::string list;
  for (const Words& word : words) {
    const auto count = std::count_if(communicator.ranks.begin(), communicator.ranks.end(),
                                     [&](const Rank& rank) { return rank.state == word.state; });
    if (count > 0) append_item(list, count_text(count, "rank") + std::string{word.text});
  }
  return list;
}

std::string quantity(int count, std::string_view noun) { return count < 0 ? std::string{} : count_text(count, noun); }

/// Lists NVLS channels and heads, the CollNet transport, and the algorithms that some rank connected.
std::string algorithms_of(const Communicator& communicator) {
  std::string text;
  if (communicator.nvls_channels > 0) text = quantity(communicator.nvls_channels, "NVLS channel");
  append_item(text, quantity(communicator.nvls_head_count, "head"), " with ");
  if (!communicator.collnet.empty()) append_item(text, communicator.transports[communicator.collnet.front().transport]);
  std::uint8_t connected = 0;
  for (const Rank& rank : communicator.ranks) connected |= rank.connected;
  std::string names;
  for (std::size_t i = 0; i < algorithms; ++i)
    if (const auto algorithm = static_cast<Algorithm>(i); (connected & bit_of(algorithm)) != 0)
      append_item(names, to_string(algorithm));
  append_item(text, names.empty() ? names : "connected: " + names);
  return text;
}

/// Describes a communicator. Communicators with equal descriptions form a group.
std::string shape_of(const Communicator& communicator, bool verbose, bool may_have_more) {
  std::string shape = quantity(communicator.nranks, "rank");
  if (shape.empty()) shape = "unknown number of ranks";
  if (is_partial(communicator) && count_logged_ranks(communicator) > 0)
    shape.append(may_have_more ? " (at least " : " (")
        .append(std::to_string(count_logged_ranks(communicator)))
        .append(" in this input)");
  append_item(shape, quantity(communicator.nnodes, "node"), " on ");
  append_item(shape, quantity(communicator.channels, "channel"));
  const std::string transports = transports_of(communicator);
  append_item(shape, transports.empty() && communicator.nranks != 1 ? "no connection shown" : transports);
  if (verbose) append_item(shape, algorithms_of(communicator), "; ");
  if (communicator.parent >= 0) append_item(shape, "split from another");
  if (communicator.inferred) append_item(shape, "start not in this input");
  append_item(shape, states_of(communicator));
  return shape;
}

struct CommunicatorGroup {
  std::string shape;
  std::vector<std::size_t> members;
  int nranks = -1;
  double init_seconds = 0, stamped_seconds = 0;
};

/// Updates the longest initialisation times of the group: the time measured by NCCL, and the time between timestamps of
/// log lines.
void note_init(CommunicatorGroup& group, const Communicator& communicator) {
  for (const Rank& rank : communicator.ranks) {
    if (rank.init_seconds) group.init_seconds = std::max(group.init_seconds, rank.init_seconds->total);
    if (rank.stamped_seconds)
      group.stamped_seconds = std::max(group.stamped_seconds, rank.stamped_seconds->to_complete);
  }
}

std::vector<CommunicatorGroup> groups_of(const Model& model, bool one_by_one) {
  std::vector<CommunicatorGroup> groups;
  std::map<std::string, std::size_t> by_shape;
  const bool may_have_more = has_unplaced_lines(model);
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& communicator = model.communicators[i];
    std::string shape = shape_of(communicator, one_by_one, may_have_more);
    const auto [place, is_new] = by_shape.try_emplace(one_by_one ? std::to_string(i) : shape, groups.size());
    if (is_new) groups.push_back({std::move(shape), {}, communicator.nranks, 0});
    CommunicatorGroup& group = groups[place->second];
    group.members.push_back(i);
    note_init(group, communicator);
  }
  sort_stably(groups, [](const CommunicatorGroup& a, const CommunicatorGroup& b) { return a.nranks > b.nranks; });
  return groups;
}

/// Whether the group comes only from lines that name no communicator. Several such groups may be parts of one
/// communicator, so their number is meaningless.
bool is_fragment(const Model& model, const CommunicatorGroup& group) {
  return model.communicators[group.members.front()].inferred;
}

/// Describes in one sentence all communicators that are inferred from lines without a communicator's name or start.
/// Empty if there are none.
std::string describe_fragments(const Model& model) {
  UseCounts sum;
  std::uint64_t fragments = 0;
  for (const Communicator& communicator : model.communicators) {
    if (!communicator.inferred) continue;
    ++fragments;
    add_uses(communicator, sum);
  }
  if (fragments == 0) return {};
  std::string text = "lines of a communicator whose start is not in this input";
  if (fragments < model.communicators.size())
    text += ", perhaps of one of these";
  else if (fragments > 1)
    text += ", perhaps of several";
  append_item(text, describe_uses(sum), ": ");
  return text;
}

std::string describe(const CommunicatorGroup& group, const Model& model) {
  std::string text;
  if (group.members.size() == 1) {
    const Communicator& communicator = model.communicators[group.members.front()];
    text = "communicator " + communicator_name(model, static_cast<Index>(group.members.front()));
    if (!communicator.name.empty() && communicator.comm_id != 0) text += " (0x" + to_hex(communicator.comm_id) + ")";
  } else {
    text = std::to_string(group.members.size()) + " communicators alike";
    std::set<std::string_view> names;
    for (const std::size_t member : group.members) names.insert(model.communicators[member].name);
    names.erase("");
    if (!names.empty()) text += " (" + fold_host_list({names.begin(), names.end()}, max_names) + ")";
  }
  text += ": " + group.shape;
  const double init = group.init_seconds > 0 ? group.init_seconds : group.stamped_seconds;
  if (init > 0)
    append_item(text, (group.members.size() == 1 ? "init " : "init up to ") + seconds_text(init) +
                          (group.init_seconds > 0 ? "" : " by time stamps"));
  return text;
}

}  // namespace

std::vector<std::string> describe_communicators(const Model& model, bool one_by_one) {
  std::vector<std::string> texts;
  const bool are_alone = one_by_one || model.communicators.size() < 2;
  for (const CommunicatorGroup& group : groups_of(model, one_by_one))
    if (are_alone || !is_fragment(model, group)) texts.push_back(describe(group, model));
  if (std::string fragments = are_alone ? std::string() : describe_fragments(model); !fragments.empty())
    texts.push_back(std::move(fragments));
  return texts;
}

std::string describe_missing_ranks(const Model& model) {
  const Communicator* largest = nullptr;
  for (const Communicator& communicator : model.communicators)
    if (is_partial(communicator) && (!largest || communicator.nranks > largest->nranks)) largest = &communicator;
  const auto is_whole = [&](const Communicator& one) {
    return !one.inferred && one.nranks >= largest->nranks && static_cast<int>(count_logged_ranks(one)) == one.nranks;
  };
  if (!largest || std::ranges::any_of(model.communicators, is_whole)) return {};
  return (has_unplaced_lines(model) ? "at least " : "") + std::to_string(count_logged_ranks(*largest)) + " of " +
         std::to_string(largest->nranks) + " ranks";
}

}  // namespace nccl_analyze
