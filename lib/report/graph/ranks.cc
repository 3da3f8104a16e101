// Draws a communicator rank by rank: a box for each rank, a frame for each host.

#include <algorithm>
#include <set>

#include "report/graph/trees.h"
#include "report/sentences/paths.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_outside = 512;  ///< Limit on ranks that are drawn by name only.

class RankDrawing {
 public:
  RankDrawing(const Scene& scene, Picture& picture) : scene_(scene), picture_(picture) {
    for (const Rank& rank : scene.communicator.ranks) ranks_.try_emplace(rank.rank, &rank);
  }

  void draw() {
    if (scene_.options.view == DotView::trees) return draw_trees();
    for (const int number : drawing_order()) draw_rank(number);
    const bool nobody_inside = boxes_.empty();
    if (!scene_.options.inside && has_few_ranks())
      for (int number = 0; number < scene_.communicator.nranks; ++number) draw_named(number);
    const LinkSearch search{
        .view = scene_.options.view,
        .place_of = [](int rank) { return rank; },
        .is_wanted = [&](int from, int to) { return boxes_.contains(from) || boxes_.contains(to) || nobody_inside; },
        .max_send_recv = 2 * std::max<std::size_t>(boxes_.size(), 16)};
    const LinksFound found = find_links(scene_.communicator, search);
    draw_peers(found.links);
    const auto box = [this](int rank) { return box_of(rank); };
    draw_links(scene_, found.links, Counted::channels, box, picture_);
    if (scene_.options.view == DotView::automatic) draw_switches();
    if (found.left_out > 0)
      note(scene_, picture_, std::to_string(found.left_out) + " send/recv connections are not drawn");
    const auto all = static_cast<std::size_t>(std::max(scene_.communicator.nranks, 0));
    if (!scene_.options.inside && all > boxes_.size())
      note(scene_, picture_, count_text(all - boxes_.size(), "rank") + " without a log here, not drawn");
  }

 private:
  void draw_trees() {
    const auto is_looked_at = [this](int rank) {
      const auto known = ranks_.find(rank);
      return known != ranks_.end() && is_inside(scene_, *known->second);
    };
    const TreePlaces places{
        .place_of = [](int rank) { return rank; },
        .is_wanted = [&](int from, int to) { return is_looked_at(from) || is_looked_at(to) || ranks_.empty(); },
        .begin = [](std::span<const Tree>) {},
        .box_of =
            [&](int rank) {
              const auto known = ranks_.find(rank);
              if (known != ranks_.end()) {
                Box box = labelled(*known->second);
                box.dashed = !is_looked_at(rank);
                return box;
              }
              Box box;
              box.label = box.name = "rank " + std::to_string(rank);
              box.about = box.label + ": no line of it in this input";
              box.dashed = true;
              return box;
            }};
    nccl_analyze::draw_trees(scene_, places, picture_);
  }

  /// Builds a box that also names the rank's host, for ranks outside the frames of hosts.
  Box labelled(const Rank& rank) const {
    Box box = rank_box(scene_, rank);
    const std::size_t end = box.label.find("\\n");
    box.label.insert(std::min(end, box.label.size()), "\\n" + host_label(host_of(scene_.model, rank)));
    return box;
  }

  /// Draws the switch of each host with several ranks in the middle of these ranks. With MNNVL, the frame of the NVLink
  /// domain describes the switch instead.
  void draw_switches() {
    if (scene_.communicator.mnnvl == 1) return;
    std::map<int, std::vector<int>> ranks;  // boxes by frame
    std::map<int, const Host*> hosts;
    for (const auto& [number, box] : boxes_) {
      const auto known = ranks_.find(number);
      if (picture_.boxes[box].dashed || known == ranks_.end()) continue;
      const int frame = picture_.boxes[box].frame;
      ranks[frame].push_back(box);
      hosts[frame] = scene_.model.host_of(known->second->process);
    }
    for (const auto& [frame, boxes] : ranks) {
      const std::string label = boxes.size() < 2 ? std::string{} : switch_label(scene_, hosts[frame]);
      if (label.empty()) continue;
      const auto hub = static_cast<int>(picture_.boxes.size());
      Box box;
      box.id = picture_.frames[frame].id + "switch";
      box.label = label;
      box.about = "the switch that joins the GPUs of this host by NVLink";
      box.frame = frame;
      box.look = Look::hub;
      picture_.boxes.push_back(std::move(box));
      for (const int rank : boxes) {
        Arrow spoke;
        spoke.from = rank;
        spoke.to = hub;
        spoke.style = &switch_style();
        spoke.headless = true;
        picture_.arrows.push_back(std::move(spoke));
      }
    }
  }

