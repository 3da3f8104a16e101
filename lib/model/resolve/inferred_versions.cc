// Infers the release of processes that print no version, by the places in the source of NCCL that their warnings and
// error traces name.

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "messages/release_places.h"
#include "model/resolve/passes.h"
#include "model/versions.h"
#include "nccl_analyze/events/fault.h"

namespace nccl_analyze::builder {

namespace {

/// Fewer places fit several releases, or a wrong one, too often. Of up to nine places each must fit.
constexpr std::size_t min_places = 3;
/// Further places of a process or source add nothing.
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

/// The places that the messages of a process, or of the processes of a source, name, and the releases that have each.
struct NamedPlaces {
  std::vector<Placed> named;
  std::vector<ReleasePlaces::Found> found;  ///< As long as `named`.

  void add(const Placed& place, const ReleasePlaces::Found& releases) {
    if (named.size() >= max_places || std::ranges::find(named, place) != named.end()) return;
    named.push_back(place);
    found.push_back(releases);
  }
};

using PlacesByProcess = std::map<Index, NamedPlaces>;

/// Returns the first max_places distinct places of each process that prints no version, with their releases.
PlacesByProcess places_of_processes(const Model& model, const ReleasePlaces& table) {
  PlacesByProcess places;
  for (const Incident& incident : model.incidents) {
    if (incident.process < 0 || incident.evidence.lines.empty() || incident.level == Level::external) continue;
    if (!model.processes[incident.process].version.empty()) continue;
    const Placed placed = place_of(incident);
    if (placed.place.line > 0) places[incident.process].add(placed, {});
  }
  std::vector<CodePlace> asked;
  for (const auto& [process, own] : places)
    for (const Placed& placed : own.named) asked.push_back(placed.place);
  if (asked.empty()) return places;
  const std::vector<ReleasePlaces::Found> found = table.find(asked);
  auto next = found.begin();
  for (auto& [process, own] : places)
    for (ReleasePlaces::Found& one : own.found) one = *next++;
  return places;
}

/// Whether a path shows that the library is RCCL, whose build copies NCCL's files into folders of these names.
bool is_of_rccl(const Placed& placed) {
  return placed.place.file.find("rccl") != std::string_view::npos ||
         placed.place.file.find("hipify") != std::string_view::npos;
}

/// What is known of the library of a process, or of the processes of a source, apart from the places.
struct Library {
  std::string_view name;  ///< NCCL or RCCL; empty: unknown.
  Releases releases;

  bool may_be(const ReleasePlaces::Release& release) const {
    if (!name.empty() && release.project != name) return false;
    // Process::releases does not apply to RCCL, which has changed its wordings in other releases than NCCL.
    const int minor = release_of(release.version);
    return release.project == "RCCL" || (minor >= releases.since && (releases.until == 0 || minor <= releases.until));
  }
};

Library library_of(const Process& process, const NamedPlaces& places) {
  const bool is_rccl = std::ranges::any_of(places.named, is_of_rccl);
  return {.name = is_rccl ? std::string_view("RCCL") : process.library.view(), .releases = process.releases};
}

/// The releases that fit most places, all of one minor release; empty if there are none.
using Fitting = std::vector<std::size_t>;

std::size_t count_known(const NamedPlaces& places) {
  return static_cast<std::size_t>(std::ranges::count_if(places.found, &ReleasePlaces::Found::is_known));
}

bool is_one_minor(const ReleasePlaces& table, const Fitting& fitting) {
  const ReleasePlaces::Release& first = table.releases()[fitting.front()];
  return std::ranges::all_of(fitting, [&](std::size_t i) {
    const ReleasePlaces::Release& one = table.releases()[i];
    return one.project == first.project && release_of(one.version) == release_of(first.version);
  });
}

/// At most one place in ten may contradict the releases. All places of a log match if the table has its release. If the
/// table lacks the release, neighbouring releases often match eight of ten places.
Fitting find_fitting(const ReleasePlaces& table, const Library& library, const NamedPlaces& places) {
  const std::size_t known = count_known(places);
  if (known < min_places) return {};
  std::size_t most = 0;
  Fitting best;
  for (std::size_t i = 0; i < table.releases().size(); ++i) {
    if (!library.may_be(table.releases()[i])) continue;
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(places.found, [i](const auto& one) { return one.releases.test(i); }));
    if (count < most) continue;
    if (count > most) best.clear();
    most = count;
    best.push_back(i);
  }
  return most * 10 < known * 9 || !is_one_minor(table, best) ? Fitting{} : best;
}

void set_version(Process& process, const ReleasePlaces& table, const NamedPlaces& places, const Fitting& fitting) {
  if (fitting.empty()) return;
  InferredVersion& inferred = process.inferred_version.emplace();
  inferred.library = table.releases()[fitting.front()].project;
  for (const std::size_t release : fitting) {
    const std::string_view version = table.releases()[release].version;
    if (inferred.versions.empty() || inferred.versions.back() != version) inferred.versions.emplace_back(version);
  }
  inferred.places = count_known(places);
  for (std::size_t i = 0; i < places.named.size(); ++i)
    if (places.found[i].releases.test(fitting.front()))
      inferred.matched.add({.count = 1, .lines = {places.named[i].at}});
}

/// What the processes of a source name together: an excerpt shows a line or two of each rank.
struct Together {
  Library library;
  NamedPlaces places;
  std::vector<Index> processes;

