#pragma once
/// How expectations are answered: each key asks the model for subjects (processes, hosts) and their values; pass is
/// said only where every subject tells a value that fits.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/requirements.h"

namespace nccl_analyze {

/// A process or host that an expectation is held against.
struct Subject {
  CheckStatus status = CheckStatus::unknown;
  std::string value;   ///< What the log shows there; empty: nothing.
  Index process = -1;  ///< It, or one of its host.
  Evidence evidence;
};

struct ExpectationAnswer {
  CheckStatus status = CheckStatus::unknown;
  std::string detail;
  Evidence evidence;             ///< Of a fail.
  std::vector<Index> processes;  ///< Those that fail.
};

/// What is asked: the model, what analyze() said of it, and what is expected.
struct ExpectationCase {
  const Model& model;
  const Report& report;
  const Expectation& expected;
};

enum class ValueKind : std::uint8_t { none, text, number, positive, number_or_none, version };

/// A key with its judge.
struct ExpectationRow {
  ExpectationKey key;
  ValueKind kind = ValueKind::none;
  ExpectationAnswer (*judge)(const ExpectationCase&) = nullptr;
};

/// nullptr when nothing is called so.
const ExpectationRow* find_expectation_row(std::string_view key);

// ---- values ----

bool fits_number(const Expectation& expected, std::int64_t value);
/// 2.27 is every 2.27.x.
bool fits_version(const Expectation& expected, std::string_view value);
/// Letters of both cases are alike.
bool fits_text(const Expectation& expected, std::string_view value);
CheckStatus status_of(bool fits);

// ---- answers ----

ExpectationAnswer passed(std::string detail);
ExpectationAnswer unknown(std::string detail);
/// What is said of subjects that tell no value, and how to make them tell it.
struct Silence {
  std::string_view what;
  std::string_view remedy = {};
};
ExpectationAnswer sum_up(const ExpectationCase& asked, const std::vector<Subject>& subjects, std::string_view noun,
                         const Silence& silence);

/// True for processes that are a rank of some communicator; for all when there is no communicator.
std::vector<char> working_processes(const Model& model);

/// The communicator with most ranks; nullptr when no line tells a size.
const Communicator* largest_communicator(const Model& model);

/// By process, the most NVLS channels that a communicator of it has; -1 where none tells it. NCCL prints a number that
/// its search for NVSwitches has confirmed from 2.21 on: above 0 there is one, and NVLS works over it.
std::vector<int> nvls_channels(const Model& model);

// ---- judges, one a key ----

ExpectationAnswer judge_network(const ExpectationCase& asked);
ExpectationAnswer judge_version(const ExpectationCase& asked);
ExpectationAnswer judge_cuda(const ExpectationCase& asked);
ExpectationAnswer judge_driver(const ExpectationCase& asked);
ExpectationAnswer judge_platform(const ExpectationCase& asked);
ExpectationAnswer judge_interface(const ExpectationCase& asked);
ExpectationAnswer judge_nvls(const ExpectationCase& asked);
ExpectationAnswer judge_one_version(const ExpectationCase& asked);
ExpectationAnswer judge_one_network(const ExpectationCase& asked);

ExpectationAnswer judge_gpus(const ExpectationCase& asked);
ExpectationAnswer judge_nics(const ExpectationCase& asked);
ExpectationAnswer judge_nics_used(const ExpectationCase& asked);
ExpectationAnswer judge_nic_speed(const ExpectationCase& asked);
ExpectationAnswer judge_nvlink(const ExpectationCase& asked);
ExpectationAnswer judge_gdr(const ExpectationCase& asked);

ExpectationAnswer judge_ranks(const ExpectationCase& asked);
ExpectationAnswer judge_nodes(const ExpectationCase& asked);
ExpectationAnswer judge_channels(const ExpectationCase& asked);
ExpectationAnswer judge_logs(const ExpectationCase& asked);
ExpectationAnswer judge_no_warning(const ExpectationCase& asked);

}  // namespace nccl_analyze
