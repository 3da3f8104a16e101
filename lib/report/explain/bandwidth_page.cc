// Prints what collectives can reach at best on machines of a profile, as a table and as JSON.

#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "nccl_analyze/report.h"
#include "queries/bandwidth_limits.h"
#include "queries/benchmarks.h"
#include "text/json_writer.h"
#include "text/phrases.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

constexpr std::array all_collectives{Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                     Collective::broadcast,  Collective::all_to_all, Collective::send_recv};

constexpr std::string_view promise =
    "The highest bus bandwidth that the links allow, as nccl-tests count it, in GB/s. Large messages come near it on a "
    "healthy job, smaller ones do not; no vendor promises it.";

/// A figure of the formulas: its letter, what it is, and what states it.
struct StatedFigure {
  std::string_view letter;
  Figure figure;
  std::string what, source;
};

/// The ceilings of jobs on one host, and on several.
struct Expected {
  std::vector<int> hosts;
  const MachineFigures& machine;
  const GpuFigures* gpu;
};

Expected expected_on(const MachineFigures& machine, int hosts) {
  std::vector<int> each{1};
  if (hosts > 1) each.push_back(hosts);
  return {std::move(each), machine, gpu_figures(machine.gpu)};
}

std::string pcie_text(const GpuFigures& gpu) { return concat("PCIe Gen", gpu.pcie, " x16"); }

std::string nic_text(const MachineFigures& machine) {
  return concat(count_text(machine.nics, "NIC"), " of ", static_cast<int>(machine.nic), " Gbit/s");
}

StatedFigure inside_source(const Expected& expected, const Roads& roads) {
  const GpuFigures* const gpu = expected.gpu;
  StatedFigure source{"V", roads.inside, "what a GPU can send to the GPUs of its host: ", std::string(nvlink_source)};
  if (gpu == nullptr)
    source.what += concat("not known, no figures of the ", expected.machine.gpu);
  else if (gpu->nvlinks > 0)
    source.what += concat(gpu->nvlinks, " NVLinks of ", decimals(gpu->nvlink));
  else
    source.what += concat("no NVLink, ", pcie_text(*gpu));
  if (gpu == nullptr || gpu->nvlinks == 0) source.source = gpu == nullptr ? "" : std::string(pcie_source);
  return source;
}

/// Returns the figures in which jobs on the last number of hosts are expressed.
std::vector<StatedFigure> sources_of(const Expected& expected, const Profile& profile) {
  const MachineFigures& machine = expected.machine;
  const Roads roads = roads_of(machine, expected.hosts.back());
  std::vector<StatedFigure> sources{inside_source(expected, roads)};
  if (roads.hosts == 1) return sources;
  const std::string nics_source = machine.source.empty() ? profile.source : std::string(machine.source);
  const bool is_known = machine.network() > 0;
  sources.push_back({"N", roads.network,
                     is_known ? concat("what a host can send to others: ", nic_text(machine))
                              : "what a host can send to others: not known, the profile has no NICs",
                     is_known ? nics_source : std::string{}});
  if (machine.nvlink_hosts > 1 && is_known) sources.back().what += ", of all hosts that NVLink joins";
  if (!is_known) return sources;
  sources.push_back({"O", roads.own, "what one GPU can send to other hosts: the NICs that NCCL gives it", ""});
  sources.back().source = "NCCL 2.30, src/graph/topo.cc (ncclTopoGetLocalNet)";
  if (roads.own.way == "NICs" || expected.gpu == nullptr) return sources;
  sources.back().what += concat(", at most ", pcie_text(*expected.gpu));
  sources.back().source += concat("; ", pcie_source);
  return sources;
}

