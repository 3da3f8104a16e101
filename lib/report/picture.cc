// Chooses the communicators of a picture, and draws each by its ranks or by its hosts.

#include "report/picture.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "report/phrases.h"
#include "report/text_paths.h"
#include "report/verdict.h"
#include "report/words.h"
#include "rules/support/address.h"
#include "rules/support/rule_support.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_communicators = 16;
constexpr std::size_t max_arrows = 4096;  ///< Limit for one communicator.
constexpr std::size_t max_columns = 64;
constexpr std::size_t max_mark = 24;   ///< Width of a list of rules, in columns.
constexpr std::size_t bare_from = 17;  ///< From this many ranks on, a communicator without links is drawn by hosts.

std::size_t ranks_inside(const Scene& scene) {
  const auto& ranks = scene.communicator.ranks;
  return static_cast<std::size_t>(
      std::count_if(ranks.begin(), ranks.end(), [&](const Rank& rank) { return is_inside(scene, rank); }));
}

/// The subject of a view, for the note that no line shows it.
std::string_view subject_of(DotView view) {
  if (view == DotView::automatic) return "who sends to whom";
  return view == DotView::rings ? "a ring" : "a tree";
}

/// Whether the log shows links of the kind that the view draws.
bool shows_links(const Communicator& comm, DotView view) {
  const bool trees = !comm.trees.empty() || !comm.nvls_trees.empty() || !comm.collnet_chains.empty();
  if (view == DotView::trees) return trees;
  if (view == DotView::rings) return !comm.rings.empty();
  return trees || !comm.rings.empty() || comm.connections.size() > 0 || comm.nvls_channels > 0 || comm.mnnvl == 1;
}

/// The number of ranks that a drawing rank by rank would show. Ranks without a log count in a small communicator. In a
/// large one they count if at least half of the ranks are logged; the communicator is then drawn by hosts.
std::size_t size_of(const Scene& scene) {
  const std::size_t logged = ranks_inside(scene);
  if (scene.options.inside) return logged;
  const auto all = static_cast<std::size_t>(std::max(scene.communicator.nranks, 0));
  return all < scene.options.hosts_from || logged >= all / 2 ? std::max(all, logged) : logged;
}

std::size_t hosts_in(const Scene& scene) {
  std::set<HostName> hosts;
  for (const Rank& rank : scene.communicator.ranks)
    if (rank.process >= 0) hosts.insert(host_of(scene.model, rank));
  return hosts.size();
}

std::vector<std::string> title_of(const Scene& scene) {
  const Communicator& communicator = scene.communicator;
  std::string name = "communicator " + truncated(communicator_name(scene.model, scene.index), max_columns);
  if (!communicator.name.empty() && communicator.comm_id != 0) name += " 0x" + to_hex(communicator.comm_id);
  std::string sizes;
  const auto add = [&sizes](int count, std::string_view one, std::string_view many) {
    if (count >= 0) append_item(sizes, count_text(static_cast<std::uint64_t>(count), one, many));
  };
  add(communicator.nranks, "rank", "ranks");
  add(communicator.nnodes, "node", "nodes");
  const std::size_t hosts = hosts_in(scene);
  const bool all_logged = communicator.ranks.size() == static_cast<std::size_t>(std::max(communicator.nranks, 0));
  if (communicator.nnodes > 0 && hosts > 0 && all_logged && hosts != static_cast<std::size_t>(communicator.nnodes))
    sizes += " on " + count_text(hosts, "host", "hosts");
  add(communicator.channels, "channel", "channels");
  if (communicator.nvls_channels > 0) add(communicator.nvls_channels, "NVLS channel", "NVLS channels");
  std::vector<std::string> lines{std::move(name)};
  if (!sizes.empty()) lines.push_back(std::move(sizes));
  if (scene.options.view == DotView::rings) lines.emplace_back("rings with their channels");
  if (scene.options.view == DotView::trees) lines.emplace_back("trees, from the root on the left");
  return lines;
}

