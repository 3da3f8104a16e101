// Chooses the communicators of a picture, and draws each by its ranks or by its hosts.

#include "report/graph/picture.h"

#include <algorithm>
#include <set>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "report/graph/labels.h"
#include "report/graph/machine_scene.h"
#include "report/graph/scene.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_communicators = 16;
constexpr std::size_t max_name_columns = 64;
constexpr std::size_t bare_from = 17;  ///< From this many ranks on, a communicator without links is drawn by hosts.

std::size_t ranks_inside(const Scene& scene) {
  const auto& ranks = scene.communicator.ranks;
  return static_cast<std::size_t>(
      std::count_if(ranks.begin(), ranks.end(), [&](const Rank& rank) { return is_inside(scene, rank); }));
}

/// Returns the words for what a view shows, for the note that no line shows it.
std::string_view subject_of(DotView view) {
  if (view == DotView::automatic) return "who sends to whom";
  return view == DotView::rings ? "a ring" : "a tree";
}

/// Whether the log shows links of the kind that the view draws. For the automatic view, a link of any kind is enough,
/// and so are NVLS channels or MNNVL.
bool shows_links(const Communicator& comm, DotView view) {
  const bool trees = !comm.trees.empty() || !comm.nvls_trees.empty() || !comm.collnet_chains.empty();
  if (view == DotView::trees) return trees;
  if (view == DotView::rings) return !comm.rings.empty();
  return trees || !comm.rings.empty() || comm.connections.size() > 0 || comm.nvls_channels > 0 || comm.mnnvl == 1;
}

/// Returns the number of ranks that a drawing by ranks would show. Ranks without a log count in a communicator of fewer
/// than `hosts_from` ranks, and in a larger one if at least half of its ranks have a log. If DotOptions::inside selects
/// hosts, only the ranks on these hosts count.
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
  std::string name = "communicator " + truncated(communicator_name(scene.model, scene.index), max_name_columns);
  if (!communicator.name.empty() && communicator.comm_id != 0) name += " 0x" + to_hex(communicator.comm_id);
  std::string sizes;
  const auto add = [&sizes](int count, std::string_view noun) {
    if (count >= 0) append_item(sizes, count_text(count, noun));
  };
  add(communicator.nranks, "rank");
  add(communicator.nnodes, "node");
  const std::size_t hosts = hosts_in(scene);
  const bool all_logged = communicator.ranks.size() == static_cast<std::size_t>(std::max(communicator.nranks, 0));
  if (communicator.nnodes > 0 && hosts > 0 && all_logged && hosts != static_cast<std::size_t>(communicator.nnodes))
    sizes += " on " + count_text(hosts, "host");
  add(communicator.channels, "channel");
  if (communicator.nvls_channels > 0) add(communicator.nvls_channels, "NVLS channel");
  std::vector<std::string> lines{std::move(name)};
  if (!sizes.empty()) lines.push_back(std::move(sizes));
  if (scene.options.view == DotView::rings) lines.emplace_back("rings with their channels");
  if (scene.options.view == DotView::trees) lines.emplace_back("trees, from the root on the left");
  return lines;
}

/// Returns the communicators, the largest first, without those of a single rank. If DotOptions::inside selects hosts,
/// also without those that have no rank on a selected host.
std::vector<std::size_t> drawable(const Model& model, const DotOptions& options, const Suspicions& nobody) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const Communicator& communicator = model.communicators[i];
    const Scene scene{model, static_cast<Index>(i), communicator, options, nobody, {}, -1};
    if (communicator.nranks != 1 && (!options.inside || ranks_inside(scene) > 0)) found.push_back(i);
  }
  sort_stably(found, [&](std::size_t a, std::size_t b) {
    return model.communicators[a].nranks > model.communicators[b].nranks;
  });
  return found;
}

/// Removes communicators without links in this view from `chosen`, which is sorted by size; if none has links, keeps
/// only the largest. Returns a note on this for the title; empty if all communicators have links.
std::string leave_out_bare(const Model& model, DotView view, std::vector<std::size_t>& chosen) {
  const auto is_bare = [&](std::size_t index) { return !shows_links(model.communicators[index], view); };
  const auto bare = static_cast<std::size_t>(std::count_if(chosen.begin(), chosen.end(), is_bare));
  if (bare == 0) return {};
  if (bare < chosen.size()) {
    std::erase_if(chosen, is_bare);
    return "of " + count_text(bare, "other communicator") + " no line shows " + std::string{subject_of(view)} +
           ": not drawn";
  }
  std::string text = "no line of this input shows " + std::string{subject_of(view)};
  if (chosen.size() > 1) text += "; the largest of " + std::to_string(chosen.size()) + " communicators";
  chosen.resize(1);
  return text;
}

struct Scenes {
  std::vector<Scene> list;
  bool as_hosts = false;  ///< Whether the picture shows a single communicator by its hosts.
};

/// Builds a scene for each communicator while their ranks together do not exceed `hosts_from`. The first communicator
/// always gets a scene, and the only one if it is drawn by its hosts. `suspicions[i]` belongs to communicator
/// `chosen[i]`. The scenes refer to `suspicions`, which must outlive them.
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

Picture draw(const Model& model, const Report& report, const DotOptions& options) {
  Picture picture;
  const Judgement judgement = judge(model, report);
  picture.title.push_back(std::string{label_of(judgement.status)} + "  " + judgement.headline);
  if (options.view == DotView::machine) {
    draw_machines(model, report, options, picture);
    return picture;
  }
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
  if (const std::size_t unplaced = route_arrows(picture); unplaced > 0)
    picture.legend.push_back(count_text(unplaced, "label has", "labels have") + " no room and are left out");
  return picture;
}

}  // namespace nccl_analyze