  bool has_few_ranks() const {
    return scene_.communicator.nranks >= 0 &&
           static_cast<std::size_t>(scene_.communicator.nranks) < scene_.options.hosts_from;
  }

  int box_of(int rank) const {
    const auto known = boxes_.find(rank);
    return known == boxes_.end() ? -1 : known->second;
  }

  void add_box(int rank, int frame, Box box) {
    box.id = scene_.prefix + "r" + std::to_string(rank);
    box.frame = frame;
    boxes_.emplace(rank, static_cast<int>(picture_.boxes.size()));
    picture_.boxes.push_back(std::move(box));
  }

  int add_frame(const std::string& id, const std::string& label, int parent) {
    Frame frame;
    frame.id = scene_.prefix + id;
    frame.label = label;
    frame.parent = parent;
    picture_.frames.push_back(std::move(frame));
    return static_cast<int>(picture_.frames.size()) - 1;
  }

  int frame_of(const HostName& host, bool dashed, const std::string& label, int parent) {
    const auto [place, is_new] = frames_.try_emplace({host, dashed}, 0);
    if (is_new) {
      place->second = add_frame("h" + std::to_string(frames_.size() - 1), label, parent);
      picture_.frames[place->second].dashed = dashed;
    }
    return place->second;
  }

  /// Returns the frame of the rank's NVLink domain, or the scene's frame without MNNVL or if the rank's node is
  /// unknown.
  int domain_of(const Rank& rank) {
    if (scene_.communicator.mnnvl != 1 || rank.node < 0) return scene_.frame;
    const auto [place, is_new] = domains_.try_emplace(rank.node, 0);
    if (is_new) {
      place->second = add_frame("n" + std::to_string(rank.node), describe_domain(scene_.communicator), scene_.frame);
      picture_.frames[place->second].arrangement = Arrangement::grid;
    }
    return place->second;
  }

  /// Returns the ranks in the order of the first ring, so that neighbours are drawn side by side, followed by all ranks
  /// with a log. A rank may occur twice.
  std::vector<int> drawing_order() const {
    std::vector<int> order;
    if (const auto& rings = scene_.communicator.rings; !rings.empty())
      order.assign(rings.front().order.begin(), rings.front().order.end());
    for (const auto& [number, rank] : ranks_) order.push_back(number);
    return order;
  }

  /// Draws the ranks that have a link but no box yet, in the order of the first ring. The order starts at the first
  /// rank of the ring that has a box.
  void draw_peers(const Links& links) {
    std::set<int> peers;
    for (const auto& [ends, link] : links) peers.insert({ends.first, ends.second});
    std::vector<int> order = drawing_order();
    const auto drawn = std::find_if(order.begin(), order.end(), [this](int rank) { return boxes_.contains(rank); });
    if (drawn != order.end()) std::rotate(order.begin(), drawn, order.end());
    order.insert(order.end(), peers.begin(), peers.end());
    for (const int rank : order)
      if (peers.contains(rank)) draw_named(rank);
  }

  void draw_rank(int number) {
    const auto known = ranks_.find(number);
    if (known == ranks_.end() || boxes_.contains(number) || !is_inside(scene_, *known->second)) return;
    const Rank& rank = *known->second;
    const HostName host = host_of(scene_.model, rank);
    add_box(number, frame_of(host, false, host_label(host), domain_of(rank)), rank_box(scene_, rank));
  }

  /// Draws only the name of a rank that is not selected or has no log.
  void draw_named(int number) {
    if (boxes_.contains(number) || named_ == max_outside) return;
    ++named_;
    const auto known = ranks_.find(number);
    const bool logged = known != ranks_.end() && known->second->process >= 0;
    const HostName host = logged ? host_of(scene_.model, *known->second) : HostName{};
    const std::string frame_label = logged ? host_label(host) : "no log in this input";
    Box box;
    box.label = box.name = "rank " + std::to_string(number);
    box.about = box.label + (logged ? "" : ": no line of it in this input");
    box.dashed = true;
    Rank rank;
    rank.rank = number;
    mark(box, scene_.suspicions.of(known == ranks_.end() ? rank : *known->second));
    add_box(number, frame_of(host, true, frame_label, scene_.frame), std::move(box));
  }

  const Scene& scene_;
  Picture& picture_;
  std::map<int, const Rank*> ranks_;
  std::map<int, int> boxes_;  ///< Index of each rank's box.
  std::map<std::pair<HostName, bool>, int> frames_;
  std::map<Index, int> domains_;  ///< Frame of each node's NVLink domain.
  std::size_t named_ = 0;
};

}  // namespace

void draw_ranks(const Scene& scene, Picture& picture) { RankDrawing{scene, picture}.draw(); }

}  // namespace nccl_analyze
