// Puts the SVG of HtmlOptions::draw into the page.

#include "report/html/picture.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>
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
std::string part_of_page(std::string_view svg) {
  constexpr std::array<std::string_view, 2> attributes{" id=\"", " class=\""};
  constexpr std::array<std::string_view, 4> values{"graph", "node", "edge", "clust"};
  const auto is_name = [&](std::size_t at) {
    return std::ranges::any_of(attributes, [&](std::string_view attribute) {
      return svg.substr(at).starts_with(attribute) && std::ranges::any_of(values, [&](std::string_view value) {
               return svg.substr(at + attribute.size()).starts_with(value);
             });
    });
  };
  std::string part;
  for (std::size_t at = svg.find("<svg "); at < svg.size(); ++at) {
    const bool begins = svg[at] == ' ' && is_name(at);
    if (begins) at = std::min(svg.find('"', svg.find('"', at) + 1), svg.size());  // the end of the value
    if (!begins) part += svg[at];
  }
  return part;
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
