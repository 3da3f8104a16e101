// Reads the JSON of PyTorch's flight recorder (torch/csrc/distributed/c10d/FlightRecorderDetail.hpp, format 2.x): the
// output of `_dump_fr_trace_json`, and the content of its pickles (pickle.h).

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evidence/formats.h"
#include "evidence/json_text.h"
#include "evidence/json_values.h"
#include "evidence/wording.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_groups = 4096;
constexpr std::size_t max_members = std::size_t{1} << 20;
constexpr std::size_t max_members_text = 8000;  // bytes; a fact truncates longer text
constexpr std::size_t max_peers = 64;           // limit for the receives, and for the sends, of a group

/// Operations whose OpType in PyTorch is not simply their profiled name in capitals.
struct OperationName {
  std::string_view profiled, type;
};
constexpr std::array<OperationName, 11> operation_names{
    {{"all_reduce", "ALLREDUCE"},
     {"all_reduce_coalesced", "ALLREDUCE_COALESCED"},
     {"all_reduce_barrier", "BARRIER"},
     {"all_gather", "ALLGATHER"},
     {"_all_gather_base", "_ALLGATHER_BASE"},
     {"all_gather_into_tensor_coalesced", "ALLGATHER_INTO_TENSOR_COALESCED"},
     {"_reduce_scatter_base", "_REDUCE_SCATTER_BASE"},
     {"all_to_all", "ALLTOALL"},
     {"all_to_allv", "ALLTOALL_BASE"},
     {"all_to_all_single", "ALLTOALL_BASE"},
     {"broadcast_coalesced", "BROADCAST_COALESCED"}}};

/// Returns the operation in a profiled name: `send` for `nccl:send 0->1`.
std::string_view profiled_operation(std::string_view profiled) {
  profiled = profiled.substr(profiled.find(':') == std::string_view::npos ? 0 : profiled.find(':') + 1);
  return profiled.substr(0, profiled.find(' '));
}

/// Returns the OpType of an operation from its profiled name: `ALLREDUCE` for `nccl:all_reduce`.
std::string operation_of(std::string_view profiled) {
  profiled = profiled_operation(profiled);
  const auto known = std::ranges::find(operation_names, profiled, &OperationName::profiled);
  if (known != operation_names.end()) return std::string(known->type);
  std::string type(profiled);
  std::ranges::transform(type, type.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return type;
}

/// Returns at most `max_members` ranks of a process group. The member `ranks` is a list, or a text such as `[0, 1]`.
std::vector<std::int64_t> members_of(const Json& group) {
  std::vector<std::int64_t> ranks;
  for (const Json& rank : list(group, "ranks"))
    if (rank.is_number_integer() && ranks.size() < max_members) ranks.push_back(rank.get<std::int64_t>());
  std::string_view rest = text(group, "ranks");
  while (!rest.empty() && ranks.size() < max_members) {
    rest = rest.substr(std::min(rest.find_first_of("0123456789"), rest.size()));
    const std::size_t end = std::min(rest.find_first_not_of("0123456789"), rest.size());
    std::int64_t rank = -1;
    if (end > 0 && read_number(rest.substr(0, end), rank)) ranks.push_back(rank);
    rest = rest.substr(end);
  }
  return ranks;
}

/// Formats ranks as ranges: `0-7,16`. Empty if there are no ranks. Of a text that would exceed `max_members_text`
/// only the beginning is kept, after a `#`; groups are still compared by it.
std::string members_text(const std::vector<std::int64_t>& ranks) {
  std::string out;
  for (std::size_t i = 0; i < ranks.size() && out.size() <= max_members_text;) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!out.empty()) out += ',';
    out += std::to_string(ranks[i]);
    if (last > i) out += '-' + std::to_string(ranks[last]);
    i = last + 1;
  }
  return out.size() > max_members_text ? "#" + out.substr(0, 100) : out;
}

/// A send or receive, by the name of its entry: `nccl:recv 0<-1`.
struct Transfer {
  bool is_receive = false;
  std::int64_t peer = -1;  ///< The other rank, numbered in the process group; -1 if the name does not tell it.
};

std::optional<Transfer> transfer_in(std::string_view profiled) {
  const std::string_view operation = profiled_operation(profiled);
  if (operation != "send" && operation != "recv") return std::nullopt;
  Transfer transfer{.is_receive = operation == "recv", .peer = -1};
  const std::size_t arrow = profiled.find(transfer.is_receive ? "<-" : "->");
  if (arrow == std::string_view::npos || !read_number(profiled.substr(arrow + 2), transfer.peer) || transfer.peer < 0)
    transfer.peer = -1;
  return transfer;
}

