// Finds collectives that differ between ranks, and ranks that are behind, by COLL lines.

#include "rules/support/calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "model/stable_sort.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/completeness.h"
#include "rules/support/external_failures.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

bool differ(const CollectiveCall& a, const CollectiveCall& b) {
  if (a.operation != b.operation || a.root != b.root) return true;
  // An operator that the program defines may have a different number on each rank. Such operators have op -1 and are
  // not compared.
  if (a.op >= 0 && b.op >= 0 && a.op != b.op) return true;
  if (a.datatype < 0 || b.datatype < 0) return false;
  if (reduces(a.operation)) return a.datatype != b.datatype || a.count != b.count;
  const auto bytes = [](const CollectiveCall& call) {  // Unsigned, because numbers from a damaged line may overflow.
    return static_cast<std::uint64_t>(call.count) * static_cast<std::uint64_t>(datatype_size(call.datatype));
  };
  return bytes(a) != bytes(b);
}

/// Whether the log certainly has every call of the rank: its calls are logged from the start, and no line of its source
/// is damaged.
bool is_counted(const Model& model, const Rank& rank) {
  const Process* process = process_of(model, rank.process);
  return rank.calls && rank.calls->from_start && process != nullptr && count_damaged_lines(model, process->source) == 0;
}

/// Returns the ranks whose calls are all in the log. Empty if the communicator has fewer than two ranks, or if it is
/// uncertain which lines belong to it.
std::vector<const Rank*> counted_ranks(const Model& model, const Communicator& comm) {
  std::vector<const Rank*> ranks;
  if (comm.inferred || comm.nranks < 2 || (comm.comm_id == 0 && comm.parent < 0)) return ranks;
  for (const Rank& rank : comm.ranks)
    if (is_counted(model, rank)) ranks.push_back(&rank);
  return ranks;
}

std::uint64_t first_kept(const Calls& calls) {
  return calls.total > Calls::max_recent ? calls.total - Calls::max_recent : 0;
}

/// Returns the lowest number at which two ranks have different calls; nullopt if all calls in the model agree.
std::optional<std::uint64_t> first_difference(const std::vector<const Rank*>& ranks) {
  std::unordered_map<std::uint64_t, const CollectiveCall*> expected;
  std::optional<std::uint64_t> first;
  for (const Rank* rank : ranks)
    for (std::uint64_t number = first_kept(*rank->calls); number < rank->calls->total; ++number) {
      if (first && number >= *first) break;
      const CollectiveCall* const call = rank->calls->find(number);
      if (call == nullptr) continue;
      const auto [known, is_new] = expected.try_emplace(number, call);
      if (!is_new && differ(*known->second, *call)) first = number;
    }
  return first;
}

/// Returns the number of launches that opCount counted before call `number` and for which the log has no call. It is
/// the sum of the gaps between the opCounts of the kept calls, or the excess of opCount over `number` if that is
/// larger.
std::uint64_t unexplained_launches(const Calls& calls, std::uint64_t number) {
  const std::uint64_t count = calls.find(number)->op_count;
  std::uint64_t jumps = 0;
  for (std::uint64_t at = first_kept(calls) + 1; at <= number; ++at) {
    const CollectiveCall* const before = calls.find(at - 1);
    const CollectiveCall* const call = calls.find(at);
    if (before != nullptr && call != nullptr && call->op_count > before->op_count + 1)
      jumps += call->op_count - before->op_count - 1;
  }
  return std::max(jumps, count > number ? count - number : 0);
}

/// Whether the number of unexplained launches differs between ranks. A lost line causes such a difference, and shifts
/// the numbers of all later calls of its rank. Send and Recv may cause such a difference without any lost line.
bool may_have_lost_lines(const std::vector<const Rank*>& ranks, std::uint64_t number) {
  std::optional<std::uint64_t> launches;
  for (const Rank* rank : ranks) {
    if (rank->calls->find(number) == nullptr) continue;
    const std::uint64_t own = unexplained_launches(*rank->calls, number);
    if (launches.value_or(own) != own) return true;
    launches = own;
  }
  return false;
}

std::vector<CallGroup> groups_at(const std::vector<const Rank*>& ranks, std::uint64_t number) {
  std::vector<CallGroup> groups;
  for (const Rank* rank : ranks) {
    const CollectiveCall* const call = rank->calls->find(number);
    if (call == nullptr) continue;
    auto same =
        std::find_if(groups.begin(), groups.end(), [&](const CallGroup& group) { return !differ(group.call, *call); });
    if (same == groups.end()) same = groups.insert(groups.end(), {*call, {}});
    same->ranks.push_back(rank);
  }
  sort_stably(groups, [](const CallGroup& a, const CallGroup& b) { return a.ranks.size() < b.ranks.size(); });
  return groups;
}

/// Whether the processes of the calls may be the ranks of one communicator: at least two processes, each with a single
/// communicator, all communicators of one size, and no more processes than that size. False also if the model does not
/// keep all their calls.
bool may_be_one_communicator(const std::vector<UnnamedCalls>& all) {
  if (all.size() < 2 || static_cast<int>(all.size()) > all.front().nranks) return false;
  std::set<Index> processes;
  for (const UnnamedCalls& one : all) {
    if (one.nranks != all.front().nranks || one.calls.total > Calls::max_recent) return false;
    processes.insert(one.process);
  }
  return processes.size() == all.size();
}

/// Whether each process makes the same calls in the same order as the first process, as far as both have calls. Only
/// their opCounts may differ.
bool agree_in_order(const std::vector<UnnamedCalls>& all) {
  for (const UnnamedCalls& one : all)
    for (std::uint64_t number = 0; number < std::min(one.calls.total, all.front().calls.total); ++number)
      if (differ(*one.calls.find(number), *all.front().calls.find(number))) return false;
  return true;
}

