// Tables of operations, data types and reductions, and the ring buffer of a rank's recent calls.

#include "model/calls.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

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
  if (!builder::is_counted(call)) return;
  if (total == 0) first_op_count = call.op_count;
  total += times;
  const auto slot = static_cast<std::size_t>((total - 1) % max_recent);
  if (slot >= recent_.size()) recent_.resize(slot + 1);
  recent_[slot] = call;
}

namespace builder {

namespace {

/// Returns the row of the event's operation in `operations`; the end of `operations` if the operation is unknown.
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
  // Filled where it is returned: a copy would wait until each of the small members is stored.
  std::optional<CollectiveCall> call(std::in_place);
  call->at = at;
  call->op_count = event.op_count.value;
  call->count = event.count;
  call->root = known->has_root ? event.root : -1;
  call->operation = static_cast<Operation>(known - operations.begin());
  call->datatype = small(event.datatype, datatypes.size());
  call->op = small(known->reduces ? event.op : -1, redops.size());
  return call;
}

bool is_counted(const CollectiveCall& call) { return call.operation < Operation::send && call.count != 0; }

}  // namespace builder

}  // namespace nccl_analyze