/// Returns the number of elements in all tensors of a list of shapes; -1 if the list is empty or a shape is invalid.
std::int64_t elements_of(const Json& entry, const char* key) {
  constexpr std::int64_t most = std::int64_t{1} << 50;
  if (!list(entry, key).is_array() || list(entry, key).empty()) return -1;
  std::int64_t sum = 0;
  for (const Json& shape : list(entry, key)) {
    std::int64_t elements = 1;
    if (!shape.is_array()) return -1;
    for (const Json& size : shape) {
      if (!size.is_number_integer()) return -1;
      const auto one = size.get<std::int64_t>();
      if (one < 0 || (one > 0 && elements > most / one)) return -1;
      elements *= one;
    }
    sum = std::min(sum + elements, most);
  }
  return sum;
}

/// Returns the size in bytes of an element of a PyTorch type; 0 if the type is not known.
int bytes_of_type(std::string_view type) {
  constexpr std::pair<std::string_view, int> types[]{
      {"Float", 4}, {"BFloat16", 2}, {"Half", 2}, {"Double", 8}, {"Byte", 1},          {"Char", 1},
      {"Int", 4},   {"Long", 8},     {"Bool", 1}, {"Short", 2},  {"Float8_e4m3fn", 1}, {"Float8_e5m2", 1}};
  const auto* const known = std::ranges::find(types, type, &std::pair<std::string_view, int>::first);
  return known == std::end(types) ? 0 : known->second;
}

/// An operation whose durations are recorded: every rank stays until the end of the transfer, and PyTorch copies
/// nothing before or after it.
struct TimedOperation {
  std::string_view profiled, name;
  bool has_part_in = false, has_part_out = false;  ///< Whether the tensor has the part of one rank only.
};
constexpr std::array<TimedOperation, 3> timed_operations{{{"nccl:all_reduce", "AllReduce"},
                                                          {"nccl:_all_gather_base", "AllGather", true, false},
                                                          {"nccl:_reduce_scatter_base", "ReduceScatter", false, true}}};

/// The shortest duration of the largest message of an operation.
struct Shortest {
  std::int64_t size = -1;
  double microseconds = 0;
  const Json* entry = nullptr;
};

/// The numbers of the last collective and of the last send or receive with an entry. PyTorch gives each operation of a
/// coalesced group an entry whose state never changes, and then the whole group one with the same numbers, whose state
/// is that of all: the last entry of a number counts.
using Numbers = std::pair<std::int64_t, std::int64_t>;

Numbers numbers_of(const Json& entry) { return {integer(entry, "collective_seq_id"), integer(entry, "p2p_seq_id")}; }

bool is_complete(const Json& entry) { return text(entry, "state") == "completed"; }
bool is_open(const Json& entry) { return text(entry, "state") == "scheduled" || text(entry, "state") == "started"; }

/// The entries of one process group. Collectives and transfers (sends, receives and groups of them) have numbers of
/// their own.
struct Group {
  std::string name, description, members;
  const Json* config = nullptr;  ///< Its object in `pg_config`; null if it has none.
  std::size_t ranks = 0;
  std::map<std::int64_t, const Json*> collectives;  ///< By number.
  std::map<Numbers, const Json*> transfers;
  std::vector<const Json*> peers;  ///< The entries that name the other rank of a send or receive.
  const Json* newest = nullptr;    ///< The last entry of the group so far.
  std::array<Shortest, timed_operations.size()> shortest;
};

/// The sends and receives of a group that are not complete.
struct OpenTransfers {
  const Json* first = nullptr;
  std::set<std::int64_t> receives, sends;  ///< The other ranks, numbered in the process group.
};

class Dump {
 public:
  Dump(const Json& document, JsonText& source) : document_(document), source_(source) {}

  void read(Facts& facts) {
    for (const auto& [key, config] : object(document_, "pg_config").items())
      if (config.is_object()) {
        const std::vector<std::int64_t> members = members_of(config);
        Group& group = group_of(key, text(config, "desc"));
        group.config = &config;
        group.members = members_text(members);
        group.ranks = members.size();
      }
    for (const Json& entry : list(document_, "entries")) read_entry(entry);
    for (const auto& [name, group] : groups_) add(group, facts);
  }