using CallsAt = std::map<std::uint64_t, std::vector<UnnamedCall>>;

/// Returns the calls by opCount. An opCount at which a process makes several calls is left out, because it does not
/// identify a call.
CallsAt calls_by_count(const std::vector<UnnamedCalls>& all) {
  CallsAt calls;
  std::set<std::uint64_t> repeated;
  for (const UnnamedCalls& one : all)
    for (std::uint64_t number = 0; number < one.calls.total; ++number) {
      const CollectiveCall& call = *one.calls.find(number);
      std::vector<UnnamedCall>& at = calls[call.op_count];
      if (!at.empty() && at.back().process == one.process) repeated.insert(call.op_count);
      at.push_back({.process = one.process, .device = one.device, .call = call});
    }
  for (const std::uint64_t count : repeated) calls.erase(count);
  return calls;
}

std::vector<std::vector<UnnamedCall>> groups_of(const std::vector<UnnamedCall>& calls) {
  std::vector<std::vector<UnnamedCall>> groups;
  for (const UnnamedCall& one : calls) {
    const auto same = std::ranges::find_if(
        groups, [&](const std::vector<UnnamedCall>& group) { return !differ(group.front().call, one.call); });
    if (same == groups.end())
      groups.push_back({one});
    else
      same->push_back(one);
  }
  sort_stably_by(groups, &std::vector<UnnamedCall>::size);
  return groups;
}

}  // namespace

std::optional<UnnamedCallMismatch> find_unnamed_call_mismatch(const Model& model) {
  const std::vector<UnnamedCalls>& all = model.unnamed_calls;
  if (!model.communicators.empty() || !may_be_one_communicator(all) || agree_in_order(all)) return std::nullopt;
  for (const auto& [count, calls] : calls_by_count(all)) {
    std::vector<std::vector<UnnamedCall>> groups = groups_of(calls);
    if (groups.size() < 2) continue;
    if (groups.size() > 2 || groups.front().size() == groups.back().size()) return std::nullopt;
    return UnnamedCallMismatch{.op_count = count, .nranks = all.front().nranks, .groups = std::move(groups)};
  }
  return std::nullopt;
}

bool unnamed_calls_agree(const Model& model) {
  const std::vector<UnnamedCalls>& all = model.unnamed_calls;
  return may_be_one_communicator(all) && agree_in_order(all) &&
         std::ranges::all_of(all, [](const UnnamedCalls& one) { return one.calls.total > 0; });
}

std::string call_text(const CollectiveCall& call) {
  std::string text(to_string(call.operation));
  if (reduces(call.operation))
    text += concat(" (", call.op < 0 ? std::string_view("own operator") : redop_name(call.op), ")");
  if (call.count >= 0) text += concat(" of ", call.count, call.datatype < 0 ? "" : " ", datatype_name(call.datatype));
  const bool is_source = call.operation == Operation::broadcast || call.operation == Operation::scatter;
  if (call.root >= 0) text += concat(is_source ? " from rank " : " to rank ", call.root);
  return text;
}

std::optional<CallMismatch> find_call_mismatch(const Model& model, const Communicator& comm) {
  const std::vector<const Rank*> ranks = counted_ranks(model, comm);
  const std::optional<std::uint64_t> number = first_difference(ranks);
  if (!number || may_have_lost_lines(ranks, *number)) return std::nullopt;
  CallMismatch mismatch{.number = *number, .may_be_earlier = false, .groups = groups_at(ranks, *number)};
  for (const Rank* rank : ranks)
    mismatch.may_be_earlier = mismatch.may_be_earlier || (*number > 0 && rank->calls->total > *number &&
                                                          rank->calls->find(*number - 1) == nullptr);
  return mismatch.groups.size() < 2 ? std::nullopt : std::optional{std::move(mismatch)};
}

std::optional<Stragglers> find_stragglers(const Model& model, const Communicator& comm) {
  if (!has_watchdog_timeout(model)) return std::nullopt;
  const std::vector<const Rank*> ranks = counted_ranks(model, comm);
  if (ranks.size() < comm.ranks.size() || ranks.size() < 2) return std::nullopt;
  const auto total = [](const Rank* rank) { return rank->calls->total; };
  std::uint64_t most = 0;
  for (const Rank* rank : ranks) most = std::max(most, total(rank));
  Stragglers found;
  for (const Rank* rank : ranks) (total(rank) < most ? found.behind : found.others).push_back(rank);
  if (found.behind.empty() || found.behind.size() > found.others.size()) return std::nullopt;
  return find_call_mismatch(model, comm) ? std::nullopt : std::optional{std::move(found)};
}

std::string last_calls_text(const Model& model, const Communicator& comm) {
  std::map<std::uint64_t, std::vector<const Rank*>, std::greater<>> by_total;
  for (const Rank* rank : counted_ranks(model, comm)) by_total[rank->calls->total].push_back(rank);
  std::vector<std::string> parts;
  for (const auto& [total, ranks] : by_total) {
    std::vector<int> numbers;
    for (const Rank* rank : ranks) numbers.push_back(rank->rank);
    const CollectiveCall* const last = total == 0 ? nullptr : ranks.front()->calls->find(total - 1);
    parts.push_back(concat(ranks_text(numbers), " called ", count_text(static_cast<std::size_t>(total), "collective"),
                           last == nullptr ? std::string() : concat(", the last one ", call_text(*last))));
  }
  return list_text(parts);
}

}  // namespace nccl_analyze
