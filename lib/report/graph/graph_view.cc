// Collects the graph of one communicator from the model and the report.

#include "report/graph/graph_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "report/graph/host_kinds.h"
#include "report/sentences/hosts.h"
#include "report/sentences/paths.h"
#include "report/sentences/words.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

std::vector<std::string> nics_in_use(const Host& host) {
  std::set<Index> used;
  for (const HostGpu& gpu : host.gpus) used.insert(gpu.nics.begin(), gpu.nics.end());
  std::vector<std::string> names;
  for (const Index nic : used) names.push_back(name_of(host.nics[nic]));
  return names;
}

/// Returns the last number of each name, without zeros before it, if the names differ in it alone and it is short; else
/// an empty list.
std::vector<std::string> numbers_of(const Table<GraphHost>& hosts) {
  constexpr std::string_view digits = "0123456789";
  constexpr std::size_t longest = 4;
  std::vector<std::string> numbers;
  std::set<std::string> different;
  std::string series;
  for (const GraphHost& host : hosts) {
    const std::string_view name = host.name;
    const std::size_t last = name.find_last_of(digits);
    if (last == std::string_view::npos) return {};
    const std::size_t before = name.find_last_not_of(digits, last);
    std::size_t first = before == std::string_view::npos ? 0 : before + 1;
    const std::string around = std::string(name.substr(0, first)) + '*' + std::string(name.substr(last + 1));
    if (numbers.empty()) series = around;
    while (first < last && name[first] == '0') ++first;
    numbers.emplace_back(name.substr(first, last + 1 - first));
    if (around != series || numbers.back().size() > longest || !different.insert(numbers.back()).second) return {};
  }
  return numbers;
}

class Viewer {
 public:
  Viewer(const Model& model, const Report& report, Index communicator)
      : model_(model), comm_(model.communicators[communicator]), suspicions_(report, communicator) {
    view_.communicator = communicator;
    view_.name = communicator_name(model, communicator);
    view_.domain = describe_domain(comm_);
  }

  GraphView view() {
    find_ranks();
    find_hosts();
    find_kinds();
    find_cells();
    find_rings();
    add_trees("tree", comm_.trees);
    add_trees("NVLS tree", comm_.nvls_trees);
    add_trees("CollNet chain", comm_.collnet_chains);
    view_.rails = rails_of(model_, comm_);
    find_facts();
    return std::move(view_);
  }

 private:
  void find_ranks() {
    std::map<int, const Rank*> logged;
    for (const Rank& rank : comm_.ranks)
      if (rank.rank >= 0) logged.try_emplace(rank.rank, &rank);
    view_.by_rank = comm_.nranks > 0 && static_cast<std::size_t>(comm_.nranks) <= max_drawn_ranks;
    std::set<int> numbers;
    for (const auto& [number, rank] : logged) numbers.insert(number);
    for (int number = 0; view_.by_rank && number < comm_.nranks; ++number) numbers.insert(number);
    for (const int number : numbers) {
      GraphRank& made = view_.ranks.emplace_back();
      made.number = number;
      const auto found = logged.find(number);
      if (found == logged.end()) {
        made.address = "rank " + std::to_string(number) + ": no line of it in this input";
        continue;
      }
      const Rank& rank = *found->second;
      Suspect suspect;
      suspect.process = rank.process;
      suspect.rank = number;
      made.address = address_text(address_of(model_, suspect, std::span(&view_.communicator, 1)));
      made.state = to_string(rank.state);
      made.suspicion = suspicions_.of(rank);
      for (const LineRef at : {rank.started_at, rank.rings_at, rank.ended_at})
        if (made.said_at.empty() && at.line > 0) made.said_at = place_of(model_, at);
      sources_.push_back(&rank);
      by_number_[number] = view_.ranks.size() - 1;
    }
  }

  void find_hosts() {
    std::map<Index, int> places;
    for (const Rank* const rank : sources_) {
      const Process* const process = process_of(model_, rank->process);
      if (process == nullptr) continue;
      const Host* const host = model_.host_of(rank->process);
      const auto [place, is_new] = places.try_emplace(process->host_index, static_cast<int>(view_.hosts.size()));
      if (is_new) {
        GraphHost& made = view_.hosts.emplace_back();
        made.name = process->host;
        if (!process->pod.empty()) made.name += (made.name.empty() ? "pod " : " pod ") + process->pod.str();
        if (host != nullptr) append_item(made.shape = describe_host(*host), describe_gdr(*host));
        if (comm_.mnnvl == 1)
          made.domain = rank->node;
        else
          made.switch_lines = describe_switch(comm_, host);
        if (host != nullptr) made.nics = nics_in_use(*host);
      }
      GraphHost& host_view = view_.hosts[place->second];
      const std::size_t index = by_number_[rank->rank];
      if (!host_view.ranks.empty() && host_view.ranks.back() == index) continue;
      host_view.ranks.push_back(index);
      host_view.suspicion.add(view_.ranks[index].suspicion);
      view_.ranks[index].host = place->second;
    }
    label_hosts();
    const std::size_t nodes = comm_.nnodes > 0 && comm_.mnnvl != 1 ? static_cast<std::size_t>(comm_.nnodes) : 0;
    view_.absent_hosts = nodes > view_.hosts.size() ? nodes - view_.hosts.size() : 0;
  }

  void label_hosts() {
    std::vector<std::string> numbers = numbers_of(view_.hosts);
    view_.places_are_labels = numbers.empty();
    std::size_t place = 0;
    for (GraphHost& host : view_.hosts) {
      host.label = numbers.empty() ? std::to_string(place + 1) : std::move(numbers[place]);
      ++place;
    }
  }

