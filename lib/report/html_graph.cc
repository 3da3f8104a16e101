// Writes the graph of a communicator as HTML: hosts, traffic matrix, rings, trees and rails.

#include "report/html_graph.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "report/document_tables.h"
#include "report/graph_view.h"
#include "report/html_parts.h"
#include "report/name_list.h"
#include "report/phrases.h"
#include "report/text_paths.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_orders = 8, max_trees = 6, max_runs = 64, max_kinds = 64, max_cells = 4096, max_names = 12;
constexpr std::size_t max_matrix_cells = 16384;  // total of all matrices on a page
constexpr std::size_t max_boxes = 16;            // more hosts are drawn as a grid instead of boxes

std::string_view class_of(Severity severity) {
  constexpr std::array<std::string_view, 3> classes{"", "warning", "error"};
  return classes[static_cast<std::size_t>(severity)];
}

class GraphWriter {
 public:
  /// `room`: the number of matrix cells still allowed on the page, which write() reduces.
  GraphWriter(std::ostream& out, const Model& model, const GraphView& view, std::size_t& room)
      : out_(out), room_(room), comm_(model.communicators[view.communicator]), view_(view) {
    for (std::size_t i = 0; i < view_.ranks.size(); ++i) by_number_[view_.ranks[i].number] = i;
  }

  void write(bool open) {
    out_ << "<details class=\"graph\" id=\"communicator-" << view_.communicator << '"' << (open ? " open" : "")
         << ">\n<summary><strong>" << html_text("Communicator " + view_.name) << "</strong>: " << html_text(size_text())
         << "</summary>\n";
    write_hosts();
    write_kinds();
    write_cells();
    write_rings();
    write_trees();
    write_rails();
    for (const std::string& fact : view_.facts) out_ << "<p>" << html_text(fact) << "</p>\n";
    out_ << "</details>\n";
  }

 private:
  std::string size_text() const {
    std::string text;
    if (view_.nranks >= 0) text = count_text(static_cast<std::uint64_t>(view_.nranks), "rank", "ranks");
    if (comm_.nnodes > 0) text += " on " + count_text(static_cast<std::uint64_t>(comm_.nnodes), "node", "nodes");
    if (comm_.channels > 0)
      text += ", " + count_text(static_cast<std::uint64_t>(comm_.channels), "channel", "channels");
    return text;
  }

  void heading(std::string_view text, std::string_view about) {
    out_ << "<h3>" << html_text(text) << "</h3>\n";
    if (!about.empty()) out_ << "<p class=\"place\">" << html_text(about) << "</p>\n";
  }

  std::string about(const GraphRank& rank) const {
    std::string text = rank.address;
    if (!rank.state.empty()) text += "; " + rank.state;
    if (!rank.suspicion.rules.empty()) text += "; suspected by " + rank.suspicion.text();
    if (!rank.said_at.empty()) text += "; see " + rank.said_at;
    return text;
  }

  /// Writes a rank, with its details as a tooltip. Marks repeat what the colours show: `!` for a suspect, a cross for a
  /// failed rank, `…` for a rank that only started, `?` for a rank without a log.
  void chip(int number) {
    const auto found = by_number_.find(number);
    out_ << "<span class=\"chip";
    std::string_view mark;
    if (found == by_number_.end()) {
      out_ << " absent\" title=\"rank " << number << ": no line of it in this input\">" << number << "</span>";
      return;
    }
    const GraphRank& rank = view_.ranks[found->second];
    if (!rank.suspicion.rules.empty()) out_ << ' ' << class_of(rank.suspicion.worst), mark = "!";
    if (rank.state.empty()) out_ << " absent", mark = "?";
    if (rank.state == "failed" || rank.state == "aborted") out_ << " failed", mark = "\u00d7";
    if (rank.state == "started") out_ << " started", mark = mark.empty() ? "\u2026" : mark;
    out_ << "\" tabindex=\"-1\" data-rank=\"" << number << "\" title=\"" << html_text(about(rank)) << "\">" << number;
    if (!mark.empty()) out_ << "<b>" << mark << "</b>";
    out_ << "</span>";
  }