std::string padded_to(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string row_of(Collective collective, const Ceiling& ceiling) {
  std::string number = ceiling.gigabytes > 0 ? decimals(ceiling.gigabytes) : "-";
  if (number.size() < 8) number.insert(0, 8 - number.size(), ' ');
  std::string way = ceiling.way;
  if (!ceiling.missing.empty()) way += concat(way.empty() ? "" : ", ", ceiling.missing, " not known");
  constexpr std::size_t collective_width = 15, algorithm_width = 12, way_width = 17;
  return concat("  ", padded_to(std::string(to_string(collective)), collective_width),
                padded_to(std::string(ceiling.algorithm), algorithm_width), number, "  ",
                padded_to(std::move(way), way_width), "  ", ceiling.formula);
}

std::string heading_of(const MachineFigures& machine, int hosts) {
  const Roads roads = roads_of(machine, hosts);
  std::string text = concat(count_text(hosts, "host"), ": n = ", machine.gpus * hosts);
  if (roads.hosts > 1) text += concat(", g = ", roads.gpus);
  if (hosts > 1 && machine.nvlink_hosts > 1)
    text += concat(" (NVLink joins up to ", machine.nvlink_hosts, " hosts, which count as one)");
  return text;
}

void write_ceiling(JsonWriter& json, int hosts, int ranks, Collective collective, const Ceiling& ceiling) {
  const bool is_known = ceiling.gigabytes > 0;
  json.begin_object(Layout::line);
  json.member("hosts", hosts);
  json.member("ranks", ranks);
  json.member("collective", to_string(collective));
  json.member("algorithm", ceiling.algorithm);
  json.member("busbw", is_known ? std::optional{ceiling.gigabytes} : std::nullopt);
  json.member("limit", is_known ? std::optional<std::string_view>{ceiling.way} : std::nullopt);
  json.member("formula", ceiling.formula);
  json.member("missing", ceiling.missing.empty() ? std::nullopt : std::optional<std::string_view>{ceiling.missing});
  json.end();
}

}  // namespace

bool write_expected_bandwidth(std::ostream& out, const Profile& profile, int hosts) {
  const MachineFigures* const machine = machine_figures(profile.name);
  if (machine == nullptr) return false;
  const Expected expected = expected_on(*machine, hosts);
  out << wrap(concat(profile.name, ": ", profile.about), 0, 2) << "\n\n" << wrap(promise, 0, 0) << "\n";
  for (const int count : expected.hosts) {
    out << "\n" << heading_of(*machine, count) << "\n";
    for (const Collective collective : all_collectives)
      for (const Ceiling& ceiling : ceilings_of(collective, roads_of(*machine, count)))
        out << row_of(collective, ceiling) << "\n";
  }
  out << "\nn: ranks, g: ranks of a host, t: 2 with two hosts, 4/3 with three, else 1\n";
  for (const StatedFigure& source : sources_of(expected, profile)) {
    const double known = source.figure.gigabytes;
    std::string text = concat(source.letter, known > 0 ? concat(" = ", decimals(known)) : "", ": ", source.what);
    if (!source.source.empty()) text += concat(" (", source.source, ")");
    out << wrap(text, 0, 2) << "\n";
  }
  return true;
}

bool write_expected_bandwidth_json(std::ostream& out, const Profile& profile, int hosts) {
  const MachineFigures* const machine = machine_figures(profile.name);
  if (machine == nullptr) return false;
  const Expected expected = expected_on(*machine, hosts);
  JsonWriter json{out};
  json.begin_object();
  json.member("schema", "nccl-analyze.expected-bandwidth");
  json.member("version", 1);
  json.member("profile", profile.name);
  json.member("about", profile.about);
  json.member("gpus", machine->gpus);
  json.begin_array("figures");
  for (const StatedFigure& source : sources_of(expected, profile)) {
    const double known = source.figure.gigabytes;
    json.begin_object(Layout::line);
    json.member("letter", source.letter);
    json.member("gigabytes", known > 0 ? std::optional{known} : std::nullopt);
    json.member("about", source.what);
    json.member("source", source.source.empty() ? std::nullopt : std::optional<std::string_view>{source.source});
    json.end();
  }
  json.end();
  json.begin_array("ceilings");
  for (const int count : expected.hosts)
    for (const Collective collective : all_collectives)
      for (const Ceiling& ceiling : ceilings_of(collective, roads_of(*machine, count)))
        write_ceiling(json, count, machine->gpus * count, collective, ceiling);
  json.end();
  json.end();
  json.finish();
  return true;
}

}  // namespace nccl_analyze