  void find_kinds() {
    Table<std::vector<const Process*>> processes(view_.hosts.size());
    for (const Rank* const rank : sources_)
      if (const int host = view_.ranks[by_number_.at(rank->rank)].host; host >= 0)
        processes[host].push_back(process_of(model_, rank->process));
    view_.kinds = kinds_of(view_, processes);
    for (std::size_t kind = 0; kind < view_.kinds.size(); ++kind)
      for (const std::size_t host : view_.kinds[kind].hosts) view_.hosts[host].kind = kind;
  }

  int place_of_rank(int number) const {
    const auto found = by_number_.find(number);
    if (view_.by_rank) return number < comm_.nranks ? number : -1;
    return found == by_number_.end() ? -1 : view_.ranks[found->second].host;
  }

  void find_cells() {
    if (!view_.by_rank && view_.hosts.size() > max_drawn_hosts) return;
    const LinkSearch search{.view = DotView::automatic,
                            .place_of = [this](int rank) { return place_of_rank(rank); },
                            .is_wanted = [](int, int) { return true; },
                            .max_send_recv = std::size_t{64} * 64};
    const Counted counted = view_.by_rank ? Counted::channels : Counted::connections;
    for (const auto& [ends, link] : find_links(comm_, search).links) {
      GraphCell cell{.from = static_cast<std::size_t>(ends.first),
                     .to = static_cast<std::size_t>(ends.second),
                     .style = &style_of(link.uses),
                     .ways = {},
                     .channels = link.channels};
      for (const std::string& line : describe_lines(link.uses, counted)) append_item(cell.ways, line);
      if (cell.ways.empty())
        cell.ways = cell.style->meaning;
      else if (const ChannelSet unknown = unknown_channels(link); view_.by_rank && unknown.any())
        cell.ways += ", transport not shown \u00d7" + std::to_string(unknown.count());
      for (const auto& [way, use] : link.uses) cell.channels |= use.channels;
      view_.cells.push_back(std::move(cell));
    }
  }

  void find_rings() {
    std::map<std::vector<int>, std::size_t> known;
    for (const Ring& ring : comm_.rings) {
      if (ring.order.size() < 2) continue;
      std::vector<int> order = from_lowest(ring);
      const auto [place, is_new] = known.try_emplace(order, view_.rings.size());
      if (is_new)
        view_.rings.push_back(
            {.channels = {}, .order = std::move(order), .complete = ring.complete, .inferred = ring.inferred});
      insert(view_.rings[place->second].channels, ring.channel);
    }
  }

  void add_trees(std::string_view kind, const std::vector<Tree>& trees) {
    std::map<std::vector<std::pair<int, int>>, std::size_t> known;
    for (const Tree& tree : trees) {
      if (tree.links.empty()) continue;
      const auto [place, is_new] =
          known.try_emplace(std::vector(tree.links.begin(), tree.links.end()), view_.trees.size());
      if (is_new) {
        const std::vector<std::pair<int, int>> links(tree.links.begin(), tree.links.end());
        const auto host_of = [this](int rank) {
          const auto found = by_number_.find(rank);
          return found == by_number_.end() ? -1 : view_.ranks[found->second].host;
        };
        view_.trees.push_back({.kind = kind,
                               .channels = {},
                               .hosts = hosts_of_tree(links, host_of),
                               .levels = levels_of(links).size(),
                               .complete = tree.complete});
      }
      insert(view_.trees[place->second].channels, tree.channel);
    }
  }

  void find_facts() {
    if (comm_.mnnvl == 1) view_.facts.emplace_back("NVLink joins hosts (MNNVL): NCCL's nodes are NVLink domains");
    if (comm_.nvls_channels > 0)
      view_.facts.push_back("NVLink SHARP (NVLS) on " + count_text(comm_.nvls_channels, "channel"));
    if (!comm_.nvls_heads.empty()) {
      std::string text = count_text(comm_.nvls_heads.size(), "NVLS head");
      if (comm_.nvls_heads.size() <= 16)
        for (const NvlsHead& head : comm_.nvls_heads)
          text += (&head == comm_.nvls_heads.data() ? ": head " : "; head ") + std::to_string(head.head) + " rank " +
                  number_list({head.ranks.begin(), head.ranks.end()});
      view_.facts.push_back(std::move(text));
    }
    if (!comm_.collnet.empty())
      view_.facts.push_back(count_text(comm_.collnet.size(), "connection") +
                            " to the network's own reduction (CollNet)");
  }

  const Model& model_;
  const Communicator& comm_;
  const Suspicions suspicions_;
  GraphView view_;
  std::vector<const Rank*> sources_;      ///< Ranks with a log, sorted by number.
  std::map<int, std::size_t> by_number_;  ///< Index into view_.ranks, by rank number.
};

}  // namespace

std::vector<Index> drawn_communicators(const Model& model, std::size_t most) {
  std::vector<Index> all;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& comm = model.communicators[i];
    if (comm.nranks > 1 && !comm.ranks.empty()) all.push_back(static_cast<Index>(i));
  }
  const auto size_of = [&](Index index) { return model.communicators[index].nranks; };
  sort_stably(all, [&](Index a, Index b) { return size_of(a) > size_of(b); });
  std::set<std::pair<int, int>> sizes;
  std::stable_partition(all.begin(), all.end(), [&](Index index) {
    return sizes.emplace(size_of(index), model.communicators[index].nnodes).second;
  });
  if (all.size() > most) all.resize(most);
  return all;
}

const GraphRank* find_rank(const GraphView& view, int number) {
  const auto found = std::ranges::lower_bound(view.ranks, number, {}, &GraphRank::number);
  return found == view.ranks.end() || found->number != number ? nullptr : &*found;
}

GraphView view_of(const Model& model, const Report& report, Index communicator) {
  return Viewer(model, report, communicator).view();
}

}  // namespace nccl_analyze