  void write_hosts() {
    if (view_.hosts.empty()) return;
    if (view_.by_rank && view_.hosts.size() <= max_boxes) return write_boxes();
    heading("Hosts",
            count_text(view_.hosts.size(), "host", "hosts") +
                ", one cell each in the order of their ranks; a number is the host's kind, where it is not the first");
    out_ << "<p class=\"grid\">";
    for (std::size_t i = 0; i < std::min(view_.hosts.size(), max_cells); ++i) {
      const GraphHost& host = view_.hosts[i];
      std::vector<int> ranks;
      for (const std::size_t rank : host.ranks) ranks.push_back(view_.ranks[rank].number);
      std::string text = host.name + ": ranks " + rank_set(std::move(ranks));
      if (!host.suspicion.rules.empty()) text += "; suspected by " + host.suspicion.text();
      out_ << "<span class=\"cell" << (host.kind == 0 ? "" : " other");
      if (!host.suspicion.rules.empty()) out_ << ' ' << class_of(host.suspicion.worst);
      out_ << "\" tabindex=\"-1\" title=\"" << html_text(text) << "\">";
      if (host.kind > 0) out_ << host.kind + 1;
      out_ << (host.suspicion.rules.empty() ? "" : "!") << "</span>";
    }
    out_ << "</p>\n";
    if (view_.hosts.size() > max_cells)
      out_ << "<p>and " << count_text(view_.hosts.size() - max_cells, "other host", "other hosts")
           << ", which --format json holds</p>\n";
  }

  void write_boxes() {
    heading("Hosts and ranks", "");
    out_ << "<ul class=\"hosts\">\n";
    std::map<Index, std::vector<const GraphHost*>> domains;  // -1: hosts outside an NVLink domain
    for (const GraphHost& host : view_.hosts) domains[host.domain].push_back(&host);
    for (const auto& [domain, hosts] : domains) {
      if (domain >= 0)
        out_ << "<li class=\"domain\"><strong>" << html_text(view_.domain) << "</strong>\n<ul class=\"hosts\">\n";
      for (const GraphHost* host : hosts) write_box(*host);
      if (domain >= 0) out_ << "</ul></li>\n";
    }
    std::vector<int> absent;
    for (const GraphRank& rank : view_.ranks)
      if (rank.host < 0) absent.push_back(rank.number);
    if (!absent.empty()) {
      out_ << "<li class=\"absent\"><strong>host not known</strong><p class=\"chips\">";
      for (const int rank : absent) chip(rank);
      out_ << "</p></li>\n";
    }
    out_ << "</ul>\n";
  }

  /// Writes a host with its ranks, the switch that joins the ranks, and its NICs.
  void write_box(const GraphHost& host) {
    out_ << "<li><strong>" << html_text(host.name) << "</strong>";
    if (!host.shape.empty()) out_ << "<span class=\"place\"> " << html_text(host.shape) << "</span>";
    out_ << (host.switch_lines.empty() ? "<p class=\"chips\">" : "<p class=\"chips joined\">");
    for (const std::size_t rank : host.ranks) chip(view_.ranks[rank].number);
    out_ << "</p>";
    if (!host.switch_lines.empty()) {
      out_ << "<p class=\"switch\">";
      for (const std::string& line : host.switch_lines)
        out_ << (&line == host.switch_lines.data() ? "" : "; ") << html_text(line);
      out_ << "</p>";
    }
    if (!host.nics.empty()) {
      out_ << "<p class=\"chips\">";
      for (std::size_t i = 0; i < std::min(host.nics.size(), max_names); ++i)
        out_ << "<span class=\"nic\">" << html_text(host.nics[i]) << "</span>";
      if (host.nics.size() > max_names) out_ << "and " << host.nics.size() - max_names << " more";
      out_ << "</p>";
    }
    out_ << "</li>\n";
  }

  void write_kinds() {
    if (view_.hosts.size() < 2) return;
    heading("Kinds of hosts", view_.kinds.size() == 1 ? "all are alike" : "what is alike is told once");
    TableBlock table{
        {"kind", "hosts", "which", "what it has", "software", "settings of its own", "state", "suspected by"}, {}};
    for (std::size_t i = 0; i < std::min(view_.kinds.size(), max_kinds); ++i) {
      const HostKind& kind = view_.kinds[i];
      std::vector<std::string_view> names;
      for (const std::size_t host : kind.hosts) names.emplace_back(view_.hosts[host].name);
      table.rows.push_back({std::to_string(i + 1), std::to_string(kind.hosts.size()), folded_names(names, max_names),
                            kind.shape, kind.software, kind.settings, kind.state, kind.suspicion.text()});
    }
    drop_empty_columns(table);
    write_table(out_, table);
    if (view_.kinds.size() > max_kinds)
      out_ << "<p>and " << count_text(view_.kinds.size() - max_kinds, "other kind", "other kinds") << "</p>\n";
  }

  std::size_t places() const { return view_.by_rank ? view_.ranks.size() : view_.hosts.size(); }

  /// Whether the place is the first of its host; the matrix has a border there.
  bool begins_host(std::size_t place) const {
    return view_.by_rank && place > 0 && view_.ranks[place].host != view_.ranks[place - 1].host;
  }

  std::string place_name(std::size_t place) const {
    return view_.by_rank ? std::to_string(view_.ranks[place].number) : view_.hosts[place].name;
  }

