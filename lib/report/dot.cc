// The `dot` format: rings of ranks as a Graphviz graph. The only file that knows cgraph.

#include <graphviz/cgraph.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "nccl_analyze/export.h"
#include "report/escape.h"
#include "report/text_job.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_communicators = 16;
constexpr std::size_t max_missing_ranks = 1024;  ///< Drawn ranks without a log, beyond those that an edge touches.

struct TransportStyle {
  std::string_view prefix;
  const char* color;
  const char* style;
};

/// The first prefix that fits counts; the last fits all.
constexpr std::array transport_styles{
    TransportStyle{"P2P", "forestgreen", "solid"}, TransportStyle{"SHM", "darkorange", "solid"},
    TransportStyle{"NET/Socket", "red", "solid"},  TransportStyle{"COLLNET/", "purple", "solid"},
    TransportStyle{"NET/", "blue", "solid"},       TransportStyle{"", "gray50", "dashed"}};

const TransportStyle& style_of(std::string_view transport) {
  return *std::find_if(transport_styles.begin(), transport_styles.end(),
                       [transport](const TransportStyle& style) { return transport.starts_with(style.prefix); });
}

struct Edge {
  int channels = 0;
  std::map<std::uint16_t, int> transports;  ///< Connections by index into Communicator::transports.
};
using Edges = std::map<std::pair<int, int>, Edge>;

void add_ring(Edges& edges, const Ring& ring) {
  const std::size_t links = ring.order.size() - (ring.complete || ring.order.empty() ? 0 : 1);
  if (ring.order.size() < 2) return;
  for (std::size_t i = 0; i < links; ++i) ++edges[{ring.order[i], ring.order[(i + 1) % ring.order.size()]}].channels;
}

/// The rings' links with their transports; all connections where no ring is known.
Edges edges_of(const Communicator& communicator) {
  Edges edges;
  for (const Ring& ring : communicator.rings) add_ring(edges, ring);
  const bool no_ring = edges.empty();
  for (const Connection& connection : communicator.connections) {
    const std::pair ends{connection.from, connection.to};
    if (no_ring && connection.connection == 0) ++edges[ends].channels;
    if (const auto edge = edges.find(ends); edge != edges.end()) ++edge->second.transports[connection.transport];
  }
  std::erase_if(edges, [](const auto& edge) { return edge.first.first < 0 || edge.first.second < 0; });
  return edges;
}

