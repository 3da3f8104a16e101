// Code that the drawings by rank and by host share: labels of hosts, boxes of ranks, and arrows.

#include "report/graph/scene.h"

#include <algorithm>
#include <span>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "report/sentences/paths.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_arrows = 4096;  ///< Limit for one communicator.
constexpr std::size_t max_host_columns = 64;
constexpr std::size_t max_mark = 24;  ///< Width of a list of rules, in columns.

bool same_ways(const Uses& a, const Uses& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

}  // namespace

HostName host_of(const Model& model, const Rank& rank) {
  if (rank.process < 0) return {};
  const Process& process = model.processes[rank.process];
  return {process.host, process.pod};
}

std::string host_label(const HostName& host) {
  std::string label =
      host.first.empty() ? "host unknown" : dot_text(truncated(std::string{host.first}, max_host_columns));
  if (!host.second.empty()) label += "\\npod " + dot_text(truncated(std::string{host.second}, max_host_columns));
  return label;
}

bool is_inside(const Scene& scene, const Rank& rank) {
  return !scene.options.inside || (rank.process >= 0 && scene.options.inside(host_of(scene.model, rank).first));
}

std::string switch_label(const Scene& scene, const Host* host) {
  std::string label;
  for (const std::string& line : describe_switch(scene.communicator, host)) append_item(label, line, "\\n");
  return label;
}

void note(const Scene& scene, Picture& picture, const std::string& line) {
  if (scene.frame < 0)
    picture.title.push_back(line);
  else
    picture.frames[scene.frame].label += "\\n" + line;
}

void mark(Box& box, const Suspicion& suspicion) {
  if (suspicion.rules.empty()) return;
  box.look = std::max(box.look, suspicion.worst == Severity::error ? Look::error : Look::warning);
  box.label += "\\n! " + dot_text(truncated(suspicion.text(), max_mark));
  box.about += "; suspected by " + suspicion.text();
}

Box rank_box(const Scene& scene, const Rank& rank) {
  Suspect suspect;
  suspect.process = rank.process;
  suspect.rank = rank.rank;
  Box box{.id = scene.prefix + "r" + std::to_string(rank.rank),
          .label = "rank " + std::to_string(rank.rank),
          .name = "rank " + std::to_string(rank.rank),
          .about = address_text(address_of(scene.model, suspect, std::span(&scene.index, 1)))};
  if (rank.cuda_dev >= 0) box.label += "\\nGPU " + std::to_string(rank.cuda_dev);
  if (rank.has_bus_id) box.label += "\\nbusId " + to_hex(rank.bus_id);
  box.about.append("; ").append(to_string(rank.state));
  if (rank.nvls_head >= 0) box.about += "; NVLS head " + std::to_string(rank.nvls_head);
  mark(box, scene.suspicions.of(rank));
  if (rank.state == RankState::failed || rank.state == RankState::aborted) {
    box.look = Look::error;
    box.label.append("\\n\u00d7 ").append(to_string(rank.state));
  }
  return box;
}

void draw_links(const Scene& scene, const Links& links, Counted counted, const std::function<int(int place)>& box_of,
                Picture& picture) {
  // The views of rings and trees list the channels, so labels need no count.
  if (scene.options.view != DotView::automatic && counted == Counted::channels) counted = Counted::nothing;
  std::vector<Arrow> arrows;
  for (const auto& [ends, link] : links) {
    const int from = box_of(ends.first), to = box_of(ends.second);
    if (from < 0 || to < 0 || from == to) continue;
    const auto back = links.find({ends.second, ends.first});
    const bool both =
        scene.options.view == DotView::automatic && back != links.end() && same_ways(link.uses, back->second.uses);
    if (both && ends.first > ends.second) continue;
    Link drawn = link;
    if (both) add(drawn, back->second);
    const LinkStyle* const style = &style_of(drawn.uses);
    arrows.push_back(
        {.from = from, .to = to, .link = std::move(drawn), .counted = counted, .style = style, .both = both});
  }
  if (arrows.size() > max_arrows) {
    note(scene, picture, std::to_string(arrows.size() - max_arrows) + " of the faster links are not drawn");
    sort_stably(arrows, [](const Arrow& a, const Arrow& b) { return *a.style > *b.style; });
    arrows.resize(max_arrows);
  }
  picture.arrows.insert(picture.arrows.end(), arrows.begin(), arrows.end());
}

}  // namespace nccl_analyze