bool same_ways(const Uses& a, const Uses& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

std::string channels_of(const Link& link) { return link.channels.none() ? "" : "ch " + channel_list(link.channels); }

/// The number of channels, or of connections between hosts, whose transport no line shows.
std::uint64_t count_unknown(const Arrow& arrow) {
  if (arrow.counted == Counted::channels) return unknown_channels(arrow.link).count();
  return arrow.counted == Counted::connections && arrow.link.uses.empty() ? arrow.link.listed : 0;
}

/// The label of an arrow: its transports and, in the view of rings, its channels.
std::string label_of(const Arrow& arrow, DotView view, Brevity brevity) {
  const Link& link = arrow.link;
  std::vector<std::string> lines = describe_lines(link.uses, arrow.counted, brevity);
  if (const std::uint64_t unknown = count_unknown(arrow); unknown > 0)
    lines.push_back((brevity == Brevity::brief ? "? \u00d7" : "transport not shown \u00d7") + std::to_string(unknown));
  if (view == DotView::rings) lines.push_back(channels_of(link));
  std::string label;
  for (const std::string& line : lines) append_item(label, dot_text(line), "\\n");
  return label;
}

/// The tooltip of an arrow: `rank 0 → rank 1: P2P/CUMEM ×8`.
std::string about(const Arrow& arrow, const Picture& picture) {
  const auto name = [&picture](int box) { return picture.boxes[box].name; };
  std::string text = name(arrow.from) + (arrow.both ? " \u2194 " : " \u2192 ") + name(arrow.to) + ":";
  for (const std::string& line : describe_lines(arrow.link.uses, arrow.counted))
    text.append(" ").append(line).append(",");
  if (arrow.link.uses.empty() || count_unknown(arrow) > 0) {
    text.append(" transport not shown");
    if (!arrow.link.uses.empty()) text.append(" \u00d7").append(std::to_string(count_unknown(arrow)));
    text.append(",");
  }
  if (const std::string channels = channels_of(arrow.link); !channels.empty()) return text + " " + channels;
  text.pop_back();
  return text;
}

/// Writes the labels of all arrows. A label names a transport by its letter, which the legend explains, or in full if
/// the letter stands for several transports.
void word_labels(Picture& picture, DotView view) {
  std::map<char, std::set<std::string_view>> names;
  for (const Arrow& arrow : picture.arrows)
    for (const auto& [way, use] : arrow.link.uses) names[style_of(way).letter].insert(way.transport);
  bool counts = false, by_host = false, devices = false, proxies = false;
  for (Arrow& arrow : picture.arrows) {
    if (arrow.headless) continue;
    const bool is_told = std::all_of(arrow.link.uses.begin(), arrow.link.uses.end(),
                                     [&](const auto& use) { return names[style_of(use.first).letter].size() == 1; });
    arrow.label = label_of(arrow, view, is_told ? Brevity::brief : Brevity::full);
    arrow.about = about(arrow, picture);
    by_host = by_host || arrow.counted == Counted::connections;
    counts = counts || arrow.label.find("\u00d7") != std::string::npos;
    for (const auto& [way, use] : arrow.link.uses) {
      devices = devices || (is_told && !use.devices.empty());
      proxies = proxies || !use.proxies.empty();
    }
  }
  for (const auto& [letter, of_letter] : names)
    if (of_letter.size() == 1) picture.transports[letter] = truncated(std::string{*of_letter.begin()}, max_columns);
  std::string key;
  if (devices) append_item(key, "behind a letter: the numbers of its NICs", "; ");
  if (proxies) append_item(key, "PXN, via: the rank that passes it on", "; ");
  if (counts)
    append_item(key, by_host ? "\u00d7: connections of ranks, summed over channels" : "\u00d7: channels", "; ");
  if (!key.empty()) picture.legend.push_back(std::move(key));
}

/// Communicators of several ranks, of which at least one is on a selected host. The largest come first, equal sizes in
/// the model's order.
std::vector<std::size_t> drawable(const Model& model, const DotOptions& options, const Suspicions& nobody) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& communicator = model.communicators[i];
    const Scene scene{model, static_cast<Index>(i), communicator, options, nobody, {}, -1};
    if (communicator.nranks != 1 && (!options.inside || ranks_inside(scene) > 0)) found.push_back(i);
  }
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
    return model.communicators[a].nranks > model.communicators[b].nranks;
  });
  return found;
}

/// Removes communicators without links in this view; if none has links, keeps only the largest. Returns a note on the
/// removal for the title.
std::string leave_out_bare(const Model& model, DotView view, std::vector<std::size_t>& chosen) {
  const auto is_bare = [&](std::size_t index) { return !shows_links(model.communicators[index], view); };
  const auto bare = static_cast<std::size_t>(std::count_if(chosen.begin(), chosen.end(), is_bare));
  if (bare == 0) return {};
  if (bare < chosen.size()) {
    std::erase_if(chosen, is_bare);
    return "of " + count_text(bare, "other communicator", "other communicators") + " no line shows " +
           std::string{subject_of(view)} + ": not drawn";
  }
  std::string text = "no line of this input shows " + std::string{subject_of(view)};
  if (chosen.size() > 1) text += "; the largest of " + std::to_string(chosen.size()) + " communicators";
  chosen.resize(1);
  return text;
}

