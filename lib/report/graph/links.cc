// Merges rings, trees and connections into links, and defines how links are drawn.

#include "report/graph/links.h"

#include <algorithm>
#include <array>
#include <vector>

#include "nccl_analyze/rule.h"
#include "text/escape.h"
#include "text/message_text.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_ways = 4;
constexpr std::size_t max_list_columns = 24;

/// Styles from fast to slow; the last style that fits a transport applies. Colours have a contrast of at least 4.5:1 on
/// white. Dashes, widths and letters distinguish the styles in black and white.
constexpr std::array styles{
    LinkStyle{0, "", -1, '?', "#555d6a", "dotted", "1", "transport not shown"},
    LinkStyle{1, "P2P", -1, 'P', "#1d7044", "solid", "1.2", "P2P: from GPU to GPU"},
    LinkStyle{2, "P2P/MNNVL", -1, 'M', "#00666b", "dotted", "2", "P2P/MNNVL: NVLink between hosts"},
    LinkStyle{3, "NET", 1, 'G', "#0b57a4", "dashed", "1.5", "NET with GPUDirect RDMA"},
    LinkStyle{4, "P2P/indirect", -1, 'I', "#566400", "dotted", "2.5", "P2P/indirect: through another GPU"},
    LinkStyle{5, "SHM", -1, 'S', "#8a5a00", "solid", "2.5", "SHM: through host memory"},
    LinkStyle{6, "NET", 0, 'N', "#8e2b7c", "dashed", "2.5", "NET without GPUDirect RDMA: through host memory"},
    LinkStyle{7, "NET/Socket", 0, 'T', "#b3261e", "solid", "3.5", "NET/Socket: TCP"}};

constexpr LinkStyle to_switch{1, "", -1, 'V', "#5f3dc4", "dotted", "1.5", "NVLink to the switch"};

bool fits(const LinkStyle& style, const Way& way) {
  const bool gdrdma_fits = style.gdrdma < 0 || (style.gdrdma == 1) == way.gdrdma;
  return way.transport.starts_with(style.prefix) && gdrdma_fits;
}

bool holds(const ChannelSet& channels, int channel) {
  return channel >= 0 && static_cast<std::size_t>(channel) < channels.size() &&
         channels.test(static_cast<std::size_t>(channel));
}

class Finder {
 public:
  Finder(const Communicator& communicator, const LinkSearch& search) : communicator_(communicator), search_(search) {}

  LinksFound find() {
    if (search_.view != DotView::trees)
      for (const Ring& ring : communicator_.rings) add_ring(ring);
    if (search_.view == DotView::trees)
      for (const Tree& tree : search_.trees)
        for (const auto& [parent, child] : tree.links) add_listed(parent, child, tree.channel);
    for (const Connection& connection : communicator_.connections)
      if (connection.connection == 0) add_connection(connection);
    if (search_.view == DotView::automatic)
      for (const Connection& connection : communicator_.connections)
        if (connection.connection != 0) add_connection(connection);
    if (left_out_ == 0)
      links_.merge(send_recv_);
    else
      for (const auto& [ends, link] : send_recv_)
        for (const auto& [way, use] : link.uses) left_out_ += use.connections;
    return {std::move(links_), left_out_};
  }

 private:
  bool is_wanted(const std::pair<int, int>& ends) const {
    return ends.first >= 0 && ends.second >= 0 && search_.is_wanted(ends.first, ends.second);
  }

  void add_listed(int from, int to, int channel) {
    const std::pair ends{search_.place_of(from), search_.place_of(to)};
    if (!is_wanted(ends)) return;
    if (search_.view != DotView::automatic) insert(listed_[{from, to}], channel);
    Link& link = links_[ends];
    ++link.listed;
    insert(link.channels, channel);
  }

  void add_ring(const Ring& ring) {
    if (ring.order.size() < 2) return;
    for (std::size_t i = 0; i + 1 < ring.order.size(); ++i) add_listed(ring.order[i], ring.order[i + 1], ring.channel);
    if (ring.complete) add_listed(ring.order.back(), ring.order.front(), ring.channel);
  }

  void add_connection(const Connection& connection) {
    const std::pair ends{search_.place_of(connection.from), search_.place_of(connection.to)};
    if (!is_wanted(ends)) return;
    Link* const link = link_of(ends, connection);
    if (link == nullptr) return;
    const std::string_view transport = connection.transport < communicator_.transports.size()
                                           ? std::string_view{communicator_.transports[connection.transport]}
                                           : std::string_view{};
    Use& use = link->uses[{transport, connection.gdrdma()}];
    ++use.connections;
    insert(use.channels, connection.channel);
    if (connection.device >= 0) use.devices.insert(connection.device);
    if (connection.proxy_rank >= 0) use.proxies.insert(connection.proxy_rank);
  }

