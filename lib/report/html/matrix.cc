// Writes the traffic between ranks or hosts as an HTML table, with a row for each sender and a column for each
// receiver.

#include "report/html/matrix.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "report/html/chip.h"
#include "report/html/parts.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

std::size_t places_of(const GraphView& view) { return view.by_rank ? view.ranks.size() : view.hosts.size(); }

/// Whether the place, a rank, is the first of its host; the matrix has a border there. False for the first place, and
/// if the places are hosts.
bool begins_host(const GraphView& view, std::size_t place) {
  return view.by_rank && place > 0 && view.ranks[place].host != view.ranks[place - 1].host;
}

std::string name_of(const GraphView& view, std::size_t place) {
  return view.by_rank ? std::to_string(view.ranks[place].number) : view.hosts[place].name;
}

/// Returns the text of a heading. A column has room for the label of a host only, so that the row begins with it where
/// the name does not end in it.
std::string head_of(const GraphView& view, std::size_t place, bool is_row) {
  if (view.by_rank) return name_of(view, place);
  const GraphHost& host = view.hosts[place];
  return !is_row ? host.label : view.places_are_labels ? host.label + " " + host.name : host.name;
}

void write_head_cell(std::ostream& out, const GraphView& view, std::size_t place, std::string_view scope) {
  const Suspicion& suspicion = view.by_rank ? view.ranks[place].suspicion : view.hosts[place].suspicion;
  out << "<th scope=\"" << scope << '"';
  std::string classes = scope == "col" && begins_host(view, place) ? "edge" : "";
  append_item(classes, class_of(suspicion.worst), " ");
  if (!classes.empty()) out << " class=\"" << classes << '"';
  if (view.by_rank) out << " data-rank=\"" << view.ranks[place].number << '"';
  const std::string text = view.by_rank ? describe(view.ranks[place]) : view.hosts[place].name;
  out << " title=\"" << html_text(text) << "\">" << html_text(head_of(view, place, scope == "row"))
      << (suspicion.rules.empty() ? "" : "!") << "</th>";
}

void write_legend(std::ostream& out, const GraphView& view) {
  std::set<int> used;
  for (const GraphCell& cell : view.cells) used.insert(cell.style->slowness);
  out << "<ul class=\"legend\">\n";
  for (const LinkStyle& style : link_styles())
    if (used.contains(style.slowness))
      out << "<li data-way=\"t" << style.slowness << "\"><span class=\"way t" << style.slowness << "\">" << style.letter
          << "</span> " << html_text(style.meaning) << "</li>\n";
  out << "</ul>\n";
}

void write_cell(std::ostream& out, const GraphView& view, const GraphCell& cell) {
  const std::string channels = channel_list(cell.channels);
  out << "<td class=\"way t" << cell.style->slowness << (begins_host(view, cell.to) ? " edge" : "")
      << "\" data-channels=\"" << channels << "\" title=\""
      << html_text(name_of(view, cell.from) + " \u2192 " + name_of(view, cell.to) + ": " + cell.ways + "; channels " +
                   channels)
      << "\">" << cell.style->letter << "</td>";
}

void write_rows(std::ostream& out, const GraphView& view) {
  const std::size_t places = places_of(view);
  auto cell = view.cells.begin();
  for (std::size_t from = 0; from < places; ++from) {
    out << (begins_host(view, from) ? "<tr class=\"edge\">" : "<tr>");
    write_head_cell(out, view, from, "row");
    for (std::size_t to = 0; to < places; ++to) {
      while (cell != view.cells.end() && std::pair{cell->from, cell->to} < std::pair{from, to}) ++cell;
      if (cell != view.cells.end() && cell->from == from && cell->to == to)
        write_cell(out, view, *cell);
      else
        out << (begins_host(view, to) ? "<td class=\"edge\"></td>" : "<td></td>");
    }
    out << "</tr>\n";
  }
}

}  // namespace

void write_matrix(std::ostream& out, const GraphView& view, std::size_t& room) {
  if (view.cells.size() > room) {
    out << "<p>Who sends to whom is left out, for the page's size: --comm " << html_text(view.name)
        << " draws it.</p>\n";
    return;
  }
  room -= view.cells.size();
  if (view.cells.empty() || places_of(view) < 2) {
    if (!view.by_rank && view.hosts.size() > max_drawn_hosts)
      out << "<p>Who reaches whom is not drawn for more than " << max_drawn_hosts
          << " hosts: --format json holds it, and --host draws a part.</p>\n";
    return;
  }
  write_heading(out, "Who sends to whom",
                "a row sends to a column: the slowest transport of their rings and trees, else of send/receive");
  write_legend(out, view);
  open_scroll(out, "Who sends to whom");
  out << "<table class=\"matrix\">\n<thead><tr><td></td>";
  for (std::size_t place = 0; place < places_of(view); ++place) write_head_cell(out, view, place, "col");
  out << "</tr></thead>\n<tbody>\n";
  write_rows(out, view);
  out << "</tbody>\n</table>\n</div>\n";
}

}  // namespace nccl_analyze
