// Judges the expectations of each process: network, versions, interface, instance type, NVLS.

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "expect/expect.h"
#include "model/versions.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_value = 60;  // Limit on the bytes of a log value that an answer quotes.

/// Makes a subject for each process that is a rank or has a value. If a process has a value, `fits` decides between
/// pass and fail; else its status is unknown.
template <class Value, class Fits>
std::vector<Subject> process_subjects(const Model& model, Value value, LineRef Process::*at, Fits fits) {
  const std::vector<char> working = working_processes(model);
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Process& process = model.processes[i];
    std::string text = value(i);
    if (text.empty() && working[i] == 0) continue;
    Subject& subject = subjects.emplace_back();
    subject.process = static_cast<Index>(i);
    if (!text.empty()) subject.status = status_of(fits(text, process));
    subject.value = excerpt(text, max_value);
    subject.evidence = evidence_at(process.*at);
  }
  return subjects;
}

/// A name that users write for a network, and the names that NCCL prints for it.
struct Alias {
  std::string_view name;
  std::array<std::string_view, 2> networks;  ///< NCCL's names, in lower case.
  bool prefix;                               ///< Whether a longer name that begins with one of `networks` matches.
};
constexpr std::array<Alias, 5> aliases{{{"efa", {"libfabric", "aws libfabric"}, false},
                                        {"libfabric", {"libfabric", "aws libfabric"}, false},
                                        {"ib", {"ib", "gib"}, true},
                                        {"tcpx", {"gpudirecttcpx", "gpudirecttcpx"}, true},
                                        {"tcpxo", {"fastrak", "fastrak"}, false}}};

/// Whether a plugin printed a libfabric provider other than EFA, as in `..., provider tcp;ofi_rxm`.
bool has_other_provider(const Process& process) {
  return std::any_of(process.plugins.begin(), process.plugins.end(), [](const Plugin& plugin) {
    return contains(plugin.version, "provider ") && !contains(plugin.version, "provider efa");
  });
}

bool is_network(std::string_view wanted, std::string_view network, const Process& process) {
  const std::string name = lower_case(network);
  const std::string asked = lower_case(wanted);
  if (name == asked) return true;
  const auto* const alias =
      std::find_if(aliases.begin(), aliases.end(), [&](const Alias& one) { return one.name == asked; });
  if (alias == aliases.end()) return false;
  if (asked == "efa" && has_other_provider(process)) return false;
  return std::any_of(alias->networks.begin(), alias->networks.end(),
                     [&](std::string_view one) { return name == one || (alias->prefix && name.starts_with(one)); });
}

/// Returns the network of each process: the name after `Using network`, else the network of its first communicator
/// whose connections use exactly one network, else an empty string.
std::vector<std::string> networks(const Model& model) {
  std::vector<std::string> all(model.processes.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = model.processes[i].network.str();
  for (const Communicator& comm : model.communicators) {
    std::string only;
    for (const std::string& transport : comm.transports)
      if (transport.starts_with("NET/")) only = only.empty() ? transport.substr(4) : "?";
    if (only.empty() || only == "?") continue;
    for (const Rank& rank : comm.ranks)
      if (process_of(model, rank.process) != nullptr && all[static_cast<std::size_t>(rank.process)].empty())
        all[static_cast<std::size_t>(rank.process)] = only;
  }
  return all;
}

constexpr Silence no_network_line{"no line says which network NCCL uses"};
constexpr Silence no_version_line{"no version is told", "before NCCL 2.22 only rank 0 tells it"};

std::string driver_text(const Process& process) {
  return process.driver < 0 ? std::string{} : concat(process.driver / 1000, ".", process.driver % 1000 / 10);
}

std::string version_text(const Process& process) {
  if (process.version.empty()) return {};
  return concat(process.library.empty() ? std::string_view{"NCCL"} : process.library.view(), " ", process.version);
}

template <class Text>
ExpectationAnswer judge_versions(const ExpectationCase& asked, Text text, LineRef Process::*at,
                                 const Silence& silence) {
  const auto fits = [&](const std::string& value, const Process&) { return fits_version(asked.expected, value); };
  const auto value = [&](std::size_t i) { return text(asked.model.processes[i]); };
  return sum_up(asked, process_subjects(asked.model, value, at, fits), "process", silence);
}

/// Passes if all processes have the same value. Otherwise the processes without the most frequent value fail; if
/// several values are equally frequent, the first in alphabetical order counts as the most frequent.
template <class Value>
ExpectationAnswer judge_alike(const ExpectationCase& asked, Value value, LineRef Process::*at, const Silence& silence) {
  std::map<std::string, std::size_t> counts;
  for (std::size_t i = 0; i < asked.model.processes.size(); ++i)
    if (std::string text = value(i); !text.empty()) ++counts[std::move(text)];
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto fits = [&](const std::string& text, const Process&) { return text == most->first; };
  return sum_up(asked, process_subjects(asked.model, value, at, fits), "process", silence);
}

}  // namespace

