// Describes how the ranks of a communicator reach each other.

#include "report/sentences/paths.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "nccl_analyze/rule_parts.h"
#include "queries/hosts.h"
#include "queries/paths.h"
#include "queries/platform.h"
#include "report/graph/rails.h"
#include "report/sentences/gpudirect.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t few_ranks = 16;  // longer rings are shortened
constexpr std::size_t few_orders = 2;

/// Returns the communicator whose paths are described: the widest one or, if it shows no connection, the widest with
/// connections. If there are none, `widest`.
const Communicator* connected_communicator(const Model& model, const Communicator* widest) {
  if (widest == nullptr || widest->connections.size() > 0) return widest;
  const Communicator* found = nullptr;
  for (const Communicator& comm : model.communicators)
    if (comm.connections.size() > 0 && (found == nullptr || comm.nranks > found->nranks)) found = &comm;
  return found == nullptr ? widest : found;
}

std::string whose_paths(const Model& model, const Communicator* shown, const Communicator* widest) {
  const auto name = [&](const Communicator* comm) {
    return communicator_name(model, static_cast<Index>(comm - model.communicators.data()));
  };
  return concat("of communicator ", name(shown), "; ", name(widest), ", the widest, shows no connection");
}

std::string how_to_see(const Model& model) {
  return concat("to see them: the log of every rank up to ", last_line_about_connections(model),
                ", with NCCL_DEBUG=INFO and the subsystem INIT (it is among the default ones)");
}

/// Whether all ranks of the communicator are in this input, on one host with one bootstrap address.
bool has_one_host(const Model& model, const Communicator& comm) {
  if (comm.nranks < 1 || static_cast<int>(comm.ranks.size()) != comm.nranks) return false;
  const Host* const first = model.host_of(comm.ranks.front().process);
  return first != nullptr && !has_two_addresses(model, comm) &&
         std::all_of(comm.ranks.begin(), comm.ranks.end(),
                     [&](const Rank& rank) { return model.host_of(rank.process) == first; });
}

bool uses_p2p(const Communicator& comm) {
  return std::ranges::any_of(comm.transports,
                             [](const std::string& transport) { return transport.starts_with("P2P/"); });
}

/// Returns the transports that only communicators other than `comm` show: those of networks, or those inside hosts.
std::vector<std::string> transports_of_others(const Model& model, const Communicator& comm, bool of_networks) {
  std::vector<std::string> found;
  for (const Communicator& other : model.communicators)
    for (const std::string& transport : other.transports)
      if (&other != &comm && transport.starts_with("NET/") == of_networks) add_once(found, transport);
  return found;
}

/// Returns the path, or says that there is none. `of`: `inside a host` or `between hosts`. `others`: what other
/// communicators show; lines without a communicator's name may be of this one.
std::string path_or_none(const std::string& path, const CommPaths& paths, bool is_known, std::string_view of,
                         const std::vector<std::string>& others) {
  if (!path.empty()) return path;
  if (!is_known) return "not shown";
  const std::string_view known = paths.open.empty() ? "" : "known to be ";  // some connections have an unknown end
  if (others.empty()) return concat("no connection ", known, of, " is in this input");
  return concat("no connection ", known, of,
                " is shown for this communicator; lines of others, or perhaps of it, show ", list_text(others, 4));
}

std::string inside_text(const Model& model, const Communicator& comm, const CommPaths& paths, bool is_p2p,
                        bool is_known) {
  std::string text;
  if (!is_p2p || contains(paths.inside, "NVLink") || contains(paths.inside, "PCIe")) {
    text = path_or_none(paths.inside, paths, is_known, "inside a host", transports_of_others(model, comm, false));
  } else {
    text = concat(paths.inside, paths.inside.empty() ? "" : " and ", "P2P, over ", runs_rccl(model) ? "xGMI" : "NVLink",
                  " or PCIe (NCCL_DEBUG_SUBSYS=INIT,GRAPH tells which)");
  }
  if (paths.nvls) text += concat(*paths.nvls ? ", NVLS" : ", no NVLS", describe_nvls(model, comm, *paths.nvls));
  return text;
}

std::string between_text(const Model& model, const Communicator& comm, const CommPaths& paths, bool is_known) {
  std::string text =
      paths.between.empty() && !paths.open.empty()
          ? paths.open + ", if the other ends, which have no log here, are on other hosts"
          : path_or_none(paths.between, paths, is_known, "between hosts", transports_of_others(model, comm, true));
  if (!comm.collnet.empty()) append_item(text, comm.transports[comm.collnet.front().transport], " + ");
  return text;
}

