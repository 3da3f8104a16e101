#pragma once
/// Small pure helpers that several rules share: words for a message, and questions that many rules ask of a model.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "text/lower_case.h"

namespace nccl_analyze {

// ---- words ----

inline void append_to(std::string& out, std::string_view part) { out += part; }
inline void append_to(std::string& out, std::integral auto part) { out += std::to_string(part); }

/// The parts one after the other.
template <class... Parts>
std::string cat(const Parts&... parts) {
  std::string out;
  (append_to(out, parts), ...);
  return out;
}

/// `1 rank`, `4 ranks`.
std::string counted(std::size_t count, std::string_view noun);
/// `0-3,7`; one of more characters than `most` is cut behind an item: `0,2,...`.
std::string short_rank_set(std::vector<int> ranks, std::size_t most);
/// `rank 3`, `ranks 0-3,7`; of very many `12 ranks (0,2,...)`.
std::string ranks_text(const std::vector<int>& ranks, std::size_t most = 60);
/// The same at the start of a sentence.
std::string capitalized(std::string text);
/// `59.8 s`.
std::string seconds_text(double seconds);
/// `a`, `a and b`, `a, b and 5 more`.
std::string list_text(std::span<const std::string> items, std::size_t most = 4);
/// Text of the log, cut behind so many characters where it would drown the message.
std::string shortened(std::string_view text, std::size_t most = 200);
bool contains(std::string_view text, std::string_view part);
bool one_of(std::string_view text, std::initializer_list<std::string_view> choices);
/// Adds `item` unless it is there; keeps the order of first appearance.
void add_once(std::vector<std::string>& items, std::string item);

// ---- settings ----

/// The setting as this process printed it; nullptr when it did not print it.
inline const EnvValue* setting(const Process& process, std::string_view variable) { return process.env.find(variable); }
/// Printed with a value other than 0.
bool switched_on(const Process& process, std::string_view variable);

/// Groups by a message that a word of each process decides. Most processes have the word of the one before: only where
/// one has not, the message is put together and looked up.
template <class Group, class Word = Text>
class MessageGroups {
 public:
  template <class Message>
  Group& of(const Word& word, Message message) {
    if (last_ == nullptr || !(word == word_)) {
      last_ = &groups_[message()];
      word_ = word;
    }
    return *last_;
  }
  auto begin() { return groups_.begin(); }
  auto end() { return groups_.end(); }
  std::size_t size() const { return groups_.size(); }

 private:
  std::map<std::string, Group> groups_;
  Group* last_ = nullptr;
  Word word_;
};

// ---- places ----

Evidence evidence_at(LineRef at);
/// One more, where there is one.
void add_line(Evidence& evidence, LineRef at);
/// nullptr when the index names none.
const Process* process_of(const Model& model, Index index);
const Rank* find_rank(const Communicator& comm, int rank);
std::vector<int> logged_ranks(const Communicator& comm);
/// Ranks of the job whose log is not in the input; empty when the size of the job is unknown.
std::vector<int> unlogged_ranks(const Communicator& comm);
/// The first communicator that shows this process as a rank: the one whose numbering people use. -1 when none does.
Index main_communicator(const Model& model, Index process);
/// `worker-2:101`; without the process where its number is unknown.
std::string process_text(const Process& process);
/// `rank 2 (worker-2:101)`, `worker-2:101` when the rank is unknown.
std::string place_text(const Model& model, Index process);
/// Fills communicators, processes and ranks of a finding from the processes that it touches.
void concern(const Model& model, std::vector<Index> processes, Finding& finding);
/// `10.0.0.1` from `10.0.0.1<4242>`, `eth0:10.0.0.1<0>` and `10.0.0.1:4242`.
std::string_view ip_of(std::string_view address);
/// Ranks by the address that their process bootstraps from; a communicator's are sorted when it is first asked for.
class RanksByAddress {
 public:
  explicit RanksByAddress(const Model& model) : model_(model) {}
  /// In the order of ranks; none where an address is not known.
  std::span<const Rank* const> at(Index communicator, std::string_view address);

 private:
  const Model& model_;
  std::map<Index, std::map<std::string_view, std::vector<const Rank*>>> known_;
};

/// Lines of this source of which a part was lost: as many may be missing as a whole, and absence proves nothing then.
std::uint64_t lost_lines(const Model& model, SourceId source);

/// As many lines of its processes' sources are damaged as are missing.
bool may_be_lost(const Model& model, const Communicator& comm, std::size_t missing);

/// The input shows how each process of its ranks began: an excerpt seldom does, and absence in one proves nothing.
bool has_heads(const Model& model, const Communicator& comm);

/// All lines of its ranks came in one piece and from the start on, and there is no doubt that they are this
/// communicator's: two that contradict each other are a fault of the job, not of the log.
bool is_proven(const Model& model, const Communicator& comm);

// ---- times ----

/// Seconds from which a phase of a rank's own initialisation is slow in itself: NCA204.
inline constexpr double slow_phase = 5.0;
/// What the rank did inside NCCL before it reported to the others; 0 when it printed no timings.
double seconds_before_bootstrap(const Rank& rank);

// ---- the job ----

/// Several nodes as NCCL counts them, or ranks of several hosts when it did not say: by their names, or by a GPU that
/// two ranks of one process have.
bool spans_nodes(const Model& model, const Communicator& comm);
/// Some communicator spans nodes.
bool spans_nodes(const Model& model);
/// What the input proves of a statement. An excerpt often leaves it open: then a rule may warn, under the condition.
enum class Proof : std::uint8_t { disproven, open, proven };
/// Whether the job of this process spans hosts: proven by nodes, hosts or a connection between them; disproven by a
/// communicator of one node, or all of whose ranks are here on one host.
Proof spans_hosts(const Model& model, Index process);
/// The same of one communicator.
Proof spans_hosts(const Model& model, const Communicator& comm);
/// The same of several: proven where it is of one, disproven where it is of all; of none it is open.
Proof spans_hosts(const Model& model, const std::vector<Index>& processes);
/// What a message says where that is open.
inline constexpr std::string_view if_it_spans_hosts =
    ". It matters if the job spans hosts, which this input does not show";
/// NCCL's nodes; the hosts in the input when it did not say.
std::size_t node_count(const Model& model, const Communicator& comm);
bool has_transport(const Communicator& comm, std::string_view transport);
/// Both ranks run on one machine, as far as host name and address tell.
bool same_host(const Model& model, const Rank& a, const Rank& b);
/// An AWS instance type whose GPUs NVLink joins.
bool has_nvlink(std::string_view instance_type);

/// CUDA does not work with the driver of this host: NCA212.
bool is_driver_too_old(const Incident& incident);

/// One finding for each different text of the incidents of these kinds, which it claims; an empty text leaves an
/// incident out.
std::vector<Finding> incident_findings(const Model& model, std::initializer_list<IncidentKind> kinds,
                                       std::string (*message)(const Incident&));
/// The same of the incidents that belong to a rule by their event or wording.
std::vector<Finding> topic_findings(const Model& model, std::string_view rule, std::string (*message)(const Incident&));
/// The finding reports on the incident: its lines are evidence.
void claim(const Model& model, const Incident& incident, Finding& finding);

}  // namespace nccl_analyze
