// Draws a communicator by its hosts. The label of a box describes the traffic between ranks inside the host.

#include <algorithm>
#include <set>

#include "nccl_analyze/rule.h"
#include "report/graph/trees.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_boxes = 128;
constexpr std::size_t max_rank_columns = 40;
constexpr std::size_t max_paths = 4;  ///< Limit on the different paths of rings or trees that a box lists.
constexpr std::size_t max_path_ranks = 64;
constexpr std::size_t max_about = 200;  ///< Width of a list of ranks, in columns.

/// A host of the communicator, with its ranks and GPUs.
struct HostPlace {
  HostName name;
  const Host* host = nullptr;
  Suspicion suspicion;
  bool outside = false;
  std::vector<int> ranks;  ///< Ascending.
  std::set<std::uint64_t> gpus;
};

std::vector<HostPlace> hosts_of(const Scene& scene) {
  std::map<HostName, HostPlace> by_name;
  for (const Rank& rank : scene.communicator.ranks) {
    const HostName name = host_of(scene.model, rank);
    HostPlace& host = by_name[name];
    host.name = name;
    host.outside = !is_inside(scene, rank);
    host.host = scene.model.host_of(rank.process);
    host.suspicion.add(scene.suspicions.of(rank));
    if (host.ranks.empty() || host.ranks.back() != rank.rank) host.ranks.push_back(rank.rank);
    if (rank.has_bus_id) host.gpus.insert(rank.bus_id);
  }
  std::vector<HostPlace> hosts;
  for (auto& [name, host] : by_name) hosts.push_back(std::move(host));
  std::sort(hosts.begin(), hosts.end(), [](const HostPlace& a, const HostPlace& b) {
    return std::pair{a.outside, a.ranks.front()} < std::pair{b.outside, b.ranks.front()};
  });
  return hosts;
}

/// The hosts of one box: a single host, or several consecutive hosts if the picture would otherwise have too many
/// boxes.
struct Group {
  bool outside = false;
  std::vector<const HostPlace*> hosts;
  std::vector<int> ranks;
  std::map<std::string, ChannelSet> paths;  ///< Paths of rings or trees inside the host, each with its channels.
};

std::vector<Group> groups_of(const std::vector<HostPlace>& hosts) {
  const auto inside = static_cast<std::size_t>(
      std::count_if(hosts.begin(), hosts.end(), [](const HostPlace& host) { return !host.outside; }));
  const auto share = [](std::size_t count) { return std::max<std::size_t>((count + max_boxes - 1) / max_boxes, 1); };
  const std::size_t in_box = share(inside), in_outside_box = share(hosts.size() - inside);
  std::vector<Group> groups;
  for (const HostPlace& host : hosts) {
    const std::size_t limit = host.outside ? in_outside_box : in_box;
    if (groups.empty() || groups.back().outside != host.outside || groups.back().hosts.size() == limit)
      groups.push_back({host.outside, {}, {}, {}});
    Group& group = groups.back();
    group.hosts.push_back(&host);
    group.ranks.insert(group.ranks.end(), host.ranks.begin(), host.ranks.end());
  }
  return groups;
}

class HostDrawing {
 public:
  HostDrawing(const Scene& scene, Picture& picture)
      : scene_(scene), picture_(picture), hosts_(hosts_of(scene)), groups_(groups_of(hosts_)) {
    for (std::size_t i = 0; i < groups_.size(); ++i)
      for (const int rank : groups_[i].ranks) places_.emplace(rank, static_cast<int>(i));
  }

  void draw() {
    const auto is_wanted = [this](int from, int to) { return !is_outside(from) || !is_outside(to); };
    if (scene_.communicator.mnnvl == 1)
      note(scene_, picture_, "NVLink joins hosts (MNNVL): NCCL's nodes are NVLink domains");
    if (scene_.options.view == DotView::trees) {
      const auto begin = [this](std::span<const Tree> trees) {
        for (Group& group : groups_) group.paths.clear();
        follow_trees(trees);
      };
      const TreePlaces places{.place_of = [this](int rank) { return place_of(rank); },
                              .is_wanted = is_wanted,
                              .begin = begin,
                              .box_of = [this](int place) { return box(place, {}); }};
      return draw_trees(scene_, places, picture_);
    }
    const LinkSearch search{.view = scene_.options.view,
                            .place_of = [this](int rank) { return place_of(rank); },
                            .is_wanted = is_wanted,
                            .max_send_recv = 2 * max_boxes};
    LinksFound found = find_links(scene_.communicator, search);
    if (scene_.options.view == DotView::rings) follow_rings();
    std::set<int> touched;
    for (const auto& [ends, link] : found.links) touched.insert({ends.first, ends.second});
    const bool some_are_missing = !scene_.options.inside && unlogged() > 0;
    for (int i = 0; i <= nowhere(); ++i) {
      if (is_outside(i) && !touched.contains(i) && !(i == nowhere() && some_are_missing)) continue;
      boxes_[i] = static_cast<int>(picture_.boxes.size());
      picture_.boxes.push_back(box(i, found.links[{i, i}].uses));
    }
    const auto box_of = [this](int number) { return boxes_[number]; };
    draw_links(scene_, found.links, Counted::connections, box_of, picture_);
    if (found.left_out > 0)
      note(scene_, picture_, std::to_string(found.left_out) + " send/recv connections are not drawn");
  }

 private:
  /// Returns the place of all ranks without a log.
  int nowhere() const { return static_cast<int>(groups_.size()); }

  int place_of(int rank) const {
    const auto known = places_.find(rank);
    return known == places_.end() ? nowhere() : known->second;
  }

