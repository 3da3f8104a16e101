// A communicator drawn rank by rank: a box a rank, a frame a host.

#include <algorithm>
#include <set>

#include "report/escape.h"
#include "report/picture.h"
#include "report/text_job.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_outside = 512;  ///< Ranks that are only named.

class RankDrawing {
 public:
  RankDrawing(const Scene& scene, Picture& picture) : scene_(scene), picture_(picture) {
    for (const Rank& rank : scene.communicator.ranks) ranks_.try_emplace(rank.rank, &rank);
  }

  void draw() {
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
    if (found.left_out > 0)
      note(scene_, picture_, std::to_string(found.left_out) + " send/recv connections are not drawn");
    const auto all = static_cast<std::size_t>(std::max(scene_.communicator.nranks, 0));
    if (!scene_.options.inside && all > boxes_.size())
      note(scene_, picture_, counted(all - boxes_.size(), "rank", "ranks") + " without a log here, not drawn");
  }

 private:
  bool has_few_ranks() const {
    return scene_.communicator.nranks >= 0 &&
           static_cast<std::size_t>(scene_.communicator.nranks) < scene_.options.hosts_from;
  }

  int box_of(int rank) const {
    const auto known = boxes_.find(rank);
    return known == boxes_.end() ? -1 : known->second;
  }

  int add_box(int rank, int frame, std::string label) {
    const auto number = static_cast<int>(picture_.boxes.size());
    picture_.boxes.push_back({scene_.prefix + "r" + std::to_string(rank), std::move(label), frame});
    boxes_.emplace(rank, number);
    return number;
  }

  int frame_of(const HostName& host, bool dashed, const std::string& label) {
    const auto [place, is_new] = frames_.try_emplace({host, dashed}, static_cast<int>(picture_.frames.size()));
    if (is_new) {
      const std::string id = scene_.prefix + "h" + std::to_string(frames_.size() - 1);
      picture_.frames.push_back({id, label, scene_.frame, dashed});
    }
    return place->second;
  }

  /// Ranks as the first ring passes them, so that its neighbours come to stand side by side, then the others.
  std::vector<int> drawing_order() const {
    std::vector<int> order;
    if (const auto& rings = scene_.communicator.rings; !rings.empty())
      order.assign(rings.front().order.begin(), rings.front().order.end());
    for (const auto& [number, rank] : ranks_) order.push_back(number);
    return order;
  }

  /// The ends of links that are not drawn yet, in the order in which the first ring leaves what is drawn.
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
    std::string label = "rank " + std::to_string(rank.rank);
    if (rank.cuda_dev >= 0) label += "\\nGPU " + std::to_string(rank.cuda_dev);
    if (rank.has_bus_id) label += "\\nbusId " + to_hex(rank.bus_id);
    const HostName host = host_of(scene_.model, rank);
    const int box = add_box(rank.rank, frame_of(host, false, host_label(host)), std::move(label));
    picture_.boxes[static_cast<std::size_t>(box)].failed =
        rank.state == RankState::failed || rank.state == RankState::aborted;
  }

  /// A rank that is not to be looked at, or that has no log: its name alone.
  void draw_named(int number) {
    if (boxes_.contains(number) || named_ == max_outside) return;
    ++named_;
    const auto known = ranks_.find(number);
    const bool logged = known != ranks_.end() && known->second->process >= 0;
    const HostName host = logged ? host_of(scene_.model, *known->second) : HostName{};
    const int frame = frame_of(host, true, logged ? host_label(host) : "no log in this input");
    const int box = add_box(number, frame, "rank " + std::to_string(number));
    picture_.boxes[static_cast<std::size_t>(box)].dashed = true;
  }

  const Scene& scene_;
  Picture& picture_;
  std::map<int, const Rank*> ranks_;
  std::map<int, int> boxes_;  ///< By rank.
  std::map<std::pair<HostName, bool>, int> frames_;
  std::size_t named_ = 0;
};

}  // namespace

void draw_ranks(const Scene& scene, Picture& picture) { RankDrawing{scene, picture}.draw(); }

}  // namespace nccl_analyze