std::vector<std::string> without_paths(const Model& model) {
  if (model.communicators.empty()) return {};  // NCA103 says what is missing
  const bool is_alone = std::any_of(model.communicators.begin(), model.communicators.end(),
                                    [](const Communicator& comm) { return comm.nranks == 1; });
  if (is_alone) return {"none: no communicator has more than one rank"};
  return {"not shown: no line about a connection was recognised in this input", how_to_see(model)};
}

}  // namespace

std::vector<int> from_lowest(const Ring& ring) {
  std::vector<int> order(ring.order.begin(), ring.order.end());
  if (ring.complete) std::rotate(order.begin(), std::min_element(order.begin(), order.end()), order.end());
  return order;
}

std::string describe_ring(const std::vector<int>& order) {
  constexpr std::string_view arrow = "\u2192";
  const std::size_t first = order.size() <= few_ranks ? order.size() : 4;
  std::string text;
  for (std::size_t i = 0; i < first; ++i) text.append(std::to_string(order[i])).append(arrow);
  if (first < order.size()) {
    text.append("\u2026").append(arrow);
    for (std::size_t i = order.size() - 2; i < order.size(); ++i) text.append(std::to_string(order[i])).append(arrow);
  }
  return text + std::to_string(order.front());
}

const Communicator* widest_communicator(const Model& model) {
  const Communicator* largest = nullptr;
  for (const Communicator& comm : model.communicators) {
    const bool has_two = comm.nranks > 1 || (comm.nranks < 0 && comm.connections.size() > 0);
    if (has_two && (largest == nullptr || comm.nranks > largest->nranks)) largest = &comm;
  }
  return largest;
}

std::vector<std::string> describe_switch(const Communicator& communicator, const Host* host) {
  const bool has_switch = host != nullptr && host->nvlink == Nvlink::switched;
  std::vector<std::string> lines;
  if (has_switch) lines.emplace_back("NVSwitch");
  if (communicator.nvls_channels <= 0) return lines;
  if (!has_switch) lines.emplace_back("NVLink switch");
  lines.push_back("NVLS, " + count_text(communicator.nvls_channels, "channel"));
  return lines;
}

std::string describe_domain(const Communicator& communicator) {
  if (communicator.mnnvl != 1) return {};
  std::string text = "NVLink joins these hosts (MNNVL)";
  if (communicator.nvls_channels > 0) text += ", NVLS on " + count_text(communicator.nvls_channels, "channel");
  return text;
}

std::vector<std::string> describe_paths(const Model& model, bool everything) {
  const Communicator* const widest = widest_communicator(model);
  const Communicator* const largest = connected_communicator(model, widest);
  if (largest == nullptr) return without_paths(model);
  const CommPaths paths = find_paths(model, *largest);
  const bool is_p2p = uses_p2p(*largest);
  const bool is_known = is_p2p || !paths.inside.empty() || !paths.between.empty() || !paths.open.empty();
  std::vector<std::string> lines;
  if (largest != widest) lines.push_back(whose_paths(model, largest, widest));
  if (largest->nnodes < 0 || largest->nnodes != largest->nranks)
    lines.push_back("inside hosts: " + inside_text(model, *largest, paths, is_p2p, is_known));
  if (largest->nnodes != 1 && !has_one_host(model, *largest))
    lines.push_back("between hosts: " + between_text(model, *largest, paths, is_known));
  if (!is_known) lines.push_back(how_to_see(model));
  const std::vector<std::string> gpudirect = describe_gpudirect(model, everything);
  lines.insert(lines.end(), gpudirect.begin(), gpudirect.end());
  if (const Rails rails = rails_of(model, *largest); gpudirect.empty() && rails.nics.size() > 1)
    lines.push_back("NICs: " + describe_rails(rails));
  for (std::string& line : describe_offloads(model, *largest)) lines.push_back(std::move(line));
  if (std::string rings = describe_rings(*largest); !rings.empty()) lines.push_back(std::move(rings));
  return lines;
}

std::string describe_rings(const Communicator& communicator) {
  std::size_t count = 0;
  std::set<std::vector<int>> orders;
  for (const Ring& ring : communicator.rings) {
    if (!ring.complete || ring.order.empty()) continue;
    ++count;
    orders.insert(from_lowest(ring));
  }
  if (orders.empty()) return {};
  std::string text = count_text(count, "ring");
  if (orders.size() > 1) text.append(" in ").append(count_text(orders.size(), "order"));
  const bool all = orders.size() == 1 || (orders.size() <= few_orders && orders.begin()->size() <= few_ranks);
  text += all ? ": " : ", such as ";
  std::string_view between;
  for (const std::vector<int>& order : orders) {
    text.append(between).append(describe_ring(order));
    between = "; ";
    if (!all) break;
  }
  return text;
}

}  // namespace nccl_analyze
