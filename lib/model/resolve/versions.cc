// Passes that concern versions: version lines without a prefix, the naming of GPUs, and line counts by version.

#include "model/versions.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/resolve/passes.h"

namespace nccl_analyze::builder {

namespace {

/// Version and library.
using Key = std::pair<std::string_view, std::string_view>;
struct UnknownLast {
  bool operator()(const Key& a, const Key& b) const {
    if (a.first.empty() != b.first.empty()) return b.first.empty();
    if (a.first != b.first) return lower_version(a.first, b.first);
    return a.second < b.second;
  }
};

/// Gives a process that stands for lines without a prefix the two versions that they print.
void name_both(const BareVersion& bare, Process& made) {
  made.library = "NCCL";
  made.version = bare.second;
  made.version_at = bare.second_at;
  made.second_version = bare.first;
  made.second_version_at = bare.first_at;
}

}  // namespace

void find_device_naming(BuilderState& state) {
  std::set<DeviceNaming> all;
  const Process* last = nullptr;  // processes of a job usually have the same version
  for (const Process& one : state.model.processes) {
    if (one.version.empty() || (last != nullptr && last->version == one.version && last->library == one.library))
      continue;
    last = &one;
    all.insert(naming_of(one.library, one.version));
  }
  for (const auto& bare : state.bare_versions) all.insert(naming_of(bare.second.library, bare.second.version));
  if (all.size() == 1) state.naming = *all.begin();
}

void apply_bare_versions(BuilderState& state) {
  for (const auto& entry : state.bare_versions) {
    const SourceId source = entry.first;
    const BareVersion& bare = entry.second;
    const bool spoken = std::any_of(state.model.processes.begin(), state.model.processes.end(),
                                    [&](const Process& one) { return one.source == source; });
    const bool differ = !bare.second.empty();
    if ((spoken || bare.differ) && !differ) continue;
    state.processes.emplace_back();
    Process& made = state.model.processes.emplace_back();
    made.source = source;
    made.first = made.last = bare.at;
    made.version_at = bare.at;
    if (differ) name_both(bare, made);
  }
  for (Process& done : state.model.processes) {
    const auto bare = state.bare_versions.find(done.source);
    if (!done.version.empty() || bare == state.bare_versions.end() || bare->second.differ) continue;
    done.library = bare->second.library;
    done.version = bare->second.version;
    done.toolkit = bare->second.toolkit;
    done.version_at = bare->second.at;
  }
}

void count_versions(BuilderState& state) {
  std::map<Key, LineCounts, UnknownLast> sums;
  LineCounts* sum = nullptr;
  const Process* last = nullptr;  // processes of a job usually have the same version
  for (std::size_t i = 0; i < state.processes.size(); ++i) {
    const Process& one = state.model.processes[i];
    const bool same = last != nullptr && one.version == last->version && one.library == last->library;
    last = &one;
    if (!same) sum = &sums[{one.version, one.library}];
    *sum += state.processes[i].lines;
  }
  for (const auto& [source, bare] : state.bare_versions) sums[{bare.version, bare.library}] += bare.lines;
  if (state.stray_lines.nccl_lines != 0) sums[{}] += state.stray_lines;

  std::vector<VersionLines>& versions = state.model.versions;
  versions.reserve(sums.size());
  for (const auto& [key, lines] : sums)
    versions.push_back({.library = std::string(key.second),
                        .version = std::string(key.first),
                        .nccl_lines = lines.nccl_lines,
                        .unrecognized = lines.unrecognized});
}

}  // namespace nccl_analyze::builder