  /// Returns the link to which the connection belongs; null if the view does not show this link.
  Link* link_of(std::pair<int, int> ends, const Connection& connection) {
    if (search_.view == DotView::automatic) {
      if (connection.connection == 0) return &links_[ends];
      return links_.contains(ends) ? nullptr : send_recv(ends);
    }
    // Two hosts may also have connections between ranks that are not neighbours in the ring or tree.
    if (is_listed(connection.from, connection.to, connection.channel)) return &links_[ends];
    const bool is_upward =
        search_.view == DotView::trees && is_listed(connection.to, connection.from, connection.channel);
    return is_upward ? &links_[{ends.second, ends.first}] : nullptr;
  }

  bool is_listed(int from, int to, int channel) const {
    const auto found = listed_.find({from, to});
    return found != listed_.end() && holds(found->second, channel);
  }

  Link* send_recv(std::pair<int, int> ends) {
    const auto known = send_recv_.find(ends);
    if (known != send_recv_.end()) return &known->second;
    if (left_out_ == 0 && send_recv_.size() < search_.max_send_recv) return &send_recv_[ends];
    ++left_out_;
    return nullptr;
  }

  const Communicator& communicator_;
  const LinkSearch& search_;
  Links links_, send_recv_;
  std::map<std::pair<int, int>, ChannelSet> listed_;  ///< Channels of each ring or tree edge, by its two ranks.
  std::uint64_t left_out_ = 0;
};

}  // namespace

void insert(ChannelSet& channels, int channel) {
  if (channel >= 0 && static_cast<std::size_t>(channel) < channels.size())
    channels.set(static_cast<std::size_t>(channel));
}

LinksFound find_links(const Communicator& communicator, const LinkSearch& search) {
  return Finder{communicator, search}.find();
}

std::vector<std::vector<int>> levels_of(const std::vector<std::pair<int, int>>& links) {
  std::map<int, std::vector<int>> children;
  std::set<int> level, below;
  for (const auto& [parent, child] : links) {
    children[parent].push_back(child);
    level.insert(parent);
  }
  for (const auto& [parent, child] : links) level.erase(child);
  std::set<int> unplaced;
  for (const auto& [parent, child] : links) unplaced.insert({parent, child});
  std::vector<std::vector<int>> levels;
  while (!unplaced.empty()) {
    if (level.empty()) level.insert(*unplaced.begin());
    for (std::size_t depth = 0; !level.empty(); ++depth) {
      if (depth == levels.size()) levels.emplace_back();
      levels[depth].insert(levels[depth].end(), level.begin(), level.end());
      for (const int place : level) unplaced.erase(place);
      below.clear();
      for (const int place : level)
        if (const auto found = children.find(place); found != children.end())
          for (const int child : found->second)
            if (unplaced.contains(child)) below.insert(child);
      level = std::exchange(below, {});
    }
  }
  return levels;
}

const LinkStyle& style_of(const Way& way) {
  return *std::find_if(styles.rbegin(), styles.rend(), [&](const LinkStyle& style) { return fits(style, way); });
}

const LinkStyle& style_of(const Uses& uses) {
  const LinkStyle* slowest = &styles.front();
  for (const auto& [way, use] : uses)
    if (style_of(way) > *slowest) slowest = &style_of(way);
  return *slowest;
}

std::span<const LinkStyle> link_styles() { return styles; }

const LinkStyle& switch_style() { return to_switch; }

ChannelSet unknown_channels(const Link& link) {
  ChannelSet unknown = link.channels;
  for (const auto& [way, use] : link.uses) unknown &= ~use.channels;
  return unknown;
}

void add(Link& link, const Link& more) {
  link.channels |= more.channels;
  link.listed += more.listed;
  for (const auto& [way, use] : more.uses) {
    Use& sum = link.uses[way];
    sum.channels |= use.channels;
    sum.connections += use.connections;
    sum.devices.insert(use.devices.begin(), use.devices.end());
    sum.proxies.insert(use.proxies.begin(), use.proxies.end());
  }
}

std::string number_list(const std::set<int>& numbers) {
  return short_rank_set({numbers.begin(), numbers.end()}, max_list_columns);
}

std::string channel_list(const ChannelSet& channels) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels.test(i)) numbers.push_back(static_cast<int>(i));
  return rank_set(std::move(numbers));
}

std::vector<std::string> describe_lines(const Uses& uses, Counted counted, Brevity brevity) {
  const bool brief = brevity == Brevity::brief;
  std::vector<std::string> lines;
  for (const auto& [way, use] : uses) {
    if (lines.size() == max_ways) {
      lines.emplace_back("...");
      break;
    }
    std::string text = "unknown";
    if (brief)
      text = style_of(way).letter;
    else if (!way.transport.empty())
      text = truncated(std::string{way.transport}, std::size_t{2} * max_list_columns);
    if (!use.devices.empty()) text.append(brief ? " " : "/").append(number_list(use.devices));
    if (way.gdrdma && !brief) text += "/GDRDMA";
    if (!use.proxies.empty()) text += (way.transport.starts_with("NET") ? " PXN " : " via ") + number_list(use.proxies);
    if (counted == Counted::channels) text += " \u00d7" + std::to_string(use.channels.count());
    if (counted == Counted::connections) text += " \u00d7" + std::to_string(use.connections);
    lines.push_back(std::move(text));
  }
  return lines;
}

}  // namespace nccl_analyze
