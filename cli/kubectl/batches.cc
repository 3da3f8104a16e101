// Finds label selectors for groups of pods. A selector may select pods that the query does not; their lines are
// dropped. Pods that no selector finds are read by a call for each pod.

#include "cli/kubectl/batches.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "text/phrases.h"

namespace nccl_analyze::kubectl {

namespace {

using Pods = std::span<const Pod* const>;

// The maximum number of pods of one call, except that pods with the same value of the dividing label stay in one call.
// It bounds the length of the URL, and the number of logs that kubectl reads one after the other.
constexpr std::size_t most_pods = 64;
constexpr std::size_t usual_calls = 8;

/// Whether a key or value of a label can be part of a selector.
bool is_plain(std::string_view label) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  return !label.empty() && label.find_first_not_of(allowed) == std::string_view::npos;
}

/// Returns the keys of the labels that all pods have, each with its values. Labels that cannot be part of a selector
/// are left out.
std::map<std::string, std::set<std::string>> shared_labels(Pods pods) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> counts;
  for (const Pod* const pod : pods)
    for (const auto& [key, value] : pod->labels)
      if (is_plain(key) && is_plain(value)) {
        ++counts[key];
        values[key].insert(value);
      }
  std::erase_if(values, [&](const auto& label) { return counts[label.first] != pods.size(); });
  return values;
}

/// Returns a selector that selects all these pods and as few others as possible; empty if there is none, or if it
/// selects more other pods than these.
std::string common_selector(Pods pods, const PodList& list) {
  std::string best;
  std::size_t fewest = 2 * pods.size() + 1;
  for (const auto& [key, values] : shared_labels(pods)) {
    const std::string label = std::string(key) + "=" + *values.begin();
    if (values.size() != 1 || list.label_counts.at(label) >= fewest) continue;
    fewest = list.label_counts.at(label);
    best = label;
  }
  return best;
}

/// Pods of one namespace whose logs are read in the same way.
struct Group {
  std::string container;  ///< Empty: all containers.
  bool previous = false;
  std::vector<const Pod*> pods;
};

Batch make_batch(const Group& group, Pods pods, const std::string& selector) {
  Batch batch{.name_space = pods.front()->name_space,
              .selector = selector,
              .container = group.container,
              .previous = group.previous,
              .streams = {}};
  for (const Pod* const pod : pods)
    for (const Container& container : pod->containers)
      if (group.container.empty() || group.container == container.name)
        batch.streams.push_back({pod->name_space, pod->name, container.name, group.previous});
  std::ranges::sort(batch.streams);
  return batch;
}

/// Returns the key of the shared label with the most different values; empty if no shared label has different values.
std::string dividing_label(Pods pods) {
  std::string best;
  std::size_t most = 1;
  for (const auto& [key, values] : shared_labels(pods))
    if (values.size() > most) {
      most = values.size();
      best = key;
    }
  return best;
}

/// Divides the pods of the group, which the selector `common` selects, into calls by the values of a label. Makes a
/// single call if no label divides the pods.
void divide(const Group& group, const std::string& common, std::vector<Batch>& batches) {
  const std::string label = dividing_label(group.pods);
  if (label.empty()) return batches.push_back(make_batch(group, group.pods, common));
  std::vector<const Pod*> sorted = group.pods;
  std::ranges::stable_sort(sorted, {}, [&](const Pod* pod) { return pod->labels.at(label); });
  const std::size_t size = std::min(most_pods, (sorted.size() + usual_calls - 1) / usual_calls);
  for (std::size_t from = 0; from < sorted.size();) {
    std::string values;
    std::size_t to = from;
    while (to < sorted.size() && to - from < size) {
      const std::string value = sorted[to]->labels.at(label);
      append_item(values, value, ",");
      while (to < sorted.size() && sorted[to]->labels.at(label) == value) ++to;
    }
    const std::string selector = std::string(common).append(",").append(label).append(" in (").append(values) + ")";
    batches.push_back(make_batch(group, Pods(sorted).subspan(from, to - from), selector));
    from = to;
  }
}

void add_batches(const Group& group, const PodList& list, const std::string& selector, std::vector<Batch>& batches) {
  const std::string common = selector.empty() ? common_selector(group.pods, list) : selector;
  if (group.pods.size() > usual_calls && !common.empty()) return divide(group, common, batches);
  for (std::size_t i = 0; i < group.pods.size(); ++i)
    batches.push_back(make_batch(group, Pods(group.pods).subspan(i, 1), {}));
}

}  // namespace

std::vector<Batch> make_batches(const std::set<StreamName>& streams, const PodList& list, const std::string& selector) {
  const bool previous = !streams.empty() && streams.begin()->previous;
  std::map<std::pair<std::string_view, std::string_view>, Group> groups;  // by namespace and container
  const auto add = [&](const Pod& pod, std::string_view container) {
    Group& group = groups[{pod.name_space, container}];
    group.container = container;
    group.previous = previous;
    group.pods.push_back(&pod);
  };
  for (const Pod& pod : list.pods) {
    const auto is_wanted = [&](const Container& container) {
      return streams.contains({pod.name_space, pod.name, container.name, previous});
    };
    if (pod.others == 0 && !pod.containers.empty() && std::ranges::all_of(pod.containers, is_wanted)) {
      add(pod, {});
      continue;
    }
    for (const Container& container : pod.containers)
      if (is_wanted(container)) add(pod, container.name);
  }
  std::vector<Batch> batches;
  for (const auto& [place, group] : groups) add_batches(group, list, selector, batches);
  return batches;
}

std::vector<Batch> single_batches(const std::set<StreamName>& streams) {
  std::vector<Batch> batches;
  for (const StreamName& name : streams)
    batches.push_back({.name_space = name.name_space,
                       .selector = {},
                       .container = name.container,
                       .previous = name.previous,
                       .streams = {name}});
  return batches;
}

std::vector<std::string> arguments_of(const Batch& batch, const CommandLine& line, const Streams& streams) {
  std::vector<std::string> arguments = {"kubectl"};
  arguments.insert(arguments.end(), line.cluster.begin(), line.cluster.end());
  arguments.insert(arguments.end(), {"logs", "--namespace=" + batch.name_space, "--prefix", "--timestamps", "--tail=-1",
                                     "--ignore-errors"});
  arguments.push_back(batch.container.empty() ? "--all-containers" : "--container=" + batch.container);
  // This limit of kubectl also counts containers that start after the pods were listed.
  arguments.push_back("--max-log-requests=" + std::to_string(2 * batch.streams.size() + usual_calls));
  if (line.follow) arguments.emplace_back("--follow");
  if (batch.previous) arguments.emplace_back("--previous");
  std::string since;
  for (const StreamName& name : batch.streams) {
    const Stream* const stream = streams.find(name);
    const std::string from = stream == nullptr ? std::string() : shortly_before(stream->last);
    if (since.empty() || from < since) since = from;
    if (from.empty()) break;
  }
  if (!since.empty())
    arguments.push_back("--since-time=" + since);
  else if (!line.since.empty())
    arguments.push_back("--since=" + line.since);
  arguments.push_back(batch.selector.empty() ? batch.streams.front().pod : "--selector=" + batch.selector);
  return arguments;
}

}  // namespace nccl_analyze::kubectl
