// Draws trees from left to right: a column for each level, a row for each leaf.

#include "report/graph/trees.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_trees = 8;     ///< Limit for one communicator.
constexpr std::size_t max_places = 512;  ///< Limit for one tree.

using PlaceLinks = std::vector<std::pair<int, int>>;

/// Trees with the same links between places.
struct Alike {
  std::string_view kind;
  std::vector<Tree> trees;
  PlaceLinks links;   ///< Links from parent to child, between places; sorted.
  PlaceLinks wanted;  ///< The members of `links` that are drawn.
};

/// Returns the row of each place: a leaf has a row of its own, a parent is in the middle of its children.
std::map<int, double> rows_of(const std::vector<std::vector<int>>& levels, const PlaceLinks& links) {
  std::map<int, int> level_of;
  for (std::size_t level = 0; level < levels.size(); ++level)
    for (const int place : levels[level]) level_of.emplace(place, static_cast<int>(level));
  std::map<int, std::vector<int>> children;
  std::set<int> has_parent;
  for (const auto& [parent, child] : links)
    if (level_of.contains(parent) && level_of.contains(child) && level_of[child] == level_of[parent] + 1 &&
        has_parent.insert(child).second)
      children[parent].push_back(child);

  std::map<int, double> rows;
  double next = 0;
  std::vector<int> waiting;
  for (const std::vector<int>& level : levels) {
    for (const int root : level) {
      if (has_parent.contains(root)) continue;
      waiting.push_back(root);
      while (!waiting.empty()) {
        const int place = waiting.back();
        waiting.pop_back();
        const auto below = children.find(place);
        if (below == children.end())
          rows[place] = next++;
        else
          waiting.insert(waiting.end(), below->second.rbegin(), below->second.rend());
      }
    }
  }
  for (auto level = levels.rbegin(); level != levels.rend(); ++level)
    for (const int place : *level)
      if (const auto below = children.find(place); below != children.end())
        rows[place] = (rows[below->second.front()] + rows[below->second.back()]) / 2;
  return rows;
}

class TreeDrawing {
 public:
  TreeDrawing(const Scene& scene, const TreePlaces& places, Picture& picture)
      : scene_(scene), places_(places), picture_(picture) {}

  void draw() {
    const Communicator& comm = scene_.communicator;
    gather("tree", comm.trees);
    gather("NVLS tree", comm.nvls_trees);
    gather("CollNet chain", comm.collnet_chains);
    if (comm.nvls_trees.empty() && std::any_of(comm.ranks.begin(), comm.ranks.end(),
                                               [](const Rank& rank) { return rank.has(Algorithm::nvls_tree); }))
      note(scene_, picture_, "an NVLS tree is connected; no line shows its links");
    for (std::size_t i = 0; i < std::min(alike_.size(), max_trees); ++i) draw_tree(alike_[i], i);
    if (alike_.size() > max_trees)
      note(scene_, picture_, count_text(alike_.size() - max_trees, "other tree is", "other trees are") + " not drawn");
  }

 private:
  void gather(std::string_view kind, const std::vector<Tree>& trees) {
    std::map<PlaceLinks, std::size_t> known;
    for (const Tree& tree : trees) {
      PlaceLinks links;
      for (const auto& [parent, child] : tree.links) {
        const std::pair ends{places_.place_of(parent), places_.place_of(child)};
        if (ends.first >= 0 && ends.second >= 0 && ends.first != ends.second) links.push_back(ends);
      }
      std::sort(links.begin(), links.end());
      links.erase(std::unique(links.begin(), links.end()), links.end());
      PlaceLinks wanted;
      std::copy_if(links.begin(), links.end(), std::back_inserter(wanted),
                   [this](const auto& ends) { return places_.is_wanted(ends.first, ends.second); });
      if (wanted.empty()) continue;
      const auto [place, is_new] = known.try_emplace(links, alike_.size());
      if (is_new) alike_.push_back({kind, {}, std::move(links), std::move(wanted)});
      alike_[place->second].trees.push_back(tree);
    }
  }

