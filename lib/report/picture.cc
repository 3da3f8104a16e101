// Chooses which communicators are drawn, and how each of them is.

#include "report/picture.h"

#include <algorithm>
#include <set>

#include "report/escape.h"
#include "report/text_job.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_communicators = 16;
constexpr std::size_t max_arrows = 4096;  ///< Of one communicator.
constexpr std::size_t max_columns = 64;

std::size_t ranks_inside(const Scene& scene) {
  const auto& ranks = scene.communicator.ranks;
  return static_cast<std::size_t>(
      std::count_if(ranks.begin(), ranks.end(), [&](const Rank& rank) { return is_inside(scene, rank); }));
}

/// Ranks that would be drawn one by one: those to look inside and, in a small communicator, those without a log.
std::size_t size_of(const Scene& scene) {
  const std::size_t logged = ranks_inside(scene);
  if (scene.options.inside) return logged;
  const auto all = static_cast<std::size_t>(std::max(scene.communicator.nranks, 0));
  return all < scene.options.hosts_from ? std::max(all, logged) : logged;
}

std::size_t hosts_in(const Scene& scene) {
  std::set<HostName> hosts;
  for (const Rank& rank : scene.communicator.ranks)
    if (rank.process >= 0) hosts.insert(host_of(scene.model, rank));
  return hosts.size();
}

std::vector<std::string> title_of(const Scene& scene) {
  const Communicator& communicator = scene.communicator;
  std::string name = "communicator " + (communicator.name.empty() ? "" : shortened(communicator.name, 60) + " ") +
                     (communicator.comm_id != 0 ? "0x" + to_hex(communicator.comm_id) : "#" + scene.prefix.substr(1));
  std::string sizes;
  const auto add = [&sizes](int count, std::string_view one, std::string_view many) {
    if (count < 0) return;
    if (!sizes.empty()) sizes += ", ";
    sizes += counted(static_cast<std::uint64_t>(count), one, many);
  };
  add(communicator.nranks, "rank", "ranks");
  add(communicator.nnodes, "node", "nodes");
  const std::size_t hosts = hosts_in(scene);
  const bool all_logged = communicator.ranks.size() == static_cast<std::size_t>(std::max(communicator.nranks, 0));
  if (communicator.nnodes > 0 && hosts > 0 && all_logged && hosts != static_cast<std::size_t>(communicator.nnodes))
    sizes += " on " + counted(hosts, "host", "hosts");
  add(communicator.channels, "channel", "channels");
  if (communicator.nvls_channels > 0) add(communicator.nvls_channels, "NVLS channel", "NVLS channels");
  std::vector<std::string> lines{std::move(name)};
  if (!sizes.empty()) lines.push_back(std::move(sizes));
  if (scene.options.view == DotView::rings)
    lines.emplace_back(communicator.rings.empty() ? "no ring is shown" : "rings with their channels");
  if (scene.options.view == DotView::trees)
    lines.emplace_back(communicator.trees.empty() ? "no tree is shown" : "trees with their channels, parent to child");
  return lines;
}

bool same_ways(const Uses& a, const Uses& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

std::string label_of(const Link& link, DotView view, Counted counted) {
  if (view == DotView::automatic) {
    const std::uint64_t count = counted == Counted::channels ? link.channels.count() : link.listed;
    return link.uses.empty() ? "unknown \u00d7" + std::to_string(count) : describe(link.uses, counted);
  }
  std::string label = describe(link.uses, counted == Counted::connections ? counted : Counted::nothing);
  if (!label.empty()) label += "\\n";
  return label + (link.channels.count() == 1 ? "channel " : "channels ") + channel_list(link.channels);
}

/// Communicators of several ranks with something to look at, the largest first; equal ones in the model's order.
std::vector<std::size_t> drawable(const Model& model, const DotOptions& options) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& communicator = model.communicators[i];
    const Scene scene{model, communicator, options, {}, -1};
    if (communicator.nranks != 1 && (!options.inside || ranks_inside(scene) > 0)) found.push_back(i);
  }
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
    return model.communicators[a].nranks > model.communicators[b].nranks;
  });
  return found;
}

}  // namespace

HostName host_of(const Model& model, const Rank& rank) {
  if (rank.process < 0) return {};
  const Process& process = model.processes[static_cast<std::size_t>(rank.process)];
  return {process.host, process.pod};
}

std::string host_label(const HostName& host) {
  std::string label = host.first.empty() ? "host unknown" : dot_text(shortened(std::string{host.first}, max_columns));
  if (!host.second.empty()) label += "\\npod " + dot_text(shortened(std::string{host.second}, max_columns));
  return label;
}

bool is_inside(const Scene& scene, const Rank& rank) {
  return !scene.options.inside || (rank.process >= 0 && scene.options.inside(host_of(scene.model, rank).first));
}

void note(const Scene& scene, Picture& picture, const std::string& line) {
  if (scene.frame < 0)
    picture.title.push_back(line);
  else
    picture.frames[static_cast<std::size_t>(scene.frame)].label += "\\n" + line;
}

void draw_links(const Scene& scene, const Links& links, Counted counted, const std::function<int(int place)>& box_of,
                Picture& picture) {
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
    arrows.push_back({from, to, label_of(drawn, scene.options.view, counted), &style_of(drawn.uses), both});
  }
  if (arrows.size() > max_arrows) {
    note(scene, picture, std::to_string(arrows.size() - max_arrows) + " of the faster links are not drawn");
    std::stable_sort(arrows.begin(), arrows.end(), [](const Arrow& a, const Arrow& b) { return *a.style > *b.style; });
    arrows.resize(max_arrows);
  }
  picture.arrows.insert(picture.arrows.end(), arrows.begin(), arrows.end());
}

Picture draw(const Model& model, const DotOptions& options) {
  Picture picture;
  const std::vector<std::size_t> chosen = drawable(model, options);
  if (chosen.empty()) picture.title = {"no communicator of several ranks in this input"};
  std::vector<Scene> scenes;
  std::size_t size = 0;
  bool as_hosts = false;
  for (const std::size_t index : chosen) {
    const Scene scene{model, model.communicators[index], options, "c" + std::to_string(index), -1};
    size += size_of(scene);
    as_hosts = scenes.empty() && size >= options.hosts_from;
    if (scenes.size() == max_communicators || (!scenes.empty() && size > options.hosts_from)) break;
    scenes.push_back(scene);
    if (as_hosts) break;
  }
  for (Scene& scene : scenes) {
    const std::vector<std::string> title = title_of(scene);
    if (scenes.size() > 1) {
      scene.frame = static_cast<int>(picture.frames.size());
      std::string label;
      for (const std::string& line : title) label += (label.empty() ? "" : "\\n") + line;
      picture.frames.push_back({scene.prefix, std::move(label), -1, false});
    } else {
      picture.title = title;
    }
    as_hosts ? draw_hosts(scene, picture) : draw_ranks(scene, picture);
  }
  if (scenes.size() < chosen.size())
    picture.title.push_back("the largest of " + std::to_string(chosen.size()) + " communicators of several ranks; " +
                            std::to_string(chosen.size() - scenes.size()) + " are not drawn");
  lay_out(picture);
  return picture;
}

}  // namespace nccl_analyze
