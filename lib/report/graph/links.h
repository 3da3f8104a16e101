#pragma once
/// Links between two places of a picture, with their channels and transports. A place is a rank or a host.

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
/// Adds a channel; a number outside 0 to 255 is ignored.
void insert(ChannelSet& channels, int channel);

/// The properties of a transport that a picture distinguishes: its name, and whether it uses GPUDirect RDMA.
struct Way {
  std::string_view transport;
  bool gdrdma = false;
  auto operator<=>(const Way&) const = default;
};

struct Use {
  ChannelSet channels;
  std::uint64_t connections = 0;  ///< Counts each pair of ranks, direction and channel once.
  std::set<int> devices;          ///< NIC numbers.
  std::set<int> proxies;          ///< Ranks that the bytes pass through (PXN, indirect P2P).
};
using Uses = std::map<Way, Use>;

/// The traffic from one place (a rank or a host) to another, or inside one place.
struct Link {
  ChannelSet channels;       ///< Channels of the rings or trees that contain this link.
  std::uint64_t listed = 0;  ///< Number of ring or tree edges, summed over pairs of ranks.
  Uses uses;                 ///< Connections by transport; empty if the log shows none.
};
using Links = std::map<std::pair<int, int>, Link>;

struct LinksFound {
  Links links;
  std::uint64_t left_out = 0;  ///< Number of omitted send/recv connections; see LinkSearch::max_send_recv.
};

struct LinkSearch {
  DotView view = DotView::automatic;
  std::span<const Tree> trees = {};                 ///< The trees to search; used only for DotView::trees.
  std::function<int(int rank)> place_of;            ///< Returns the place of a rank, -1 for none.
  std::function<bool(int from, int to)> is_wanted;  ///< Whether to include the link between two places.
  std::size_t max_send_recv = 0;  ///< Limit on links that carry only send/recv; if there are more, all are omitted.
};

/// Finds the links that the view shows: edges of rings, edges of trees (from parent to child), or, in the automatic
/// view, edges of rings and all connections. A link from a place to itself is traffic inside that place.
LinksFound find_links(const Communicator& communicator, const LinkSearch& search);

/// Groups the places of [parent, child] links by depth. The first level holds the places without a parent, and each
/// place occurs once. In a cycle, which only a damaged log contains, the lowest place is taken as the root.
std::vector<std::vector<int>> levels_of(const std::vector<std::pair<int, int>>& links);

/// How a kind of transport is drawn.
struct LinkStyle {
  int slowness;             ///< Order of the styles, the slowest last; 0 for an unknown transport.
  std::string_view prefix;  ///< Prefix of the transport names to which the style applies.
  int gdrdma;               ///< 1: only with GPUDirect RDMA; 0: only without; -1: with and without.
  char letter;              ///< Identifies the style where colours cannot be seen.
  const char* color;
  const char* style;
  const char* width;  ///< In points.
  const char* meaning;
  bool operator>(const LinkStyle& other) const { return slowness > other.slowness; }
};
const LinkStyle& style_of(const Way& way);
/// Returns the style of the slowest transport, or of an unknown transport if `uses` is empty.
const LinkStyle& style_of(const Uses& uses);
std::span<const LinkStyle> link_styles();
/// Returns the style of lines from a GPU to the NVLink switch of its host. No connection has this style.
const LinkStyle& switch_style();

void add(Link& link, const Link& more);
/// Returns the channels of rings or trees on this link for which the log shows no connection.
ChannelSet unknown_channels(const Link& link);

/// The objects that describe_lines() counts after the sign ×.
enum class Counted : std::uint8_t { nothing, channels, connections };
enum class Brevity : std::uint8_t { full, brief };
/// Describes each transport in one line: in full, `NET/IB/0-3/GDRDMA PXN 4 ×8`, or briefly, with the letter of its
/// style in place of its name, `G 0-3 PXN 4 ×8`.
/// Describes at most four transports; a line `...` stands for the rest.
std::vector<std::string> describe_lines(const Uses& uses, Counted counted, Brevity brevity = Brevity::full);

/// Formats numbers as ranges: `0-3,8`. number_list() truncates long lists, channel_list() does not.
std::string number_list(const std::set<int>& numbers);
std::string channel_list(const ChannelSet& channels);

}  // namespace nccl_analyze
