// Looks up a message among the literal beginnings of all known warnings, which are sorted.

#include "messages/beginnings.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "messages/row.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t min_size = 16;  // bytes; shorter beginnings are shared by messages of all kinds

using Beginning = std::pair<std::string_view, std::string_view>;  // words up to the first value, and topic

/// Facts whose topic follows from the kind of the event alone.
constexpr std::pair<std::string_view, std::string_view> topics_of_facts[] = {
    {"ib_devices_incompatible", "ib-connect-failed"},
    {"duplicate_gpu_detected", "duplicate-gpu"},
    {"nic_counts_mismatched", "nic-count-differs"},
};

std::string_view topic_of(const Row& row) {
  for (const auto& [name, topic] : topics_of_facts)
    if (row.kind->name == name) return topic;
  return row.topic;
}

std::vector<Beginning> make_beginnings() {
  std::vector<Beginning> found;
  for (const Family& family : all_families())
    for (const Row& row : family.rows) {
      const std::string_view words = row.wording.substr(0, row.wording.find('{'));
      if (words.size() >= min_size && !topic_of(row).empty()) found.emplace_back(words, topic_of(row));
    }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::string_view common_beginning(std::string_view a, std::string_view b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return a.substr(0, static_cast<std::size_t>(end - a.begin()));
}

}  // namespace

std::string_view topic_of_beginning(std::string_view message) {
  static const std::vector<Beginning> beginnings = make_beginnings();
  // In the sorted list, the longest beginning of the message comes before the message, but other entries may lie
  // between. If the nearest entry is no beginning of the message, only the text that the two share is searched again.
  while (message.size() >= min_size) {
    const auto behind = std::upper_bound(beginnings.begin(), beginnings.end(), message,
                                         [](std::string_view text, const Beginning& one) { return text < one.first; });
    if (behind == beginnings.begin()) return {};
    const auto& [words, topic] = *std::prev(behind);
    if (message.starts_with(words)) {
      const bool is_shared = std::prev(behind) != beginnings.begin() && std::prev(behind, 2)->first == words;
      return is_shared ? std::string_view{} : topic;
    }
    message = common_beginning(message, words);
  }
  return {};
}

}  // namespace nccl_analyze