struct Scenes {
  std::vector<Scene> list;
  bool as_hosts = false;  ///< The picture has one communicator, drawn by hosts.
};

/// The scenes of as many communicators as the picture has room for. `suspicions[i]` belongs to `chosen[i]`; the scenes
/// refer to `suspicions`.
Scenes scenes_of(const Model& model, const DotOptions& options, const std::vector<std::size_t>& chosen,
                 const std::vector<Suspicions>& suspicions) {
  Scenes scenes;
  std::size_t size = 0;
  for (std::size_t i = 0; i < suspicions.size(); ++i) {
    const auto index = static_cast<Index>(chosen[i]);
    const Communicator& communicator = model.communicators[chosen[i]];
    const Scene scene{model, index, communicator, options, suspicions[i], "c" + std::to_string(index), -1};
    size += size_of(scene);
    if (!scenes.list.empty() && size > options.hosts_from) break;
    scenes.as_hosts =
        i == 0 && (size >= options.hosts_from || (!shows_links(communicator, options.view) && size >= bare_from));
    scenes.list.push_back(scene);
    if (scenes.as_hosts) break;
  }
  return scenes;
}

void draw_scene(Scene& scene, const Scenes& all, Picture& picture) {
  const std::vector<std::string> title = title_of(scene);
  if (all.list.size() > 1) {
    scene.frame = static_cast<int>(picture.frames.size());
    std::string label;
    for (const std::string& line : title) append_item(label, dot_text(line), "\\n");
    picture.frames.push_back({.id = scene.prefix, .label = std::move(label), .arrangement = Arrangement::grid});
  } else {
    picture.title.insert(picture.title.end(), title.begin(), title.end());
  }
  all.as_hosts ? draw_hosts(scene, picture) : draw_ranks(scene, picture);
}

}  // namespace

HostName host_of(const Model& model, const Rank& rank) {
  if (rank.process < 0) return {};
  const Process& process = model.processes[rank.process];
  return {process.host, process.pod};
}

std::string host_label(const HostName& host) {
  std::string label = host.first.empty() ? "host unknown" : dot_text(truncated(std::string{host.first}, max_columns));
  if (!host.second.empty()) label += "\\npod " + dot_text(truncated(std::string{host.second}, max_columns));
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
    std::stable_sort(arrows.begin(), arrows.end(), [](const Arrow& a, const Arrow& b) { return *a.style > *b.style; });
    arrows.resize(max_arrows);
  }
  picture.arrows.insert(picture.arrows.end(), arrows.begin(), arrows.end());
}

Picture draw(const Model& model, const Report& report, const DotOptions& options) {
  Picture picture;
  const Judgement judgement = judge(model, report);
  picture.title.push_back(std::string{label_of(judgement.status)} + "  " + judgement.headline);
  std::vector<std::size_t> chosen = drawable(model, options, {report, -1});
  if (chosen.empty()) picture.title.emplace_back("no communicator of several ranks in this input");
  const std::string left_out = leave_out_bare(model, options.view, chosen);
  std::vector<Suspicions> suspicions;
  for (std::size_t i = 0; i < std::min(chosen.size(), max_communicators); ++i)
    suspicions.emplace_back(report, static_cast<Index>(chosen[i]));
  Scenes scenes = scenes_of(model, options, chosen, suspicions);
  for (Scene& scene : scenes.list) draw_scene(scene, scenes, picture);
  if (scenes.list.size() > 1 || options.view == DotView::trees) picture.arrangement = Arrangement::lines;
  if (!left_out.empty()) picture.title.push_back(left_out);
  if (scenes.list.size() < chosen.size())
    picture.title.push_back("the largest of " + std::to_string(chosen.size()) + " communicators of several ranks; " +
                            std::to_string(chosen.size() - scenes.list.size()) + " are not drawn");
  word_labels(picture, options.view);
  lay_out(picture);
  if (const std::size_t unplaced = lead_arrows(picture); unplaced > 0)
    picture.legend.push_back(count_text(unplaced, "label has", "labels have") + " no room and are left out");
  return picture;
}

}  // namespace nccl_analyze
