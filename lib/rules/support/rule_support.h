#pragma once
/// Small pure helpers that several rules share: texts of messages, and queries on the model.

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

// Texts of messages

inline void append_to(std::string& out, std::string_view part) { out += part; }
inline void append_to(std::string& out, std::integral auto part) { out += std::to_string(part); }

/// Concatenates strings and integers.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (append_to(out, parts), ...);
  return out;
}

/// `1 rank`, `4 ranks`.
std::string count_text(std::size_t count, std::string_view noun);
/// `0-3,7`; a set longer than `most` characters is cut after a comma: `0,2,...`.
std::string short_rank_set(std::vector<int> ranks, std::size_t most);
/// `rank 3`, `ranks 0-3,7`, or `12 ranks (0,2,...)` if the set is longer than `most` characters.
std::string ranks_text(const std::vector<int>& ranks, std::size_t most = 60);
/// Turns the first letter into upper case, for the start of a sentence.
std::string capitalized(std::string text);
/// `59.8 s`.
std::string seconds_text(double seconds);
/// `a`, `a and b`, `a, b and 5 more`.
std::string list_text(std::span<const std::string> items, std::size_t most = 4);
/// Text from the log without trailing blanks and full stops, truncated to `most` characters and `...`.
std::string excerpt(std::string_view text, std::size_t most = 200);
bool contains(std::string_view text, std::string_view part);
bool one_of(std::string_view text, std::initializer_list<std::string_view> choices);
/// Appends `item` unless the vector contains it already.
void add_once(std::vector<std::string>& items, std::string item);

// Settings

/// The value of an environment variable that the process printed; nullptr when the log does not show it.
inline const EnvValue* setting(const Process& process, std::string_view variable) { return process.env.find(variable); }
/// Whether the process printed the variable with a value that is neither empty nor 0.
bool switched_on(const Process& process, std::string_view variable);

/// Groups processes by message, where the message depends only on `word`, a value of the process. Neighbouring
/// processes mostly share that value, so a message is built and looked up only when the value changes.
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

// Evidence, processes, ranks and addresses

/// Evidence of a single line; empty when the line is unknown.
Evidence evidence_at(LineRef at);
/// Adds a line to the evidence unless the line is unknown.
void add_line(Evidence& evidence, LineRef at);
/// nullptr for -1 and for an index out of range.
const Process* process_of(const Model& model, Index index);
const Rank* find_rank(const Communicator& comm, int rank);
std::vector<int> logged_ranks(const Communicator& comm);
/// Ranks of the job whose log is not in the input; empty when the size of the job is unknown.
std::vector<int> unlogged_ranks(const Communicator& comm);
/// The first communicator with a rank of this process, or -1. Its rank numbers are mostly those of the whole job.
Index main_communicator(const Model& model, Index process);
/// `worker-2:101`; only the host when the pid is unknown.
std::string process_text(const Process& process);
/// `rank 2 (worker-2:101)`, `worker-2:101` when the rank is unknown.
std::string place_text(const Model& model, Index process);
/// Sets the scope of a finding: its processes, and the first communicator that contains any of them, with their ranks.
void set_scope(const Model& model, std::vector<Index> processes, Finding& finding);
/// `10.0.0.1` from `10.0.0.1<4242>`, `eth0:10.0.0.1<0>` and `10.0.0.1:4242`.
std::string_view ip_of(std::string_view address);
/// Index of ranks by bootstrap address, built for each communicator on its first query.
class RanksByAddress {
 public:
  explicit RanksByAddress(const Model& model) : model_(model) {}
  /// Ranks of the communicator that use this address, in rank order; empty for an unknown address.
  std::span<const Rank* const> at(Index communicator, std::string_view address);

 private:
  const Model& model_;
  std::map<Index, std::map<std::string_view, std::vector<const Rank*>>> known_;
};

/// Number of lines of this source that lost a part. Whole lines may be missing from such a source as well, so the
/// absence of a line proves nothing there.
std::uint64_t lost_lines(const Model& model, SourceId source);

/// Whether `missing` lines may have been lost: the sources of the communicator have at least as many damaged lines.
bool may_be_lost(const Model& model, const Communicator& comm, std::size_t missing);

/// Whether the input shows the start of every rank's process (bootstrap, network, version). Without it the input is
/// probably an excerpt, in which the absence of a line proves nothing.
bool has_heads(const Model& model, const Communicator& comm);

/// Whether the data of this communicator is complete and unambiguous: every rank has an Init START, no source lost or
/// reassembled lines, and no line may belong to another communicator. Only then do contradictions between ranks prove a
/// fault of the job instead of the log.
bool is_proven(const Model& model, const Communicator& comm);

// Times

/// From this many seconds on, a phase of a rank's own initialisation counts as slow (NCA204).
inline constexpr double slow_phase = 5.0;
/// Seconds that the rank spent in NCCL before the bootstrap (kernels, alloc); 0 when the log has no timings.
double seconds_before_bootstrap(const Rank& rank);

// Nodes, hosts and incidents

/// Whether the communicator has several nodes by NCCL's own count. Without that count, several host names decide, or
/// two ranks of one apparent process with the same GPU, which prove that several hosts share a name.
bool spans_nodes(const Model& model, const Communicator& comm);
/// Whether any communicator spans nodes.
bool spans_nodes(const Model& model);
/// Whether the input proves or disproves a statement. For an open statement a rule may still warn conditionally; see
/// if_it_spans_hosts.
enum class Proof : std::uint8_t { disproven, open, proven };
/// Whether the job of this process spans hosts: proven if any of its communicators spans nodes, disproven if one of
/// them is known to have a single node, or has all its ranks in the input on a single host.
Proof spans_hosts(const Model& model, Index process);
/// Whether one communicator spans hosts.
Proof spans_hosts(const Model& model, const Communicator& comm);
/// Whether the job of several processes spans hosts: proven if proven for any process, disproven if disproven for all.
/// Open for an empty list.
Proof spans_hosts(const Model& model, const std::vector<Index>& processes);
/// End of a message for Proof::open.
inline constexpr std::string_view if_it_spans_hosts =
    ". It matters if the job spans hosts, which this input does not show";
/// The number of nodes that NCCL printed, else the number of hosts in the input.
std::size_t node_count(const Model& model, const Communicator& comm);
bool has_transport(const Communicator& comm, std::string_view transport);
/// Whether both ranks run on one machine, by host name, bootstrap address and GPU.
bool same_host(const Model& model, const Rank& a, const Rank& b);
/// Whether NVLink connects the GPUs of this AWS instance type.
bool has_nvlink(std::string_view instance_type);

/// Whether a CUDA error shows that the driver of the host is too old or does not fit (NCA212).
bool is_driver_too_old(const Incident& incident);

/// Makes one finding for each distinct `message` of the incidents of these kinds, and claims these incidents. An
/// incident with an empty message is skipped.
std::vector<Finding> incident_findings(const Model& model, std::initializer_list<IncidentKind> kinds,
                                       std::string (*message)(const Incident&));
/// Like incident_findings(), for the incidents that belong to a rule by event or wording (is_about()).
std::vector<Finding> topic_findings(const Model& model, std::string_view rule, std::string (*message)(const Incident&));
/// Records that the finding accounts for the incident, and adds the incident's lines to the evidence.
void claim(const Model& model, const Incident& incident, Finding& finding);

}  // namespace nccl_analyze
