// Writes a rank as a chip: its number in a frame, whose colour shows the rank's state.

#include "report/html/chip.h"

#include <array>

#include "text/escape.h"

namespace nccl_analyze {

std::string_view class_of(Severity severity) {
  constexpr std::array<std::string_view, 3> classes{"", "warning", "error"};
  return classes[static_cast<std::size_t>(severity)];
}

std::string describe(const GraphRank& rank) {
  std::string text = rank.address;
  if (!rank.state.empty()) text += "; " + rank.state;
  if (!rank.suspicion.rules.empty()) text += "; suspected by " + rank.suspicion.text();
  if (!rank.said_at.empty()) text += "; see " + rank.said_at;
  return text;
}

void write_chip(std::ostream& out, const GraphView& view, int number) {
  const GraphRank* const rank = find_rank(view, number);
  if (rank == nullptr) {
    out << "<span class=\"chip absent\" title=\"rank " << number << ": no line of it in this input\">" << number
        << "</span>";
    return;
  }
  out << "<span class=\"chip";
  std::string_view mark;
  if (!rank->suspicion.rules.empty()) out << ' ' << class_of(rank->suspicion.worst), mark = "!";
  if (rank->state.empty()) out << " absent", mark = "?";
  if (rank->state == "failed" || rank->state == "aborted") out << " failed", mark = "\u00d7";
  if (rank->state == "started") out << " started", mark = mark.empty() ? "\u2026" : mark;
  out << "\" tabindex=\"-1\" data-rank=\"" << number << "\" title=\"" << html_text(describe(*rank)) << "\">" << number;
  if (!mark.empty()) out << "<b>" << mark << "</b>";
  out << "</span>";
}

}  // namespace nccl_analyze
