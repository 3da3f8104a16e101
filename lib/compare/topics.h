#pragma once
/// The table of topics: their names, the lines that show their facts, and the topics in which they may cause changes.

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "nccl_analyze/compare.h"

namespace nccl_analyze {

/// A set of topics, by bit.
using TopicSet = std::uint32_t;
constexpr TopicSet bit_of(Topic topic) { return TopicSet{1} << static_cast<unsigned>(topic); }
constexpr bool contains(TopicSet set, Topic topic) { return (set & bit_of(topic)) != 0; }
constexpr TopicSet set_of(std::initializer_list<Topic> list) {
  TopicSet set = 0;
  for (const Topic topic : list) set |= bit_of(topic);
  return set;
}

struct TopicRow {
  Topic topic{};
  std::string_view word;
  std::string_view lines;  ///< The log lines that show facts of the topic, in words.
  TopicSet explains = 0;   ///< Topics whose changes this topic may cause; it is listed before them.
  /// A measure counts as changed if it grew or shrank by more than the factor `ratio` and by more than `least`, which
  /// is in the unit of the measure.
  double ratio = 1;
  double least = 0;
  bool is_harmless = false;  ///< Whether a difference from a baseline is only a note, not a warning.
  /// If a run has facts of one of these topics, its log is detailed enough to show all facts of this topic. A fact that
  /// is missing then means that the run has no such thing, for example no plugin.
  TopicSet shown_by = 0;
};
const TopicRow& row_of(Topic topic);

/// Returns the topics in which a change of the setting may cause changes; none if the setting has no known effect.
TopicSet explained_by_setting(std::string_view variable);

}  // namespace nccl_analyze
