// Infers the release of processes that print no version, by the places in the source of NCCL that their warnings and
// error traces name.

#include <algorithm>
#include <charconv>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/release_places.h"
#include "model/resolve/passes.h"
#include "model/versions.h"
#include "nccl_analyze/events/fault.h"

namespace nccl_analyze::builder {

namespace {

/// Fewer places fit several releases, or a wrong one, too often.
constexpr std::size_t min_places = 4;
/// Further places of a process add nothing.
constexpr std::size_t max_places = 64;

struct Placed {
  CodePlace place;
  LineRef at;
  friend bool operator==(const Placed& a, const Placed& b) {
    return a.place.file == b.place.file && a.place.line == b.place.line && a.place.is_trace == b.place.is_trace;
  }
};

/// Returns the place that the first line of an incident names; its line is 0 if there is none.
Placed place_of(const Incident& incident) {
  Placed placed{.place = {}, .at = incident.evidence.lines.front()};
  placed.place.is_trace = incident.kind == IncidentKind::error_propagated || !is_notable(incident.level);
  if (incident.kind == IncidentKind::error_propagated) {
    const auto& event = incident.event.as<ErrorPropagated>();
    placed.place.file = event.file;
    placed.place.line = event.line;
  }
  if (placed.place.line > 0) return placed;
  const std::string_view place = incident.place;  // `init.cc:1437`
  const std::size_t colon = std::min(place.rfind(':'), place.size());
  int line = 0;
  const auto [end, error] =
      std::from_chars(place.data() + std::min(colon + 1, place.size()), place.data() + place.size(), line);
  const bool is_place = error == std::errc{} && end == place.data() + place.size();
  placed.place.file = place.substr(0, colon);
  placed.place.line = is_place ? line : 0;
  return placed;
}

using PlacesByProcess = std::map<Index, std::vector<Placed>>;

/// Returns the first max_places distinct places of each process that prints no version. Leaves out processes with fewer
/// places than min_places.
PlacesByProcess places_of_processes(const Model& model) {
  PlacesByProcess places;
  for (const Incident& incident : model.incidents) {
    if (incident.process < 0 || incident.evidence.lines.empty() || incident.level == Level::external) continue;
    if (!model.processes[incident.process].version.empty()) continue;
    const Placed placed = place_of(incident);
    if (placed.place.line <= 0) continue;
    std::vector<Placed>& own = places[incident.process];
    if (own.size() < max_places && std::ranges::find(own, placed) == own.end()) own.push_back(placed);
  }
  std::erase_if(places, [](const auto& entry) { return entry.second.size() < min_places; });
  return places;
}

/// Whether a path shows that the library is RCCL, whose build copies NCCL's files into folders of these names.
bool is_of_rccl(const Placed& placed) {
  return placed.place.file.find("rccl") != std::string_view::npos ||
         placed.place.file.find("hipify") != std::string_view::npos;
}

/// The places of one process, and the releases that have each of them.
class FittingReleases {
 public:
  FittingReleases(const ReleasePlaces& table, Process& process, std::span<const Placed> places,
                  std::span<const ReleasePlaces::Found> found)
      : table_(table), process_(process), places_(places), found_(found) {
    is_rccl_ = process.library == "RCCL" || std::ranges::any_of(places, is_of_rccl);
    known_ = static_cast<std::size_t>(std::ranges::count_if(found, &ReleasePlaces::Found::is_known));
  }

  /// Sets Process::inferred_version if the best releases belong to one minor release, and at most one place in ten
  /// contradicts them. All places of a log match if the table has its release. If the table lacks the release,
  /// neighbouring releases often match eight of ten places.
  void infer() const {
    if (known_ < min_places) return;
    std::size_t most = 0;
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < table_.releases().size(); ++i) {
      const std::size_t count = is_possible(table_.releases()[i]) ? matches(i) : 0;
      if (count < most) continue;
      if (count > most) best.clear();
      most = count;
      best.push_back(i);
    }
    if (most * 10 < known_ * 9 || !is_one_minor(best)) return;
    fill(process_.inferred_version.emplace(), best);
  }

 private:
  bool is_possible(const ReleasePlaces::Release& release) const {
    if (is_rccl_ && release.project != "RCCL") return false;
    if (!process_.library.empty() && release.project != process_.library) return false;
    // Process::releases does not apply to RCCL, which has changed its wordings in other releases than NCCL.
    const int minor = release_of(release.version);
    return release.project == "RCCL" ||
           (minor >= process_.releases.since && (process_.releases.until == 0 || minor <= process_.releases.until));
  }
  std::size_t matches(std::size_t release) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(found_, [&](const auto& one) { return one.releases.test(release); }));
  }
  bool is_one_minor(const std::vector<std::size_t>& best) const {
    const ReleasePlaces::Release& first = table_.releases()[best.front()];
    return std::ranges::all_of(best, [&](std::size_t i) {
      const ReleasePlaces::Release& one = table_.releases()[i];
      return one.project == first.project && release_of(one.version) == release_of(first.version);
    });
  }
  void fill(InferredVersion& inferred, const std::vector<std::size_t>& best) const {
    inferred.library = table_.releases()[best.front()].project;
    for (const std::size_t release : best) {
      const std::string_view version = table_.releases()[release].version;
      if (inferred.versions.empty() || inferred.versions.back() != version) inferred.versions.emplace_back(version);
    }
    inferred.places = known_;
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (found_[i].releases.test(best.front())) inferred.matched.add({.count = 1, .lines = {places_[i].at}});
  }

  const ReleasePlaces& table_;
  Process& process_;
  std::span<const Placed> places_;
  std::span<const ReleasePlaces::Found> found_;
  bool is_rccl_ = false;
  std::size_t known_ = 0;  ///< Number of places in files that the table has.
};

}  // namespace

void infer_versions(Model& model) {
  const PlacesByProcess places = places_of_processes(model);
  if (places.empty()) return;
  std::vector<CodePlace> asked;
  for (const auto& entry : places)
    for (const Placed& placed : entry.second) asked.push_back(placed.place);
  const ReleasePlaces table(release_places);
  const std::vector<ReleasePlaces::Found> found = table.find(asked);
  std::size_t first = 0;
  for (const auto& [index, own] : places) {
    FittingReleases(table, model.processes[index], own, std::span(found).subspan(first, own.size())).infer();
    first += own.size();
  }
}

}  // namespace nccl_analyze::builder