  bool is_outside(int place) const { return place == nowhere() || groups_[place].outside; }

  Box box(int place, const Uses& inside) const {
    Box box;
    box.id = scene_.prefix + "h" + std::to_string(place);
    box.frame = scene_.frame;
    box.dashed = is_outside(place);
    if (place == nowhere()) {
      box.label = unlogged() <= 0 ? "ranks without a log" : count_text(unlogged(), "rank") + " without a log";
      box.name = box.about = box.label;
      return box;
    }
    const Group& group = groups_[place];
    box.label = label_of(group);
    const std::string_view first = group.hosts.front()->name.first;
    box.name = first.empty() ? "host unknown" : first;
    if (group.hosts.size() > 1) box.name += " and others";
    box.about = "ranks " + short_rank_set(group.ranks, max_about);
    const std::vector<std::string> ways = describe_lines(inside, Counted::connections);
    for (const std::string& line : ways) box.label += "\\n" + dot_text(line);
    if (!ways.empty()) box.inside = &style_of(inside);
    if (scene_.options.view == DotView::automatic && group.hosts.size() == 1)
      if (const std::string hub = switch_label(scene_, group.hosts.front()->host); !hub.empty())
        box.label += "\\n" + hub;
    Suspicion suspicion;
    for (const HostPlace* host : group.hosts) suspicion.add(host->suspicion);
    mark(box, suspicion);
    return box;
  }

  int unlogged() const { return scene_.communicator.nranks - static_cast<int>(places_.size()); }

  static std::string label_of(const Group& group) {
    std::string label = host_label(group.hosts.front()->name);
    std::size_t gpus = 0;
    for (const HostPlace* host : group.hosts) gpus += host->gpus.size();
    if (group.hosts.size() > 1)
      label =
          std::to_string(group.hosts.size()) + " hosts\\n" + label + "\\nto " + host_label(group.hosts.back()->name);
    label += "\\n" + count_text(group.ranks.size(), "rank") + ": " + short_rank_set(group.ranks, max_rank_columns);
    if (gpus > 0) label += ", " + count_text(gpus, "GPU");
    std::size_t shown = 0;
    for (const auto& [path, channels] : group.paths) {
      if (shown++ == max_paths) {
        label += "\\nand " + count_text(group.paths.size() - max_paths, "other path");
        break;
      }
      label += "\\n" + channel_list(channels) + ": " + path;
    }
    return label;
  }

  /// Returns the place's group if its box lists the paths inside its host. Null if the box stands for several hosts,
  /// for more than `max_path_ranks` ranks, for a host that is not selected, or for ranks without a log.
  Group* group_with_paths(int place) {
    if (is_outside(place)) return nullptr;
    Group& group = groups_[place];
    return group.hosts.size() == 1 && group.ranks.size() <= max_path_ranks ? &group : nullptr;
  }

  void add_path(Group& group, const std::string& path, int channel) {
    if (channel >= 0 && static_cast<std::size_t>(channel) < ChannelSet{}.size())
      group.paths[path].set(static_cast<std::size_t>(channel));
  }

  void follow_rings() {
    for (const Ring& ring : scene_.communicator.rings) {
      std::vector<int> order(ring.order.begin(), ring.order.end());
      const auto border =
          std::adjacent_find(order.begin(), order.end(), [this](int a, int b) { return place_of(a) != place_of(b); });
      if (ring.complete && border != order.end()) std::rotate(order.begin(), border + 1, order.end());
      for (auto at = order.begin(); at != order.end();) {
        const int place = place_of(*at);
        const auto end = std::find_if(at, order.end(), [&](int rank) { return place_of(rank) != place; });
        std::string path;
        Group* const group = group_with_paths(place);
        if (group != nullptr)
          for (; at != end; ++at) append_item(path, std::to_string(*at), "\u2192");
        if (group != nullptr) add_path(*group, path, ring.channel);
        at = end;
      }
    }
  }

  void follow_trees(std::span<const Tree> trees) {
    for (const Tree& tree : trees) {
      std::map<int, std::multimap<int, int>> inside;  // Tree links from parent to child, by place.
      for (const auto& [parent, child] : tree.links) {
        const int place = place_of(parent);
        if (place == place_of(child) && group_with_paths(place) != nullptr) inside[place].emplace(parent, child);
      }
      for (auto& [place, links] : inside) add_path(*group_with_paths(place), paths_of(std::move(links)), tree.channel);
    }
  }

  /// Formats tree links as paths from the roots down, each link once: `0→1→2 1→3`.
  static std::string paths_of(std::multimap<int, int> links) {
    std::set<int> children;
    for (const auto& [parent, child] : links) children.insert(child);
    std::string text;
    while (!links.empty()) {
      auto link = std::find_if(links.begin(), links.end(), [&](const auto& l) { return !children.contains(l.first); });
      if (link == links.end()) link = links.begin();
      append_item(text, std::to_string(link->first), " ");
      while (link != links.end()) {
        const int child = link->second;
        text += "\u2192" + std::to_string(child);
        children.erase(child);
        links.erase(link);
        link = links.find(child);
      }
    }
    return text;
  }

  const Scene& scene_;
  Picture& picture_;
  std::vector<HostPlace> hosts_;
  Table<Group> groups_;
  std::map<int, int> places_;  ///< Index of each rank's group.
  std::map<int, int> boxes_;   ///< Index of each place's box.
};

}  // namespace

void draw_hosts(const Scene& scene, Picture& picture) { HostDrawing{scene, picture}.draw(); }

}  // namespace nccl_analyze
