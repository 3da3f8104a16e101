// Collectives that ranks call.

#include "model/calls.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "model/build/builder.h"

namespace nccl_analyze {

namespace {

struct OperationWords {
  std::string_view name;
  bool reduces, has_root;
};
constexpr std::array<OperationWords, 10> operations = {{{"AllReduce", true, false},
                                                        {"AllGather", false, false},
                                                        {"ReduceScatter", true, false},
                                                        {"Broadcast", false, true},
                                                        {"Reduce", true, true},
                                                        {"AlltoAll", false, false},
                                                        {"Gather", false, true},
                                                        {"Scatter", false, true},
                                                        {"Send", false, true},
                                                        {"Recv", false, true}}};
static_assert(operations.size() == static_cast<std::size_t>(Operation::recv) + 1);

struct Datatype {
  std::string_view name;
  std::int64_t size;
};
constexpr std::array<Datatype, 12> datatypes = {{{"int8", 1},
                                                 {"uint8", 1},
                                                 {"int32", 4},
                                                 {"uint32", 4},
                                                 {"int64", 8},
                                                 {"uint64", 8},
                                                 {"float16", 2},
                                                 {"float32", 4},
                                                 {"float64", 8},
                                                 {"bfloat16", 2},
                                                 {"float8e4m3", 1},
                                                 {"float8e5m2", 1}}};

constexpr std::array<std::string_view, 5> redops = {"sum", "prod", "max", "min", "avg"};

bool is_index(int number, std::size_t size) { return number >= 0 && static_cast<std::size_t>(number) < size; }

}  // namespace

std::string_view to_string(Operation operation) { return operations[static_cast<std::size_t>(operation)].name; }

bool reduces(Operation operation) { return operations[static_cast<std::size_t>(operation)].reduces; }

std::string_view datatype_name(int datatype) {
  return is_index(datatype, datatypes.size()) ? datatypes[static_cast<std::size_t>(datatype)].name : std::string_view{};
}

std::int64_t datatype_size(int datatype) {
  return is_index(datatype, datatypes.size()) ? datatypes[static_cast<std::size_t>(datatype)].size : 0;
}

std::string_view redop_name(int op) {
  return is_index(op, redops.size()) ? redops[static_cast<std::size_t>(op)] : std::string_view{};
}

const CollectiveCall* Calls::find(std::uint64_t number) const {
  const auto slot = static_cast<std::size_t>(number % max_recent);
  return number < total && total - number <= max_recent && slot < recent_.size() ? &recent_[slot] : nullptr;
}

void Calls::add(const CollectiveCall& call, std::uint64_t times) {
  last = call;
  if (!draft::is_counted(call)) return;
  if (total == 0) first_op_count = call.op_count;
  total += times;
  const auto slot = static_cast<std::size_t>((total - 1) % max_recent);
  if (slot >= recent_.size()) recent_.resize(slot + 1);
  recent_[slot] = call;
}

namespace draft {

namespace {

/// Of a rank whose last calls may be in another log: no count of NCCL's follows it.
constexpr std::uint64_t not_numbered = std::numeric_limits<std::uint64_t>::max();

/// Ranks whose calls alone are known; each takes up to two kilobytes.
constexpr std::size_t max_unnamed = std::size_t{1} << 15;

/// The end of all when it is none that is known.
const OperationWords* operation_of(const CollectiveCalled& event) {
  return std::find_if(operations.begin(), operations.end(),
                      [&](const OperationWords& one) { return one.name == event.operation; });
}

}  // namespace

std::optional<CollectiveCall> call_of(const CollectiveCalled& event, LineRef at) {
  const OperationWords* const known = operation_of(event);
  if (known == operations.end()) return std::nullopt;
  const auto small = [](int number, std::size_t size) {
    return static_cast<std::int8_t>(is_index(number, size) ? number : -1);
  };
  return CollectiveCall{.at = at,
                        .op_count = event.op_count.value,
                        .count = event.count,
                        .root = known->has_root ? event.root : -1,
                        .operation = static_cast<Operation>(known - operations.begin()),
                        .datatype = small(event.datatype, datatypes.size()),
                        .op = small(known->reduces ? event.op : -1, redops.size())};
}

bool is_counted(const CollectiveCall& call) { return call.operation < Operation::send && call.count != 0; }

void Folding::apply(const CollectiveCalled& event) {
  note_progress();
  const LiveRank* const live = process_->by_pointer.find(event.comm.value);
  if (live == nullptr) {
    process_->parted = process_->parted || operation_of(event) != operations.end();
    return add_unnamed_call(event);
  }
  const std::optional<CollectiveCall> call = call_of(event, record_->at);
  if (!call) return;
  Rank& rank = rank_of(live->ref);
  if (!rank.calls) rank.calls.emplace().from_start = rank.state == RankState::complete;
  rank.calls->add(*call, record_->times);
}

void Folding::add_unnamed_call(const CollectiveCalled& event) {
  const std::optional<CollectiveCall> call = call_of(event, record_->at);
  if (!call || event.comm.value == 0 || event.nranks <= 0 || event.nranks > limits_.max_ranks) return;
  const auto [known, is_new] = unnamed_index_.try_emplace({process_number_, event.comm.value}, unnamed_calls_.size());
  if (is_new && unnamed_calls_.size() == max_unnamed) {
    unnamed_index_.erase(known);
    dropped_ += record_->times;
    return;
  }
  if (is_new)
    unnamed_calls_.push_back({.process = process_number_,
                              .comm = event.comm.value,
                              .nranks = event.nranks,
                              .device = record_->origin.device,
                              .calls = {}});
  UnnamedCalls& own = unnamed_calls_[known->second];
  // a pointer that is used again for a communicator of another size
  if (own.nranks != event.nranks) own = {own.process, own.comm, event.nranks, own.device, {}};
  own.calls.add(*call, record_->times);
}

void Folding::drop_known_calls() {
  unnamed_index_.clear();
  if (unnamed_calls_.empty()) return;
  std::vector<Index> oldest(job_.processes.size());  // twins are chains from newer to older processes
  for (std::size_t i = 0; i < oldest.size(); ++i) {
    const Index twin = job_.processes[i].twin;
    oldest[i] = twin < 0 ? static_cast<Index>(i) : oldest[static_cast<std::size_t>(twin)];
  }
  std::set<std::pair<Index, std::uint64_t>> known;
  for (const CommDraft& comm : job_.comms)
    for (const Rank& rank : comm.comm.ranks)
      if (rank.process >= 0) known.emplace(oldest[static_cast<std::size_t>(rank.process)], rank.comm);
  std::erase_if(unnamed_calls_, [&](const UnnamedCalls& one) {
    return known.contains({oldest[static_cast<std::size_t>(one.process)], one.comm});
  });
}

void Folding::distrust_parted_logs() {
  // twins are chains from newer to older processes
  std::vector<bool> parted(job_.processes.size());
  const auto twin_of = [&](std::size_t i) { return static_cast<std::size_t>(job_.processes[i].twin); };
  for (std::size_t i = 0; i < parted.size(); ++i)
    parted[i] = job_.processes[i].parted || (job_.processes[i].twin >= 0 && parted[twin_of(i)]);
  for (std::size_t i = parted.size(); i-- > 0;)
    if (parted[i] && job_.processes[i].twin >= 0) parted[twin_of(i)] = true;
  for (CommDraft& comm : job_.comms)
    for (Rank& rank : comm.comm.ranks)
      if (rank.calls && rank.process >= 0 && parted[static_cast<std::size_t>(rank.process)]) {
        rank.calls->from_start = false;
        rank.calls->first_op_count = not_numbered;
      }
}

}  // namespace draft

}  // namespace nccl_analyze