/// The transport that most connections of the edge use; empty when none was printed.
std::string_view transport_of(const Edge& edge, const Communicator& communicator) {
  const auto most = std::max_element(edge.transports.begin(), edge.transports.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == edge.transports.end() ? std::string_view{} : communicator.transports[most->first];
}

std::set<int> missing_ranks(const Communicator& communicator, const Edges& edges) {
  std::set<int> logged;
  for (const Rank& rank : communicator.ranks) logged.insert(rank.rank);
  std::set<int> missing;
  for (int rank = 0; rank < communicator.nranks && missing.size() < max_missing_ranks; ++rank)
    if (!logged.contains(rank)) missing.insert(rank);
  for (const auto& [ends, edge] : edges)
    for (const int rank : {ends.first, ends.second})
      if (!logged.contains(rank)) missing.insert(rank);
  return missing;
}

/// cgraph takes `char*` where it means `const char*`.
char* mutable_text(const char* text) { return const_cast<char*>(text); }

void set(void* object, const char* attribute, const std::string& value) {
  agsafeset(object, mutable_text(attribute), mutable_text(value.c_str()), mutable_text(""));
}

Agraph_t* add_cluster(Agraph_t* parent, const std::string& name, const std::string& label) {
  Agraph_t* cluster = agsubg(parent, mutable_text(("cluster_" + name).c_str()), 1);
  set(cluster, "label", label);
  return cluster;
}

std::string label_of(const Communicator& communicator) {
  std::string label = "communicator";
  if (communicator.comm_id != 0) label += " 0x" + to_hex(communicator.comm_id);
  const auto add = [&label](std::string_view separator, int count, std::string_view one, std::string_view many) {
    if (count >= 0) label += std::string{separator} + counted(static_cast<std::uint64_t>(count), one, many);
  };
  add("\\n", communicator.nranks, "rank", "ranks");
  add(", ", communicator.nnodes, "node", "nodes");
  add(", ", communicator.channels, "channel", "channels");
  return label;
}

/// Draws one communicator into `parent`; the names of its nodes and clusters begin with `prefix`.
class CommunicatorDrawing {
 public:
  CommunicatorDrawing(const Model& model, const Communicator& communicator, Agraph_t* parent, std::string prefix)
      : model_(model), communicator_(communicator), parent_(parent), prefix_(std::move(prefix)) {}

  void draw() {
    const Edges edges = edges_of(communicator_);
    for (const Rank& rank : communicator_.ranks) draw_rank(rank);
    draw_missing(missing_ranks(communicator_, edges));
    for (const auto& [ends, edge] : edges) draw_edge(ends, edge);
  }

 private:
  Agnode_t* node(Agraph_t* graph, int rank) const {
    return agnode(graph, mutable_text((prefix_ + "r" + std::to_string(rank)).c_str()), 1);
  }

  Agraph_t* host_of(const Rank& rank) {
    static constexpr std::string_view nobody;
    const Process* process = rank.process < 0 ? nullptr : &model_.processes[static_cast<std::size_t>(rank.process)];
    const std::pair<std::string_view, std::string_view> identity{process ? process->host.view() : nobody,
                                                                 process ? process->pod.view() : nobody};
    const auto [place, is_new] = hosts_.try_emplace(identity, nullptr);
    if (is_new) {
      std::string label = identity.first.empty() ? "host unknown" : dot_text(identity.first);
      if (!identity.second.empty()) label += "\\npod " + dot_text(identity.second);
      place->second = add_cluster(parent_, prefix_ + "h" + std::to_string(hosts_.size() - 1), label);
    }
    return place->second;
  }

  void draw_rank(const Rank& rank) {
    std::string label = "rank " + std::to_string(rank.rank);
    if (rank.cuda_dev >= 0) label += "\\nGPU " + std::to_string(rank.cuda_dev);
    if (rank.has_bus_id) label += (rank.cuda_dev >= 0 ? " " : "\\n") + to_hex(rank.bus_id);
    Agnode_t* drawn = node(host_of(rank), rank.rank);
    set(drawn, "label", label);
    if (rank.state == RankState::failed || rank.state == RankState::aborted) set(drawn, "color", "red");
  }

  void draw_missing(const std::set<int>& ranks) {
    if (ranks.empty()) return;
    const auto unlogged = static_cast<std::size_t>(std::max(communicator_.nranks, 0));
    std::string label = "no log in this input";
    if (ranks.size() + communicator_.ranks.size() < unlogged) label += "\\nonly some are drawn";
    Agraph_t* cluster = add_cluster(parent_, prefix_ + "missing", label);
    set(cluster, "style", "dashed");
    for (const int rank : ranks) {
      Agnode_t* drawn = node(cluster, rank);
      set(drawn, "label", "rank " + std::to_string(rank));
      set(drawn, "style", "dashed");
    }
  }

  void draw_edge(const std::pair<int, int>& ends, const Edge& edge) {
    const std::string_view transport = transport_of(edge, communicator_);
    const TransportStyle& style = style_of(transport);
    Agraph_t* root = agroot(parent_);
    Agedge_t* drawn = agedge(root, node(root, ends.first), node(root, ends.second), nullptr, 1);
    const std::string name = transport.empty() ? "unknown" : dot_text(transport);
    set(drawn, "label", name + " \u00d7" + std::to_string(edge.channels));
    set(drawn, "color", style.color);
    set(drawn, "fontcolor", style.color);
    set(drawn, "style", style.style);
  }

  const Model& model_;
  const Communicator& communicator_;
  Agraph_t* parent_;
  std::string prefix_;
  std::map<std::pair<std::string_view, std::string_view>, Agraph_t*> hosts_;
};

void draw_model(const Model& model, Agraph_t* root) {
  std::vector<std::size_t> several_ranks;
  for (std::size_t i = 0; i < model.communicators.size(); ++i)
    if (model.communicators[i].nranks != 1) several_ranks.push_back(i);
  const std::size_t drawn = std::min(several_ranks.size(), max_communicators);
  for (std::size_t i = 0; i < drawn; ++i) {
    const Communicator& communicator = model.communicators[several_ranks[i]];
    const std::string prefix = "c" + std::to_string(several_ranks[i]);
    Agraph_t* parent = drawn > 1 ? add_cluster(root, prefix, label_of(communicator)) : root;
    CommunicatorDrawing{model, communicator, parent, prefix}.draw();
  }
  if (drawn == 0) set(root, "label", "no communicator of several ranks in this input");
  if (drawn == 1) set(root, "label", label_of(model.communicators[several_ranks[0]]));
  if (drawn < several_ranks.size()) {
    set(root, "label",
        "the first " + std::to_string(drawn) + " of " + std::to_string(several_ranks.size()) +
            " communicators of several ranks");
  }
}

int append_text(void* out, const char* text) {
  *static_cast<std::string*>(out) += text;
  return 0;
}
int flush_nothing(void*) { return 0; }
int drop_message(char*) { return 0; }

/// cgraph prints its complaints on stderr unless told otherwise.
class QuietErrors {
 public:
  QuietErrors() : before_(agseterrf(drop_message)) {}
  ~QuietErrors() { agseterrf(before_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  agusererrf before_;
};

/// Numbers objects in the order of their making. cgraph's own numbers are addresses, and it writes clusters in the
/// order of their numbers: without this the same graph would be written differently on every run.
class Numbers {
 public:
  static constexpr Agiddisc_t callbacks() { return {open, map, alloc, release, print, close, remember}; }

 private:
  static void* open(Agraph_t* graph, Agdisc_t* discipline);
  static long map(void* state, int kind, char* name, IDTYPE* id, int create) {
    auto& self = *static_cast<Numbers*>(state);
    if (name == nullptr) {
      if (create != 0) *id = 2 * self.next_++ + 1;  // odd: nameless, as cgraph itself has it
      return create;
    }
    const auto found = self.ids_.find({kind, name});
    if (found == self.ids_.end() && create == 0) return 0;
    *id = found != self.ids_.end() ? found->second : 2 * self.next_++;
    // the writer takes a name for one of cgraph's own strings
    if (found == self.ids_.end()) self.names_[self.ids_[{kind, name}] = *id] = agstrdup(self.graph_, name);
    return 1;
  }
  static long alloc(void*, int, IDTYPE) { return 0; }
  static void release(void*, int, IDTYPE) {}
  static char* print(void* state, int, IDTYPE id) {
    auto& names = static_cast<Numbers*>(state)->names_;
    const auto found = names.find(id);
    return found == names.end() ? nullptr : found->second;
  }
  static void close(void*) {}
  static void remember(void*, int, void*) {}

  Agraph_t* graph_ = nullptr;
  IDTYPE next_ = 1;
  std::map<std::pair<int, std::string>, IDTYPE> ids_;
  std::map<IDTYPE, char*> names_;
};

/// What cgraph is opened with; it hands this object back to Numbers::open.
struct Discipline : Agdisc_t {
  Agiodisc_t writing{nullptr, append_text, flush_nothing};
  Agiddisc_t numbering = Numbers::callbacks();
  Numbers numbers;
  Discipline() : Agdisc_t{} {
    io = &writing;
    id = &numbering;
  }
};

void* Numbers::open(Agraph_t* graph, Agdisc_t* discipline) {
  Numbers& numbers = static_cast<Discipline*>(discipline)->numbers;
  numbers.graph_ = graph;
  return &numbers;
}

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

}  // namespace

bool write_dot(std::ostream& out, const Model& model) {
  const QuietErrors quiet;
  Discipline discipline;
  const std::unique_ptr<Agraph_t, CloseGraph> graph{agopen(mutable_text("nccl"), Agdirected, &discipline)};
  if (!graph) return false;
  set(graph.get(), "labelloc", "t");
  agattr(graph.get(), AGNODE, mutable_text("shape"), mutable_text("box"));
  draw_model(model, graph.get());
  std::string text;
  if (agwrite(graph.get(), &text) != 0) return false;
  out << text;
  return true;
}

}  // namespace nccl_analyze
