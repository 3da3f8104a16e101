#include "report/picture_trees.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/text_job.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_trees = 8;     ///< Of one communicator.
constexpr std::size_t max_places = 512;  ///< Of one tree.

using PlaceLinks = std::vector<std::pair<int, int>>;

/// Trees that join the same places.
struct Alike {
  std::string_view kind;
  std::vector<Tree> trees;
  PlaceLinks links;  ///< From parent to child, between places; sorted.
};

/// The height at which each place stands: a leaf has a row for itself, a parent stands amid its children.
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
  for (const int root : levels.empty() ? std::vector<int>{} : levels.front()) {
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
    if (alike_.empty()) return note(scene_, picture_, "no tree is shown");
    for (std::size_t i = 0; i < std::min(alike_.size(), max_trees); ++i) draw_tree(alike_[i], i);
    if (alike_.size() > max_trees)
      note(scene_, picture_, counted(alike_.size() - max_trees, "other tree is", "other trees are") + " not drawn");
  }

 private:
  void gather(std::string_view kind, const std::vector<Tree>& trees) {
    std::map<PlaceLinks, std::size_t> known;
    for (const Tree& tree : trees) {
      PlaceLinks links;
      for (const auto& [parent, child] : tree.links) {
        const std::pair ends{places_.place_of(parent), places_.place_of(child)};
        if (ends.first >= 0 && ends.second >= 0 && ends.first != ends.second &&
            places_.is_wanted(ends.first, ends.second))
          links.push_back(ends);
      }
      if (links.empty()) continue;
      std::sort(links.begin(), links.end());
      links.erase(std::unique(links.begin(), links.end()), links.end());
      const auto [place, is_new] = known.try_emplace(links, alike_.size());
      if (is_new) alike_.push_back({kind, {}, std::move(links)});
      alike_[place->second].trees.push_back(tree);
    }
  }

  void draw_tree(const Alike& alike, std::size_t number) {
    ChannelSet channels;
    for (const Tree& tree : alike.trees) insert(channels, tree.channel);
    const bool is_whole =
        std::all_of(alike.trees.begin(), alike.trees.end(), [](const Tree& tree) { return tree.complete; });
    const std::vector<std::vector<int>> levels = levels_of(alike.links);
    const std::string prefix = scene_.prefix + "t" + std::to_string(number);

    Frame frame{.id = prefix, .label = {}, .parent = scene_.frame, .arrangement = Arrangement::levels};
    frame.label.append(alike.kind).append(channels.count() == 1 ? ", channel " : ", channels ");
    frame.label.append(channel_list(channels)).append(", ").append(counted(levels.size(), "level", "levels"));
    if (!is_whole) frame.label += ", as far as the log tells";
    const auto in_frame = static_cast<int>(picture_.frames.size());
    picture_.frames.push_back(std::move(frame));

    places_.begin(alike.trees);
    std::map<int, int> boxes;
    const std::map<int, double> rows = rows_of(levels, alike.links);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      for (const int place : levels[level]) {
        if (boxes.size() == max_places) continue;
        boxes[place] = static_cast<int>(picture_.boxes.size());
        Box box = places_.box_of(place);
        box.id = prefix + "p" + std::to_string(place);
        box.frame = in_frame;
        box.level = static_cast<double>(level);
        const auto row = rows.find(place);
        box.row = row == rows.end() ? 0 : row->second;
        picture_.boxes.push_back(std::move(box));
      }
    }
    // The numbers of NVLS trees are no channels, so that no connection can be told to be theirs.
    const bool has_channels = alike.kind != "NVLS tree";
    const LinkSearch search{.view = DotView::trees,
                            .trees = alike.trees,
                            .place_of = places_.place_of,
                            .is_wanted = places_.is_wanted,
                            .max_send_recv = 0};
    Links links = find_links(scene_.communicator, search).links;
    if (!has_channels)
      for (auto& [ends, link] : links) link.uses.clear();
    const auto box_of = [&boxes](int place) {
      const auto found = boxes.find(place);
      return found == boxes.end() ? -1 : found->second;
    };
    draw_links(scene_, links, Counted::nothing, box_of, picture_);
    std::size_t places = 0;
    for (const std::vector<int>& level : levels) places += level.size();
    if (places > max_places)
      picture_.frames[static_cast<std::size_t>(in_frame)].label +=
          "\\n" + counted(places - max_places, "place", "places") + " of the last levels not drawn";
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