ExpectationAnswer judge_network(const ExpectationCase& asked) {
  const std::vector<std::string> all = networks(asked.model);
  const auto fits = [&](const std::string& network, const Process& process) {
    const bool any = std::any_of(asked.expected.values.begin(), asked.expected.values.end(),
                                 [&](const std::string& wanted) { return is_network(wanted, network, process); });
    return any == (asked.expected.comparison == Comparison::equal);
  };
  const auto value = [&](std::size_t i) { return all[i]; };
  return sum_up(asked, process_subjects(asked.model, value, &Process::network_at, fits), "process", no_network_line);
}

ExpectationAnswer judge_version(const ExpectationCase& asked) {
  return judge_versions(
      asked, [](const Process& process) { return process.version.str(); }, &Process::version_at, no_version_line);
}

ExpectationAnswer judge_cuda(const ExpectationCase& asked) {
  return judge_versions(
      asked, [](const Process& process) { return process.toolkit.str(); }, &Process::version_at, no_version_line);
}

ExpectationAnswer judge_driver(const ExpectationCase& asked) {
  return judge_versions(asked, driver_text, &Process::driver_at, {"no line tells the driver", "NCCL 2.13.4+ does"});
}

ExpectationAnswer judge_platform(const ExpectationCase& asked) {
  // Old plugins print only the family of the instance type, such as P4d, so only the families are compared.
  const auto fits = [&](const std::string& value, const Process&) {
    if (contains(value, ".")) return fits_text(asked.expected, value);
    Expectation family = asked.expected;
    for (std::string& wanted : family.values) wanted.resize(std::min(wanted.find('.'), wanted.size()));
    return fits_text(family, value);
  };
  const auto value = [&](std::size_t i) { return asked.model.processes[i].platform.str(); };
  return sum_up(asked, process_subjects(asked.model, value, &Process::first, fits), "process",
                {"no line tells the instance type"});
}

ExpectationAnswer judge_interface(const ExpectationCase& asked) {
  const auto fits = [&](const std::string& value, const Process&) { return fits_text(asked.expected, value); };
  const auto value = [&](std::size_t i) { return asked.model.processes[i].bootstrap_interface.str(); };
  return sum_up(asked, process_subjects(asked.model, value, &Process::bootstrap_at, fits), "process",
                {"no line tells the bootstrap's interface"});
}

ExpectationAnswer judge_one_version(const ExpectationCase& asked) {
  const auto value = [&](std::size_t i) { return version_text(asked.model.processes[i]); };
  return judge_alike(asked, value, &Process::version_at, no_version_line);
}

ExpectationAnswer judge_one_network(const ExpectationCase& asked) {
  const std::vector<std::string> all = networks(asked.model);
  const auto value = [&](std::size_t i) { return all[i]; };
  return judge_alike(asked, value, &Process::network_at, no_network_line);
}

std::vector<int> nvls_channels(const Model& model) {
  std::vector<int> channels(model.processes.size(), -1);
  for (const Communicator& comm : model.communicators) {
    for (const Rank& rank : comm.ranks) {
      const Process* const process = process_of(model, rank.process);
      if (process == nullptr || process->version.empty() || lower_version(process->version, "2.21")) continue;
      int& most = channels[static_cast<std::size_t>(rank.process)];
      most = std::max(most, comm.nvls_channels);
    }
  }
  return channels;
}

ExpectationAnswer judge_nvls(const ExpectationCase& asked) {
  const std::vector<int> channels = nvls_channels(asked.model);
  const auto value = [&](std::size_t i) -> std::string {
    const int available = asked.model.processes[i].nvls;
    if (available == 0) return "not available";
    if (channels[i] == 0) return "no NVLS channels";
    return channels[i] > 0 ? concat(count_text(static_cast<std::size_t>(channels[i]), "NVLS channel")) : std::string{};
  };
  const auto fits = [](const std::string& text, const Process&) { return !text.starts_with("no"); };
  return sum_up(asked, process_subjects(asked.model, value, &Process::first, fits), "process",
                {"no line tells of NVLS", "from 2.21 on NCCL prints its channels"});
}

}  // namespace nccl_analyze
