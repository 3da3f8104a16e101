// Chooses, sorts and names the rows of the time line's picture.

#include "report/timeline/timeline_rows.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "report/sentences/paths.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_rows = 48, max_spans = 1024;

/// The key of a row: a process, and its device if the process has several devices, else -1.
using Key = std::pair<Index, int>;
using Devices = std::map<Index, std::set<int>>;  // devices of each process

Devices devices_of(const Timeline& timeline) {
  Devices devices;
  for (const InitSpan& span : timeline.spans)
    if (span.process >= 0) devices[span.process].insert(span.device);
  return devices;
}

Key key_of(const Devices& devices, const InitSpan& span) {
  const auto found = devices.find(span.process);
  return {span.process, found != devices.end() && found->second.size() > 1 ? span.device : -1};
}

/// Returns the length of the longest initialisation in each possible row; 0 for a process that only has failures.
std::map<Key, std::int64_t> lengths_of(const Timeline& timeline, const Devices& devices,
                                       const std::set<Index>& failing) {
  std::map<Key, std::int64_t> longest;
  for (const InitSpan& span : timeline.spans)
    if (span.process >= 0) {
      std::int64_t& length = longest[key_of(devices, span)];
      length = std::max(length, span.to - span.from);
    }
  for (const Index process : failing)
    if (process >= 0 && !devices.contains(process)) longest.try_emplace({process, -1}, 0);
  return longest;
}

/// Chooses up to `max_rows` rows, and counts the others in the members of `rows`.
std::vector<Key> choose(const Model& model, const Timeline& timeline, const Devices& devices, TimelineRows& rows) {
  std::set<Index> failing;
  for (const Mark& mark : timeline.marks) failing.insert(model.incidents[mark.incident].process);
  const std::map<Key, std::int64_t> longest = lengths_of(timeline, devices, failing);
  std::vector<Key> keys;
  for (const auto& [key, length] : longest) keys.push_back(key);
  const auto weight = [&](const Key& key) { return std::pair{failing.contains(key.first), longest.at(key)}; };
  sort_stably(keys, [&](const Key& a, const Key& b) { return weight(a) > weight(b); });
  for (std::size_t i = max_rows; i < keys.size(); ++i) {
    ++rows.left_out;
    rows.failing_left_out += failing.contains(keys[i].first) ? 1 : 0;
  }
  keys.resize(std::min(keys.size(), max_rows));
  return keys;
}

/// Returns the rank of each row in the widest communicator.
std::map<Key, int> ranks_of(const Model& model, const Timeline& timeline, const Devices& devices) {
  std::map<Key, int> ranks;
  if (const Communicator* const widest = widest_communicator(model))
    for (const InitSpan& span : timeline.spans)
      if (&model.communicators[span.communicator] == widest) ranks.try_emplace(key_of(devices, span), span.rank);
  return ranks;
}

std::string name_of(const Model& model, const Key& key, const std::map<Key, int>& ranks) {
  Suspect suspect;
  suspect.process = key.first;
  const Address address = address_of(model, suspect, {});
  std::string name;
  if (const auto rank = ranks.find(key); rank != ranks.end()) name = "rank " + std::to_string(rank->second) + " ";
  name += address.pod.empty() ? std::string{address.host} : std::string{address.pod};
  const int device = key.second >= 0 ? key.second : address.gpu;
  if (device >= 0) name += " GPU " + std::to_string(device);
  return name;
}

}  // namespace

TimelineRows rows_of(const Model& model, const Timeline& timeline) {
  TimelineRows rows;
  if (timeline.to <= timeline.from) return rows;
  const Devices devices = devices_of(timeline);
  const std::map<Key, int> ranks = ranks_of(model, timeline, devices);
  const auto order = [&](const Key& key) {  // rows without a rank come last
    const auto found = ranks.find(key);
    return std::tuple{found == ranks.end(), found == ranks.end() ? 0 : found->second, key};
  };
  std::vector<Key> keys = choose(model, timeline, devices, rows);
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) { return order(a) < order(b); });
  std::map<Key, std::size_t> row_of;
  for (const Key& key : keys) {
    row_of.emplace(key, rows.names.size());
    rows.names.push_back(name_of(model, key, ranks));
  }
  for (const auto& [key, row] : row_of) rows.of_process.try_emplace(key.first, row);
  for (const InitSpan& span : timeline.spans) {
    const auto found = row_of.find(key_of(devices, span));
    if (found == row_of.end()) continue;
    if (rows.spans.size() < max_spans)
      rows.spans.push_back({&span, found->second});
    else
      ++rows.spans_left_out;
  }
  return rows;
}

}  // namespace nccl_analyze
