// Collects the hosts of a job and judges the counts of their devices.

#include "expect/places.h"

#include <algorithm>
#include <utility>

#include "nccl_analyze/rule_parts.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

/// Compares an amount with the expected number. If the amount is only a lower bound, it can prove `>` and `>=` and
/// disprove `=`, `<` and `<=`; any other outcome is unknown.
CheckStatus judge_amount(const Expectation& expected, const DeviceCount& amount) {
  if (amount.value < 0) return CheckStatus::unknown;
  const bool fits = fits_number(expected, amount.value);
  if (amount.whole) return status_of(fits);
  switch (expected.comparison) {
    case Comparison::at_least:
    case Comparison::greater:
      return fits ? CheckStatus::pass : CheckStatus::unknown;
    case Comparison::equal: {
      Expectation above = expected;
      above.comparison = Comparison::at_least;
      const bool exceeds = std::all_of(expected.values.begin(), expected.values.end(), [&](const std::string& value) {
        above.values = {value};
        return fits_number(above, amount.value - 1);
      });
      return exceeds ? CheckStatus::fail : CheckStatus::unknown;
    }
    case Comparison::less:
    case Comparison::at_most:
      return fits ? CheckStatus::unknown : CheckStatus::fail;
    case Comparison::present:
    case Comparison::not_equal:
      break;
  }
  return CheckStatus::unknown;
}

}  // namespace

std::vector<Place> places(const Model& model) {
  const std::vector<char> working = working_processes(model);
  std::vector<Place> all(model.hosts.size());
  std::vector<char> mixed(all.size(), 0);
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Host* const host = model.host_of(static_cast<Index>(i));
    if (host == nullptr || working[i] == 0) continue;
    const auto at = static_cast<std::size_t>(host - model.hosts.data());
    Place& place = all[at];
    place.host = host;
    place.processes.push_back(static_cast<Index>(i));
    // InfiniBand plugins have names such as IBext_v8, but Host::nics lists their NICs under IB.
    const std::string_view printed = model.processes[i].network;
    const std::string_view network = printed.starts_with("IB") ? "IB" : printed;
    if (network.empty() || network == place.network) continue;
    if (!place.network.empty()) mixed[at] = 1;
    place.network = network;
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (mixed[i] != 0) all[i].network.clear();
  std::erase_if(all, [](const Place& place) { return place.host == nullptr; });
  return all;
}

ExpectationAnswer judge_device_counts(const ExpectationCase& asked,
                                      const std::function<DeviceCount(const Place&)>& measure, const Silence& silence) {
  std::vector<Subject> subjects;
  for (const Place& place : places(asked.model)) {
    const DeviceCount amount = measure(place);
    Subject& subject = subjects.emplace_back();
    subject.process = place.processes.front();
    subject.status = judge_amount(asked.expected, amount);
    subject.evidence = amount.evidence;
    subject.amount = amount.value;
    if (amount.value >= 0)
      subject.value =
          concat(amount.whole ? "" : "at least ", count_text(static_cast<std::size_t>(amount.value), amount.noun));
  }
  return sum_up(asked, std::move(subjects), "host", silence);
}

bool has_every_rank(const Model& model) {
  const Communicator* const largest = largest_communicator(model);
  return largest != nullptr && largest->ranks.size() == static_cast<std::size_t>(largest->nranks);
}

void add_connections(const Model& model, std::string_view transport, Evidence& evidence) {
  for (const Communicator& comm : model.communicators)
    for (std::size_t i = 0; i < comm.transport_evidence.size(); ++i)
      if (comm.transports[i].starts_with(transport) && !comm.transport_evidence[i].lines.empty())
        add_line(evidence, comm.transport_evidence[i].lines.front());
}

void add_choice(const Model& model, const Place& place, Evidence& evidence) {
  for (const Index index : place.processes) add_line(evidence, model.processes[index].network_at);
}

ExpectationAnswer with_connections_as_evidence(const Model& model, std::string_view transport,
                                               ExpectationAnswer answer) {
  if (answer.status == CheckStatus::fail && answer.evidence.count == 0)
    add_connections(model, transport, answer.evidence);
  return answer;
}

}  // namespace nccl_analyze
