// Puts the SVG of HtmlOptions::draw into the page.

#include "report/html/picture.h"

#include <re2/re2.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "queries/hosts.h"
#include "report/graph/hardware.h"
#include "report/html/parts.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t most_hosts = 8;

std::size_t hosts_in(const Model& model) {
  HostCount logged;
  for (const Process& process : model.processes) logged.add(process);
  std::size_t hosts = logged.hosts();
  for (const Communicator& comm : model.communicators) hosts = std::max(hosts, node_count(model, comm));
  return hosts;
}

/// Removes what comes before the root element, and the ids and classes that Graphviz gives to elements, which are the
/// same in every picture and have other meanings in the page.
std::string part_of_page(std::string svg) {
  static const RE2 names(R"( (?:id|class)="(?:graph|node|edge|clust)[^"]*")");
  const std::size_t root = svg.find("<svg ");
  if (root == std::string::npos) return {};
  svg.erase(0, root);
  RE2::GlobalReplace(&svg, names, "");
  return svg;
}

void write_picture(std::ostream& out, const Model& model, const Report& report, const HtmlOptions& options,
                   DotView view) {
  std::ostringstream dot;
  write_dot(dot, model, report, {.view = view});
  const std::string svg = part_of_page(options.draw(dot.str()));
  if (svg.empty()) return write_remark(out, "Graphviz could not draw the picture, which --format dot writes.");
  out << "<figure>\n<label><input type=\"checkbox\"> full size</label>\n";
  open_scroll(out, view == DotView::machine ? "Machines" : "Communicators");
  out << svg << "</div>\n</figure>\n";
}

}  // namespace

void write_pictures(std::ostream& out, const Model& model, const Report& report, const HtmlOptions& options) {
  if (!options.draw || hosts_in(model) > most_hosts) return;
  write_picture(out, model, report, options, DotView::automatic);
  const std::vector<Hardware> machines = hardware_of(model);
  if (std::ranges::all_of(machines, [](const Hardware& one) { return one.source.empty(); })) return;
  out << "<details class=\"machines\">\n<summary><strong>Machines</strong>: GPUs, NVLink, PCIe switches, CPUs and "
         "NICs, and "
         "what NCCL uses</summary>\n";
  write_picture(out, model, report, options, DotView::machine);
  out << "</details>\n";
}

}  // namespace nccl_analyze