  void write_head_cell(std::size_t place, std::string_view scope) {
    const Suspicion& suspicion = view_.by_rank ? view_.ranks[place].suspicion : view_.hosts[place].suspicion;
    out_ << "<th scope=\"" << scope << '"';
    std::string classes = scope == "col" && begins_host(place) ? "edge" : "";
    if (!suspicion.rules.empty()) classes.append(classes.empty() ? "" : " ").append(class_of(suspicion.worst));
    if (!classes.empty()) out_ << " class=\"" << classes << '"';
    if (view_.by_rank) out_ << " data-rank=\"" << view_.ranks[place].number << '"';
    const std::string text = view_.by_rank ? about(view_.ranks[place]) : view_.hosts[place].name;
    out_ << " title=\"" << html_text(text) << "\">"
         << (view_.by_rank || scope == "row" ? html_text(place_name(place)) : std::to_string(place + 1))
         << (suspicion.rules.empty() ? "" : "!") << "</th>";
  }

  void write_legend() {
    std::set<int> used;
    for (const GraphCell& cell : view_.cells) used.insert(cell.style->slowness);
    out_ << "<ul class=\"legend\">\n";
    for (const LinkStyle& style : link_styles())
      if (used.contains(style.slowness))
        out_ << "<li data-way=\"t" << style.slowness << "\"><span class=\"way t" << style.slowness << "\">"
             << style.letter << "</span> " << html_text(style.meaning) << "</li>\n";
    out_ << "</ul>\n";
  }

  void write_cells() {
    if (view_.cells.size() > room_) {
      out_ << "<p>Who sends to whom is left out, for the page's size: --comm " << html_text(view_.name)
           << " draws it.</p>\n";
      return;
    }
    room_ -= view_.cells.size();
    if (view_.cells.empty() || places() < 2) {
      if (!view_.by_rank && view_.hosts.size() > max_drawn_hosts)
        out_ << "<p>Who reaches whom is not drawn for more than " << max_drawn_hosts
             << " hosts: --format json holds it, and --host draws a part.</p>\n";
      return;
    }
    heading("Who sends to whom",
            "a row sends to a column: the slowest transport of their rings and trees, else of send/receive");
    write_legend();
    out_ << "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Who sends to whom\">\n<table "
            "class=\"matrix\">\n<thead><tr><td></td>";
    for (std::size_t place = 0; place < places(); ++place) write_head_cell(place, "col");
    out_ << "</tr></thead>\n<tbody>\n";
    auto cell = view_.cells.begin();
    for (std::size_t from = 0; from < places(); ++from) {
      out_ << (begins_host(from) ? "<tr class=\"edge\">" : "<tr>");
      write_head_cell(from, "row");
      for (std::size_t to = 0; to < places(); ++to) {
        while (cell != view_.cells.end() && std::pair{cell->from, cell->to} < std::pair{from, to}) ++cell;
        const bool edge = begins_host(to);
        if (cell == view_.cells.end() || cell->from != from || cell->to != to) {
          out_ << (edge ? "<td class=\"edge\"></td>" : "<td></td>");
          continue;
        }
        out_ << "<td class=\"way t" << cell->style->slowness << (edge ? " edge" : "") << "\" data-channels=\""
             << channel_list(cell->channels) << "\" title=\""
             << html_text(place_name(from) + " \u2192 " + place_name(to) + ": " + cell->ways + "; channels " +
                          channel_list(cell->channels))
             << "\">" << cell->style->letter << "</td>";
      }
      out_ << "</tr>\n";
    }
    out_ << "</tbody>\n</table>\n</div>\n";
  }

  struct Run {
    int host = -1;
    std::vector<int> ranks;
  };
  /// Splits a ring into runs of neighbouring ranks on the same host.
  std::vector<Run> runs_of(const GraphRing& ring) const {
    std::vector<Run> runs;
    for (const int number : ring.order) {
      const auto found = by_number_.find(number);
      const int host = found == by_number_.end() ? -1 : view_.ranks[found->second].host;
      if (runs.empty() || runs.back().host != host) runs.push_back({host, {}});
      runs.back().ranks.push_back(number);
    }
    // A complete ring is cyclic: its last and first run are one if they are on the same host.
    if (ring.complete && runs.size() > 1 && runs.front().host == runs.back().host) {
      runs.back().ranks.insert(runs.back().ranks.end(), runs.front().ranks.begin(), runs.front().ranks.end());
      runs.front() = std::move(runs.back());
      runs.pop_back();
    }
    return runs;
  }