 private:
  /// Returns the group with this name. Groups beyond the limit share `spare_`, which gives no fact.
  Group& group_of(std::string_view name, std::string_view description) {
    const auto known = groups_.find(std::string(name));
    if (known != groups_.end()) return known->second;
    if (groups_.size() >= max_groups) return spare_;
    Group& made = groups_[std::string(name)];
    made.name = name;
    made.description = description;
    return made;
  }

  void read_entry(const Json& entry) {
    const Json& names = list(entry, "process_group");
    const std::int64_t sequence = integer(entry, "collective_seq_id");
    const bool named = names.size() >= 2 && names[0].is_string() && names[1].is_string();
    if (!named || sequence < 0) return;
    Group& group = group_of(names[0].get_ref<const std::string&>(), names[1].get_ref<const std::string&>());
    const std::string_view profiled = text(entry, "profiling_name");
    const bool is_named_transfer = transfer_in(profiled).has_value();
    const bool is_end = profiled_operation(profiled) == "coalesced" && !flag(entry, "is_p2p");
    const Json* const previous = std::exchange(group.newest, &entry);
    // The operations before it were overwritten, so that it may be the end of collectives, or of sends and receives. If
    // it is open, the rank waits in it, and the dump does not name the ranks that it waits for.
    const bool is_ambiguous = is_end && previous == nullptr && numbers_of(entry).second > 0;
    if (is_ambiguous && !is_open(entry)) return;
    if (is_named_transfer) group.peers.push_back(&entry);
    if (is_named_transfer || flag(entry, "is_p2p") || is_ambiguous ||
        (is_end && ends_transfers(group, previous, entry))) {
      group.transfers[numbers_of(entry)] = &entry;
      return;
    }
    group.collectives[sequence] = &entry;
    if (is_complete(entry)) read_duration(entry, group);
  }

  /// Whether the entry of a coalesced group is that of sends and receives, which PyTorch marks as a collective: it has
  /// the numbers of the entry before it, where a collective has a number of its own.
  static bool ends_transfers(const Group& group, const Json* previous, const Json& entry) {
    const auto known = group.transfers.find(numbers_of(entry));
    return previous != nullptr && known != group.transfers.end() && known->second == previous;
  }

  /// Keeps the duration, which is there with TORCH_NCCL_ENABLE_TIMING only, if it is the shortest one of the largest
  /// message.
  static void read_duration(const Json& entry, Group& group) {
    const double milliseconds = real_of(entry, "duration_ms");
    const auto* const operation =
        std::ranges::find(timed_operations, text(entry, "profiling_name"), &TimedOperation::profiled);
    if (milliseconds <= 0 || operation == timed_operations.end()) return;
    const std::int64_t size = size_of(entry, *operation, group.ranks);
    Shortest& known = group.shortest[static_cast<std::size_t>(operation - timed_operations.begin())];
    const double microseconds = milliseconds * 1000;
    if (size < 0 || size < known.size || (size == known.size && microseconds >= known.microseconds)) return;
    known = {.size = size, .microseconds = microseconds, .entry = &entry};
  }

  /// Returns the bytes of an operation as nccl-tests counts them: of the tensor with the data of all ranks. -1 if the
  /// tensors do not show them.
  static std::int64_t size_of(const Json& entry, const TimedOperation& operation, std::size_t ranks) {
    const Json& types = list(entry, "input_dtypes");
    const int bytes =
        types.empty() || !types[0].is_string() ? 0 : bytes_of_type(types[0].get_ref<const std::string&>());
    const std::int64_t in = elements_of(entry, "input_sizes"), out = elements_of(entry, "output_sizes");
    constexpr std::int64_t most = std::int64_t{1} << 36U;
    if (bytes == 0 || std::min(in, out) <= 0 || std::max(in, out) > most || ranks < 2) return -1;
    const auto all = static_cast<std::int64_t>(ranks);
    const std::int64_t whole = in * (operation.has_part_in ? all : 1);
    return whole == out * (operation.has_part_out ? all : 1) ? whole * bytes : -1;
  }

  void add_durations(const Group& group, Facts& facts) const {
    for (std::size_t i = 0; i < group.shortest.size(); ++i) {
      const Shortest& one = group.shortest[i];
      if (one.entry == nullptr) continue;
      facts.emplace_back(DurationRecorded{.tool = "flight recorder",
                                          .comm_id = {},
                                          .group = group.name,
                                          .description = group.description,
                                          .operation = timed_operations[i].name,
                                          .rank = int32_of(document_, "rank"),
                                          .nranks = static_cast<int>(group.ranks),
                                          .size = one.size,
                                          .microseconds = one.microseconds},
                         source_.shown(*one.entry, {"collective_seq_id", "profiling_name", "duration_ms"}));
    }
  }

