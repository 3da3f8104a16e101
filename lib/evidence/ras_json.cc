// Reads the report that `ncclras -f json` prints (src/ras/client_support.cc of NCCL, 2.28.7+). Ranks that launched an
// operation equally often share one fact, because a report lists every rank of every communicator.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "evidence/formats.h"
#include "evidence/json_text.h"
#include "evidence/json_values.h"
#include "evidence/wording.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_operations = 16;
// Limit for each operation on the groups besides the largest, and also on the ranks that are listed from these groups.
constexpr std::size_t max_rank_groups = 256;
constexpr std::size_t max_ranks = 4096;  // lost or failed ranks of one communicator
constexpr std::size_t max_facts = std::size_t{1} << 18;

/// The values of ncclResult_t that are errors, from 1, in the words of ncclGetErrorString().
constexpr std::array<std::string_view, 6> errors = {
    "unhandled cuda error", "unhandled system error", "internal error",
    "invalid argument",     "invalid usage",          "remote process exited or there was a network error"};

/// Ranks that have launched an operation equally often.
using RankGroup = std::vector<const Json*>;

/// Whether a communicator of `nranks` ranks can have this rank. A damaged report may hold any number.
bool is_rank(const Json& rank, std::int64_t nranks) {
  const std::int64_t number = integer(rank, "rank");
  return number >= 0 && number < nranks;
}

class Report {
 public:
  Report(const Json& document, JsonText& source, Facts& facts) : document_(document), source_(source), facts_(facts) {}

  void read() {
    add(RasReported{.version = text(document_, "nccl_version"), .time = text(document_, "timestamp")}, document_,
        {"nccl_version", "timestamp"});
    for (const Json& comm : list(document_, "communicators")) read_communicator(comm);
  }

 private:
  /// Adds a fact unless there are max_facts already. `keys`: the members of `at` to quote.
  template <class E>
  void add(const E& event, const Json& at, std::initializer_list<std::string_view> keys) {
    if (facts_.size() < max_facts) facts_.emplace_back(event, source_.shown(at, keys));
  }

  void read_communicator(const Json& comm) {
    const std::int64_t nranks = integer(comm, "size");
    std::uint64_t hash = 0;
    const std::string_view id = text(comm, "hash");
    if (!id.starts_with("0x") || !read_hex(id.substr(2), hash) || !is_count(nranks)) return;
    add(RasCommunicatorReported{.comm_id = {hash},
                                .nranks = static_cast<int>(nranks),
                                .reported = static_cast<int>(list(comm, "ranks").size()),
                                .missing = static_cast<int>(list(comm, "missing_ranks").size())},
        comm, {"hash", "size"});
    read_counts(comm, nranks);
    read_errors(comm, hash, nranks);
    read_lost(comm, nranks);
  }

  static bool is_count(std::int64_t number) { return number > 0 && number <= std::int64_t{1} << 30; }

  void read_counts(const Json& comm, std::int64_t nranks) {
    std::map<std::string, std::map<std::int64_t, RankGroup>> operations;
    std::vector<bool> seen;
    for (const Json& rank : list(comm, "ranks")) {
      if (!is_rank(rank, nranks) || !is_first(integer(rank, "rank"), seen)) continue;
      for (const auto& [operation, count] : object(rank, "collective_counts").items()) {
        if (operation == offset_key || !count.is_number_unsigned()) continue;
        if (operations.size() >= max_operations && !operations.contains(operation)) continue;
        const std::int64_t launched = integer(object(rank, "collective_counts"), operation.c_str());
        if (launched >= 0) operations[operation][launched].push_back(&rank);
      }
    }
    for (const auto& [operation, groups] : operations)
      if (groups.rbegin()->first > 0) add_groups(operation, groups);
  }

  /// Whether `seen` lacks the number, which is then added; false from 2^24 on. A damaged report may list a rank twice.
  static bool is_first(std::int64_t number, std::vector<bool>& seen) {
    constexpr std::int64_t most = std::int64_t{1} << 24;
    if (number >= most) return false;
    const auto at = static_cast<std::size_t>(number);
    if (at >= seen.size()) seen.resize(at + 1);
    if (seen[at]) return false;
    return seen[at] = true;
  }

  void add_groups(const std::string& operation, const std::map<std::int64_t, RankGroup>& groups) {
    // Of groups of equal size, the one with the highest count is taken as the largest, so that the ranks that are
    // behind are listed.
    const auto largest = std::ranges::max_element(
        groups, {}, [](const auto& group) { return std::pair(group.second.size(), group.first); });
    std::size_t group_count = 0, listed = 0;
    for (auto group = groups.begin(); group != groups.end(); ++group) {
      if (group != largest && ++group_count > max_rank_groups) continue;
      add(RasRanksLaunched{.operation = operation,
                           .ranks = static_cast<std::int64_t>(group->second.size()),
                           .launched = group->first},
          object(*group->second.front(), "collective_counts"), {operation});
      for (const Json* rank : group->second)
        if (group != largest && ++listed <= max_rank_groups)
          add(RasRankLaunched{.rank = int32_of(*rank, "rank"),
                              .device = int32_of(*rank, "cuda_dev"),
                              .pid = integer(*rank, "pid"),
                              .host = text(*rank, "host"),
                              .operation = operation,
                              .launched = group->first},
              object(*rank, "collective_counts"), {operation});
    }
  }

  void read_errors(const Json& comm, std::uint64_t hash, std::int64_t nranks) {
    std::size_t count = 0;
    for (const Json& rank : list(comm, "ranks")) {
      const std::int64_t error = integer(object(rank, "status"), "async_error");
      if (!is_rank(rank, nranks) || error < 1 || error > static_cast<std::int64_t>(errors.size())) continue;
      if (++count > max_ranks) return;
      add(RasRankFailed{.comm_id = {hash},
                        .rank = int32_of(rank, "rank"),
                        .device = int32_of(rank, "cuda_dev"),
                        .pid = integer(rank, "pid"),
                        .host = text(rank, "host"),
                        .error = static_cast<int>(error),
                        .words = errors[static_cast<std::size_t>(error - 1)]},
          object(rank, "status"), {"async_error"});
    }
  }

  /// Adds the ranks that are dead or unresponsive. A missing rank that answers is not lost: its process no longer has
  /// the communicator, or does not have it yet.
  void read_lost(const Json& comm, std::int64_t nranks) {
    std::size_t count = 0;
    for (const Json& rank : list(comm, "missing_ranks")) {
      const Json& status = object(rank, "status");
      const bool dead = flag(status, "considered_dead");
      if (!is_rank(rank, nranks) || (!dead && !flag(status, "unresponsive"))) continue;
      if (++count > max_ranks) return;
      add(RasRankLost{.rank = int32_of(rank, "rank"),
                      .device = int32_of(rank, "cuda_dev"),
                      .pid = integer(rank, "pid"),
                      .host = text(rank, "host"),
                      .state = dead ? "dead" : "unresponsive"},
          status, {dead ? "considered_dead" : "unresponsive"});
    }
  }

  const Json& document_;
  JsonText& source_;
  Facts& facts_;
};

}  // namespace

void read_ras_json(const Json& document, JsonText& source, Facts& facts) { Report(document, source, facts).read(); }

}  // namespace nccl_analyze::evidence
