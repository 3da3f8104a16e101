#pragma once
/// What joins two places of a picture, where a place is a rank or a host: channels and transports.

#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/report.h"

namespace nccl_analyze {

using ChannelSet = std::bitset<256>;
/// A number that is no channel's is left out.
void insert(ChannelSet& channels, int channel);

/// A transport as a picture tells it apart.
struct Way {
  std::string_view transport;
  bool gdrdma = false;
  auto operator<=>(const Way&) const = default;
};

struct Use {
  ChannelSet channels;
  std::uint64_t connections = 0;  ///< One a pair of ranks, direction and channel.
  std::set<int> devices;          ///< NICs.
  std::set<int> proxies;          ///< Ranks that the bytes pass through (PXN, indirect P2P).
};
using Uses = std::map<Way, Use>;

/// What goes from one place to another.
struct Link {
  ChannelSet channels;       ///< Of the rings or trees that pass here, as they were listed.
  std::uint64_t listed = 0;  ///< Their number, summed over pairs of ranks.
  Uses uses;                 ///< Empty when no connection is shown.
};
using Links = std::map<std::pair<int, int>, Link>;

struct LinksFound {
  Links links;
  std::uint64_t left_out =
      0;  ///< send/recv connections between places that nothing else joins, when there are too many.
};

struct LinkSearch {
  DotView view = DotView::automatic;
  std::span<const Tree> trees = {};                 ///< For DotView::trees: those to look at.
  std::function<int(int rank)> place_of;            ///< -1 for nowhere.
  std::function<bool(int from, int to)> is_wanted;  ///< Of two places.
  std::size_t max_send_recv = 0;  ///< Pairs of places that send/recv alone joins: if there are more, none is given.
};

/// The links of rings, of trees (from parent to child), or of both rings and all connections. A link from a place to
/// itself is what happens inside.
LinksFound find_links(const Communicator& communicator, const LinkSearch& search);

/// The places of [parent, child] links by their depth: the first level holds those without a parent, and none stands
/// twice. Of a circle, which only a damaged log shows, the lowest is taken for a root.
std::vector<std::vector<int>> levels_of(const std::vector<std::pair<int, int>>& links);

/// How a kind of transport is drawn.
struct LinkStyle {
  int slowness;             ///< Orders them; 0 where the transport is not known.
  std::string_view prefix;  ///< Of the transport's name.
  int gdrdma;               ///< 1 with it, 0 without it, -1 either.
  char letter;              ///< Beside its colour, or instead of it.
  const char* color;
  const char* style;
  const char* width;  ///< In points.
  const char* meaning;
  bool operator>(const LinkStyle& other) const { return slowness > other.slowness; }
};
const LinkStyle& style_of(const Way& way);
/// The style of the slowest of them.
const LinkStyle& style_of(const Uses& uses);
std::span<const LinkStyle> link_styles();
/// Of lines from a GPU to the switch of its host; no transport of a connection has it.
const LinkStyle& switch_style();

void add(Link& link, const Link& more);
/// Channels of rings or trees that pass here of which no connection is shown.
ChannelSet unknown_channels(const Link& link);

/// `NET/IB/0-3/GDRDMA PXN 4 ×8`, a line for each transport; short `G 0-3 PXN 4 ×8`, by the letter of the style. Counted
/// are channels, or connections when the places are hosts.
enum class Counted : std::uint8_t { nothing, channels, connections };
enum class Brevity : std::uint8_t { full, brief };
std::vector<std::string> describe_lines(const Uses& uses, Counted counted, Brevity brevity = Brevity::full);

/// `0-3,8`; numbers are cut where the list gets long, channels are not.
std::string number_list(const std::set<int>& numbers);
std::string channel_list(const ChannelSet& channels);

}  // namespace nccl_analyze