  /// Finds the sends and receives that are not complete. -1 stands for ranks beyond the limit, and for the other ends
  /// of operations that a dump no longer holds.
  static OpenTransfers open_transfers(const Group& group) {
    OpenTransfers open;
    std::set<Numbers> named;
    for (const Json* entry : group.peers) {
      const auto [is_receive, peer] = *transfer_in(text(*entry, "profiling_name"));
      named.insert(numbers_of(*entry));
      if (!is_open(*group.transfers.at(numbers_of(*entry)))) continue;
      if (open.first == nullptr) open.first = entry;
      std::set<std::int64_t>& peers = is_receive ? open.receives : open.sends;
      peers.insert(peers.size() < max_peers ? peer : -1);
    }
    for (const auto& [numbers, entry] : group.transfers) {
      if (named.contains(numbers) || !is_open(*entry)) continue;
      if (open.first == nullptr) open.first = entry;
      open.receives.insert(-1);
    }
    return open;
  }

  /// Lists ranks of a process group by their numbers in the job: `3,5`; `?` for one whose number is not known.
  static std::string in_job(const std::set<std::int64_t>& peers, const std::vector<std::int64_t>& members) {
    std::string out;
    for (const std::int64_t peer : peers) {
      const bool is_known = peer >= 0 && static_cast<std::size_t>(peer) < members.size();
      if (!out.empty()) out += ',';
      out += is_known ? std::to_string(members[static_cast<std::size_t>(peer)]) : std::string("?");
    }
    return out;
  }

  void add(const Group& group, Facts& facts) const {
    if (group.collectives.empty() && group.transfers.empty()) return;
    add_durations(group, facts);
    const OpenTransfers open = open_transfers(group);
    const bool has_peers = open.first != nullptr && group.config != nullptr;
    const std::vector<std::int64_t> members = has_peers ? members_of(*group.config) : std::vector<std::int64_t>();
    const std::string receives = in_job(open.receives, members), sends = in_job(open.sends, members);
    FlightRecorded found{.group = group.name,
                         .description = group.description,
                         .global_rank = int32_of(document_, "rank"),
                         .members = group.members,
                         .nranks = group.ranks == 0 ? -1 : static_cast<int>(group.ranks),
                         .transfers = group.transfers.empty() ? -1 : group.transfers.rbegin()->first.second,
                         .receives = receives,
                         .sends = sends,
                         .operation = {},
                         .state = {}};
    add_collectives(group, open.first, found, facts);
  }

  /// Adds the fact with what the collectives of the group show. `transfer`: the first send or receive that is not
  /// complete; null if there is none.
  void add_collectives(const Group& group, const Json* transfer, FlightRecorded& found, Facts& facts) const {
    const Json* first_open = nullptr;
    if (!group.collectives.empty()) found.enqueued = group.collectives.rbegin()->first;
    for (const auto& [number, entry] : group.collectives) {
      if (is_complete(*entry)) found.completed = number;
      if (first_open == nullptr && is_open(*entry)) first_open = entry;
    }
    if (first_open == nullptr && (transfer != nullptr || group.collectives.empty())) {
      const Json& shown = transfer != nullptr ? *transfer : *group.transfers.rbegin()->second;
      return static_cast<void>(
          facts.emplace_back(found, source_.shown(shown, {"p2p_seq_id", "profiling_name", "state"})));
    }
    const Json& entry = first_open != nullptr ? *first_open : *group.collectives.rbegin()->second;
    const std::string operation = operation_of(text(entry, "profiling_name"));
    if (first_open != nullptr) {
      found.state = text(entry, "state");
      found.operation = operation;
      found.sequence = integer(entry, "collective_seq_id");
      found.elements_in = elements_of(entry, "input_sizes");
      found.elements_out = elements_of(entry, "output_sizes");
      found.timeout = integer(entry, "timeout_ms");
    }
    facts.emplace_back(found, source_.shown(entry, {"collective_seq_id", "profiling_name", "state"}));
  }

  const Json& document_;
  JsonText& source_;
  std::map<std::string, Group> groups_;
  Group spare_;
};

}  // namespace

void read_flight_recorder(const Json& document, JsonText& source, Facts& facts) { Dump(document, source).read(facts); }

}  // namespace nccl_analyze::evidence
