#pragma once
/// The table of topics: their words, the lines that show their facts, and which topics a change in them explains.

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
  std::string_view lines;    ///< The lines that show facts of the topic.
  TopicSet explains = 0;     ///< Topics that differ because this one does: it is listed before them.
  double ratio = 1;          ///< A measure counts as changed if it grew or shrank by more than this factor,
  double least = 0;          ///< and by more than this amount.
  bool is_harmless = false;  ///< A difference from a baseline is a note, not a warning.
  /// A run with facts of these topics lacks a fact of this one because it has no such thing, not because of its log.
  TopicSet shown_by = 0;
};
const TopicRow& row_of(Topic topic);

/// The topics that a setting explains, by the name of the variable; none for a variable without known effects.
TopicSet explained_by_setting(std::string_view variable);

}  // namespace nccl_analyze