  void draw_tree(const Alike& alike, std::size_t number) {
    const std::vector<std::vector<int>> levels = levels_of(alike.links);
    const std::string prefix = scene_.prefix + "t" + std::to_string(number);
    const auto frame = static_cast<int>(picture_.frames.size());
    picture_.frames.push_back({.id = prefix,
                               .label = title_of(alike, levels.size()),
                               .parent = scene_.frame,
                               .arrangement = Arrangement::levels});
    const std::map<int, int> boxes = draw_places(alike, levels, frame, prefix);
    const LinkSearch search{.view = DotView::trees,
                            .trees = alike.trees,
                            .place_of = places_.place_of,
                            .is_wanted = places_.is_wanted,
                            .max_send_recv = 0};
    Links links = find_links(scene_.communicator, search).links;
    if (!has_connections(alike.kind))
      for (auto& [ends, link] : links) link.uses.clear();
    const auto box_of = [&boxes](int place) {
      const auto found = boxes.find(place);
      return found == boxes.end() ? -1 : found->second;
    };
    draw_links(scene_, links, Counted::nothing, box_of, picture_);
  }

  static std::string title_of(const Alike& alike, std::size_t levels) {
    ChannelSet channels;
    for (const Tree& tree : alike.trees) insert(channels, tree.channel);
    std::string title{alike.kind};
    title.append(channels.count() == 1 ? ", channel " : ", channels ").append(channel_list(channels));
    title.append(", ").append(count_text(levels, "level"));
    const bool is_whole =
        std::all_of(alike.trees.begin(), alike.trees.end(), [](const Tree& tree) { return tree.complete; });
    if (!is_whole) title += ", as far as the log tells";
    if (alike.wanted.size() < alike.links.size()) title += "; a part of it";
    return title;
  }

  /// Draws a box for each place at an end of a drawn link, and returns the index of each place's box.
  std::map<int, int> draw_places(const Alike& alike, const std::vector<std::vector<int>>& levels, int frame,
                                 const std::string& prefix) {
    std::set<int> wanted;
    for (const auto& [parent, child] : alike.wanted) wanted.insert({parent, child});
    std::vector<std::vector<int>> shown(levels.size());
    for (std::size_t level = 0; level < levels.size(); ++level)
      std::copy_if(levels[level].begin(), levels[level].end(), std::back_inserter(shown[level]),
                   [&wanted](int place) { return wanted.contains(place); });
    const std::map<int, double> rows = rows_of(shown, alike.wanted);
    places_.begin(alike.trees);
    std::map<int, int> boxes;
    for (std::size_t level = 0; level < shown.size(); ++level) {
      for (const int place : shown[level]) {
        if (boxes.size() == max_places) break;
        boxes[place] = static_cast<int>(picture_.boxes.size());
        Box box = places_.box_of(place);
        box.id = prefix + "p" + std::to_string(place);
        box.frame = frame;
        box.level = static_cast<double>(level);
        box.row = rows.at(place);
        picture_.boxes.push_back(std::move(box));
      }
    }
    if (wanted.size() > max_places)
      picture_.frames[frame].label +=
          "\\n" + count_text(wanted.size() - max_places, "place") + " of the last levels not drawn";
    return boxes;
  }

  /// Whether the model's connections on channel Tree::channel carry the traffic of a tree of this kind. False for an
  /// NVLS tree, because its Tree::channel only numbers the tree. False for any other kind if some rank connected the
  /// NVLS tree, and none connected trees.
  bool has_connections(std::string_view kind) const {
    const std::vector<Rank>& ranks = scene_.communicator.ranks;
    const auto some_connected = [&ranks](Algorithm algorithm) {
      return std::any_of(ranks.begin(), ranks.end(), [=](const Rank& rank) { return rank.has(algorithm); });
    };
    return kind != "NVLS tree" && (some_connected(Algorithm::trees) || !some_connected(Algorithm::nvls_tree));
  }

  const Scene& scene_;
  const TreePlaces& places_;
  Picture& picture_;
  std::vector<Alike> alike_;
};

}  // namespace

void draw_trees(const Scene& scene, const TreePlaces& places, Picture& picture) {
  TreeDrawing{scene, places, picture}.draw();
}

}  // namespace nccl_analyze
