// Writes the hosts of a communicator as HTML: boxes or a grid, and a table of their kinds.

#include "report/html/hosts.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/document/tables.h"
#include "report/html/chip.h"
#include "report/html/parts.h"
#include "text/escape.h"
#include "text/host_list.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_boxes = 16;  // more hosts are drawn as a grid instead of boxes
constexpr std::size_t max_kinds = 64, max_cells = 4096, max_names = 12;

/// Writes a host with its ranks, the switch that joins the ranks, and its NICs.
void write_box(std::ostream& out, const GraphView& view, const GraphHost& host) {
  out << "<li><strong>" << html_text(host.name) << "</strong>";
  if (!host.shape.empty()) out << "<span class=\"place\"> " << html_text(host.shape) << "</span>";
  out << (host.switch_lines.empty() ? "<p class=\"chips\">" : "<p class=\"chips joined\">");
  for (const std::size_t rank : host.ranks) write_chip(out, view, view.ranks[rank].number);
  out << "</p>";
  if (!host.switch_lines.empty()) {
    out << "<p class=\"switch\">";
    for (const std::string& line : host.switch_lines)
      out << (&line == host.switch_lines.data() ? "" : "; ") << html_text(line);
    out << "</p>";
  }
  if (!host.nics.empty()) {
    out << "<p class=\"chips\">";
    for (std::size_t i = 0; i < std::min(host.nics.size(), max_names); ++i)
      out << "<span class=\"nic\">" << html_text(host.nics[i]) << "</span>";
    if (host.nics.size() > max_names) out << "and " << host.nics.size() - max_names << " more";
    out << "</p>";
  }
  out << "</li>\n";
}

void write_boxes(std::ostream& out, const GraphView& view) {
  write_heading(out, "Hosts and ranks", "");
  out << "<ul class=\"hosts\">\n";
  // The hosts of each NVLink domain; -1 for hosts outside of all domains.
  std::map<Index, std::vector<const GraphHost*>> domains;
  for (const GraphHost& host : view.hosts) domains[host.domain].push_back(&host);
  for (const auto& [domain, hosts] : domains) {
    if (domain >= 0)
      out << "<li class=\"domain\"><strong>" << html_text(view.domain) << "</strong>\n<ul class=\"hosts\">\n";
    for (const GraphHost* host : hosts) write_box(out, view, *host);
    if (domain >= 0) out << "</ul></li>\n";
  }
  std::vector<int> absent;
  for (const GraphRank& rank : view.ranks)
    if (rank.host < 0) absent.push_back(rank.number);
  if (!absent.empty()) {
    out << "<li class=\"absent\"><strong>host not known</strong><p class=\"chips\">";
    for (const int rank : absent) write_chip(out, view, rank);
    out << "</p></li>\n";
  }
  out << "</ul>\n";
}

void write_grid(std::ostream& out, const GraphView& view) {
  write_heading(out, "Hosts",
                count_text(view.hosts.size(), "host") + ", one cell each in the order of their ranks: " +
                    (view.places_are_labels ? "its place in this order" : "the number of its name") +
                    (view.kinds.size() > 1 ? "; the frame of those that are not of the first kind is thick" : ""));
  out << "<p class=\"grid\">";
  for (std::size_t i = 0; i < std::min(view.hosts.size(), max_cells); ++i) {
    const GraphHost& host = view.hosts[i];
    const bool suspected = !host.suspicion.rules.empty();
    std::vector<int> ranks;
    for (const std::size_t rank : host.ranks) ranks.push_back(view.ranks[rank].number);
    std::string text = host.name + ": ranks " + rank_set(std::move(ranks));
    if (host.kind > 0) text += "; kind " + std::to_string(host.kind + 1);
    if (suspected) text += "; suspected by " + host.suspicion.text();
    out << "<span class=\"cell" << (host.kind == 0 ? "" : " other");
    if (suspected) out << ' ' << class_of(host.suspicion.worst);
    out << "\" tabindex=\"-1\" title=\"" << html_text(text) << "\">";
    out << html_text(host.label) << (suspected ? "!" : "") << "</span>";
  }
  out << "</p>\n";
  if (view.absent_hosts > 0)
    out << "<p>" << count_text(view.absent_hosts, "host") << " of which no line is in this input</p>\n";
  write_rest(out, view.hosts.size(), max_cells, "other host", "other hosts", ", which --format json holds");
}

void write_kinds(std::ostream& out, const GraphView& view) {
  write_heading(out, "Kinds of hosts", view.kinds.size() == 1 ? "all are alike" : "what is alike is told once");
  TableBlock table{
      {"kind", "hosts", "which", "what it has", "software", "settings of its own", "state", "suspected by"}, {}};
  for (std::size_t i = 0; i < std::min(view.kinds.size(), max_kinds); ++i) {
    const HostKind& kind = view.kinds[i];
    std::vector<std::string_view> names;
    for (const std::size_t host : kind.hosts) names.emplace_back(view.hosts[host].name);
    table.rows.push_back({std::to_string(i + 1), std::to_string(kind.hosts.size()), fold_host_list(names, max_names),
                          kind.shape, kind.software, kind.settings, kind.state, kind.suspicion.text()});
  }
  drop_empty_columns(table);
  write_table(out, table);
  write_rest(out, view.kinds.size(), max_kinds, "other kind", "other kinds");
}

}  // namespace

void write_hosts(std::ostream& out, const GraphView& view) {
  if (!view.hosts.empty())
    view.by_rank&& view.hosts.size() <= max_boxes ? write_boxes(out, view) : write_grid(out, view);
  if (view.hosts.size() >= 2) write_kinds(out, view);
}

}  // namespace nccl_analyze