  void write_strip(const GraphRing& ring, const std::vector<Run>& runs) {
    out_ << "<ol class=\"strip\" data-channels=\"" << channel_list(ring.channels) << "\">\n";
    for (const Run& run : runs) {
      const std::string host = run.host < 0 ? "host not known" : view_.hosts[run.host].name;
      out_ << "<li title=\"" << html_text(host) << "\">";
      if (view_.by_rank)
        for (const int rank : run.ranks) chip(rank);
      else
        out_ << html_text(host) << " <span class=\"place\">" << run.ranks.front()
             << (run.ranks.size() > 1 ? "\u2026" + std::to_string(run.ranks.back()) : "") << "</span>";
      out_ << "</li>\n";
    }
    out_ << "</ol>\n";
  }

  static std::string channels_text(const ChannelSet& channels) {
    return (channels.count() == 1 ? "channel " : "channels ") + channel_list(channels);
  }

  /// Writes each ring order rank by rank or host by host; if the ring has too many runs, as text with the first and
  /// last ranks.
  void write_rings() {
    if (view_.rings.empty()) return;
    heading("Rings", describe_rings(comm_));
    for (std::size_t i = 0; i < std::min(view_.rings.size(), max_orders); ++i) {
      const GraphRing& ring = view_.rings[i];
      const std::vector<Run> runs = runs_of(ring);
      const bool drawn = view_.by_rank || runs.size() <= max_runs;
      out_ << "<p>" << channels_text(ring.channels) << (ring.complete ? "" : ", as far as the log tells")
           << (ring.inferred ? ", by the connections" : "");
      if (!drawn && ring.complete) out_ << ": " << html_text(describe_ring(ring.order));
      out_ << "</p>\n";
      if (drawn) write_strip(ring, runs);
    }
    if (view_.rings.size() > max_orders)
      out_ << "<p>and " << count_text(view_.rings.size() - max_orders, "other order", "other orders") << "</p>\n";
  }

  void write_trees() {
    if (view_.trees.empty()) return;
    heading("Trees", "level by level from the root, which is on the left");
    for (std::size_t i = 0; i < std::min(view_.trees.size(), max_trees); ++i) {
      const GraphTree& tree = view_.trees[i];
      out_ << "<p>" << tree.kind << " of " << channels_text(tree.channels) << ": "
           << count_text(tree.levels.size(), "level", "levels") << (tree.complete ? "" : ", as far as the log tells")
           << "</p>\n";
      if (tree.levels.size() > max_runs) continue;
      out_ << "<ol class=\"strip\" data-channels=\"" << channel_list(tree.channels) << "\">\n";
      for (const std::vector<int>& level : tree.levels) {
        out_ << "<li>";
        if (view_.by_rank)
          for (const int rank : level) chip(rank);
        else
          out_ << (level.size() == 1 ? "rank " + std::to_string(level.front())
                                     : count_text(level.size(), "rank", "ranks"));
        out_ << "</li>\n";
      }
      out_ << "</ol>\n";
    }
    if (view_.trees.size() > max_trees)
      out_ << "<p>and " << count_text(view_.trees.size() - max_trees, "other tree", "other trees") << "</p>\n";
  }

  void write_rails() {
    const Rails& rails = view_.rails;
    if (rails.gpus.empty()) return;
    heading("GPUs and NICs", "how many ranks of a GPU number use a NIC number, over all hosts");
    out_ << "<table class=\"rails\">\n<thead><tr><th scope=\"col\">GPU</th>";
    for (std::size_t i = 0; i < rails.nics.size(); ++i)
      out_ << "<th scope=\"col\">"
           << html_text(rails.names[i].empty() ? "NIC " + std::to_string(rails.nics[i]) : rails.names[i]) << "</th>";
    out_ << "</tr></thead>\n<tbody>\n";
    for (std::size_t gpu = 0; gpu < rails.gpus.size(); ++gpu) {
      out_ << "<tr><th scope=\"row\">" << rails.gpus[gpu] << "</th>";
      for (const std::size_t ranks : rails.ranks[gpu])
        out_ << "<td>" << (ranks == 0 ? std::string{} : std::to_string(ranks)) << "</td>";
      out_ << "</tr>\n";
    }
    out_ << "</tbody>\n</table>\n";
  }

  std::ostream& out_;
  std::size_t& room_;
  const Communicator& comm_;
  const GraphView& view_;
  std::map<int, std::size_t> by_number_;
};

}  // namespace

void write_graph(std::ostream& out, const Model& model, const Report& report, const std::vector<Index>& communicators) {
  std::size_t room = max_matrix_cells;
  for (std::size_t i = 0; i < communicators.size(); ++i) {
    const GraphView view = view_of(model, report, communicators[i]);
    GraphWriter(out, model, view, room).write(i == 0);
  }
}

}  // namespace nccl_analyze