  void add(Index process, const Library& own, const NamedPlaces& named) {
    processes.push_back(process);
    if (library.name.empty()) library.name = own.name;
    library.releases.since = std::max(library.releases.since, own.releases.since);
    if (own.releases.until != 0 && (library.releases.until == 0 || own.releases.until < library.releases.until))
      library.releases.until = own.releases.until;
    for (std::size_t i = 0; i < named.named.size(); ++i) places.add(named.named[i], named.found[i]);
  }
};

/// Whether the releases have all known places of a process.
bool fits_all(const Fitting& fitting, const Library& library, const ReleasePlaces& table, const NamedPlaces& places) {
  return std::ranges::all_of(fitting, [&](std::size_t i) {
    return library.may_be(table.releases()[i]) &&
           std::ranges::all_of(places.found, [i](const auto& one) { return !one.is_known || one.releases.test(i); });
  });
}

/// Infers the release of processes with few places from those of all processes of their source, unless one of these
/// prints its version: processes of one log run one library as a rule, and each of their own places must fit too.
void infer_together(Model& model, const ReleasePlaces& table, const PlacesByProcess& places) {
  std::set<SourceId> versioned;
  for (const Process& process : model.processes)
    if (!process.version.empty()) versioned.insert(process.source);
  std::map<SourceId, Together> by_source;
  for (const auto& [index, own] : places) {
    const Process& process = model.processes[index];
    if (!versioned.contains(process.source)) by_source[process.source].add(index, library_of(process, own), own);
  }
  for (const auto& [source, all] : by_source) {
    if (all.processes.size() < 2) continue;
    const Fitting fitting = find_fitting(table, all.library, all.places);
    for (const Index index : all.processes) {
      Process& process = model.processes[index];
      const NamedPlaces& own = places.at(index);
      if (!process.inferred_version && count_known(own) > 0 && fits_all(fitting, library_of(process, own), table, own))
        set_version(process, table, all.places, fitting);
    }
  }
}

/// Names the library of processes that print no version, where a path of its source or the name of a plugin shows it.
void name_rccl(Model& model, const PlacesByProcess& places) {
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    Process& process = model.processes[i];
    if (!process.library.empty() || !process.version.empty()) continue;
    const auto own = places.find(static_cast<Index>(i));
    const bool is_shown = (own != places.end() && std::ranges::any_of(own->second.named, is_of_rccl)) ||
                          std::ranges::any_of(process.plugins, [](const Plugin& plugin) {
                            return plugin.library.view().find("librccl-") != std::string_view::npos;
                          });
    if (is_shown) process.library = "RCCL";
  }
}

}  // namespace

void infer_versions(Model& model) {
  const ReleasePlaces table(release_places);
  const PlacesByProcess places = places_of_processes(model, table);
  name_rccl(model, places);
  for (const auto& [index, own] : places) {
    Process& process = model.processes[index];
    set_version(process, table, own, find_fitting(table, library_of(process, own), own));
  }
  if (places.size() > 1) infer_together(model, table, places);
}

}  // namespace nccl_analyze::builder
