// Writes rings as HTML strips, whose items are hosts with their consecutive ranks, and trees as nested lists of hosts.

#include "report/html/rings.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/html/chip.h"
#include "report/html/parts.h"
#include "report/sentences/paths.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_orders = 8, max_trees = 6;
constexpr std::size_t max_items = 64;  // limit for one strip

/// Consecutive ranks of a ring that are on the same host.
struct Run {
  int host = -1;
  std::vector<int> ranks;
};

std::vector<Run> runs_of(const GraphView& view, const GraphRing& ring) {
  std::vector<Run> runs;
  for (const int number : ring.order) {
    const GraphRank* const rank = find_rank(view, number);
    const int host = rank == nullptr ? -1 : rank->host;
    if (runs.empty() || runs.back().host != host) runs.push_back({host, {}});
    runs.back().ranks.push_back(number);
  }
  // A complete ring is cyclic: its last and first run are one if they are on the same host.
  if (ring.complete && runs.size() > 1 && runs.front().host == runs.back().host) {
    runs.back().ranks.insert(runs.back().ranks.end(), runs.front().ranks.begin(), runs.front().ranks.end());
    runs.front() = std::move(runs.back());
    runs.pop_back();
  }
  return runs;
}

std::string channels_text(const ChannelSet& channels) {
  return (channels.count() == 1 ? "channel " : "channels ") + channel_list(channels);
}

std::string_view shown_part(bool complete) { return complete ? "" : ", as far as the log tells"; }

void open_strip(std::ostream& out, const ChannelSet& channels) {
  out << "<ol class=\"strip\" data-channels=\"" << channel_list(channels) << "\">\n";
}

void write_chips(std::ostream& out, const GraphView& view, const std::vector<int>& ranks) {
  for (const int rank : ranks) write_chip(out, view, rank);
}

void write_strip(std::ostream& out, const GraphView& view, const GraphRing& ring, const std::vector<Run>& runs) {
  open_strip(out, ring.channels);
  for (const Run& run : runs) {
    const std::string host = html_text(run.host < 0 ? "host not known" : view.hosts[run.host].name);
    out << "<li title=\"" << host << "\">";
    if (view.by_rank)
      write_chips(out, view, run.ranks);
    else
      out << host << " <span class=\"place\">" << run.ranks.front()
          << (run.ranks.size() > 1 ? "\u2026" + std::to_string(run.ranks.back()) : "") << "</span>";
    out << "</li>\n";
  }
  out << "</ol>\n";
}

void write_tree_host(std::ostream& out, const GraphView& view, const TreeHost& host) {
  if (host.host >= 0) out << html_text(view.hosts[host.host].name) << ' ';
  if (view.by_rank)
    write_chips(out, view, host.ranks);
  else
    out << "<span class=\"place\">" << html_text(ranks_text(host.ranks)) << "</span>";
}

/// Writes a tree as nested lists: below each host are those that are joined to it.
void write_tree(std::ostream& out, const GraphView& view, const GraphTree& tree) {
  const std::size_t shown = std::min(tree.hosts.size(), max_items);
  std::size_t open = 0;  // lists that are open
  open_scroll(out, std::string(tree.kind) + " of " + channels_text(tree.channels));
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t depth = tree.hosts[i].depth;  // at most one more than that of the host before
    for (; open > depth + 1; --open) out << "</li></ul>\n";
    if (open == depth + 1) {
      out << "</li>\n";
    } else {
      out << "<ul class=\"tree\"";
      if (open == 0) out << " data-channels=\"" << channel_list(tree.channels) << '"';
      out << ">\n";
      ++open;
    }
    out << "<li>";
    write_tree_host(out, view, tree.hosts[i]);
  }
  for (; open > 0; --open) out << "</li></ul>\n";
  out << "</div>\n";
  write_rest(out, tree.hosts.size(), max_items, "other host", "other hosts", ", which --format svg --trees draws");
}

}  // namespace

void write_rings(std::ostream& out, const GraphView& view, const Communicator& comm) {
  if (view.rings.empty()) return;
  write_heading(out, "Rings", describe_rings(comm));
  for (std::size_t i = 0; i < std::min(view.rings.size(), max_orders); ++i) {
    const GraphRing& ring = view.rings[i];
    const std::vector<Run> runs = runs_of(view, ring);
    const bool drawn = view.by_rank || runs.size() <= max_items;
    out << "<p>" << channels_text(ring.channels) << shown_part(ring.complete)
        << (ring.inferred ? ", by the connections" : "");
    if (!drawn && ring.complete) out << ": " << html_text(describe_ring(ring.order));
    out << "</p>\n";
    if (drawn) write_strip(out, view, ring, runs);
  }
  write_rest(out, view.rings.size(), max_orders, "other order", "other orders");
}

void write_trees(std::ostream& out, const GraphView& view) {
  if (view.trees.empty()) return;
  write_heading(out, "Trees", "from the root down: below each host are those that are joined to it");
  for (std::size_t i = 0; i < std::min(view.trees.size(), max_trees); ++i) {
    const GraphTree& tree = view.trees[i];
    out << "<p>" << tree.kind << " of " << channels_text(tree.channels) << ": " << count_text(tree.levels, "level")
        << " of ranks" << shown_part(tree.complete) << "</p>\n";
    write_tree(out, view, tree);
  }
  write_rest(out, view.trees.size(), max_trees, "other tree", "other trees");
}

}  // namespace nccl_analyze
