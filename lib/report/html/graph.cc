// Writes the section of a communicator as HTML: its hosts, traffic, rings, trees, and the NICs that its GPUs use.

#include "report/html/graph.h"

#include <string>

#include "report/graph/graph_view.h"
#include "report/html/hosts.h"
#include "report/html/matrix.h"
#include "report/html/parts.h"
#include "report/html/rings.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_matrix_cells = 16384;  // Limit for all matrices of a page together.

std::string size_of(const Communicator& comm) {
  const auto count = [](int items) { return static_cast<std::uint64_t>(items); };
  std::string text;
  if (comm.nranks >= 0) text = count_text(count(comm.nranks), "rank");
  if (comm.nnodes > 0) text += " on " + count_text(count(comm.nnodes), "node");
  if (comm.channels > 0) text += ", " + count_text(count(comm.channels), "channel");
  return text;
}

void write_rails(std::ostream& out, const Rails& rails) {
  if (rails.gpus.empty()) return;
  write_heading(out, "GPUs and NICs", "how many ranks of a GPU number use a NIC number, over all hosts");
  out << "<table class=\"rails\">\n<thead><tr><th scope=\"col\">GPU</th>";
  for (std::size_t i = 0; i < rails.nics.size(); ++i)
    out << "<th scope=\"col\">"
        << html_text(rails.names[i].empty() ? "NIC " + std::to_string(rails.nics[i]) : rails.names[i]) << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  for (std::size_t gpu = 0; gpu < rails.gpus.size(); ++gpu) {
    out << "<tr><th scope=\"row\">" << rails.gpus[gpu] << "</th>";
    for (const std::size_t ranks : rails.ranks[gpu])
      out << "<td>" << (ranks == 0 ? std::string{} : std::to_string(ranks)) << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody>\n</table>\n";
}

}  // namespace

void write_graph(std::ostream& out, const Model& model, const Report& report, const std::vector<Index>& communicators) {
  std::size_t room = max_matrix_cells;
  for (std::size_t i = 0; i < communicators.size(); ++i) {
    const Communicator& comm = model.communicators[communicators[i]];
    const GraphView view = view_of(model, report, communicators[i]);
    out << "<details class=\"graph\" id=\"communicator-" << communicators[i] << '"' << (i == 0 ? " open" : "")
        << ">\n<summary><strong>" << html_text("Communicator " + view.name) << "</strong>: " << html_text(size_of(comm))
        << "</summary>\n";
    write_hosts(out, view);
    write_matrix(out, view, room);
    write_rings(out, view, comm);
    write_trees(out, view);
    write_rails(out, view.rails);
    for (const std::string& fact : view.facts) out << "<p>" << html_text(fact) << "</p>\n";
    out << "</details>\n";
  }
}

}  // namespace nccl_analyze
