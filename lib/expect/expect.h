#pragma once
/// Internal interface of the expectations. Each key has a judge, a function that reads the values of subjects
/// (processes or hosts) from the model. An expectation passes only if the log shows a fitting value for every subject.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/requirements.h"

namespace nccl_analyze {

/// A process or host whose value is compared with the expectation.
struct Subject {
  CheckStatus status = CheckStatus::unknown;
  std::string value;   ///< The value that the log shows; empty if the log shows none.
  Index process = -1;  ///< The process, or any process of the host.
  Evidence evidence;
  std::int64_t amount = -1;  ///< The number that `value` holds; -1 if it holds none.
};

struct ExpectationAnswer {
  CheckStatus status = CheckStatus::unknown;
  std::string detail;
  Evidence evidence;                     ///< Lines that prove a failure; empty for other answers.
  std::vector<Index> processes;          ///< Processes that fail, or that leave the answer unknown.
  std::vector<Subject> subjects = {};    ///< Every process or host with its answer; empty for a question of the job.
  std::vector<std::string> absent = {};  ///< Expected hosts of which no log is in the input.
};

/// One expectation with its input: the model and the report of analyze(), whose findings `no-warning` needs.
struct ExpectationCase {
  const Model& model;
  const Report& report;
  const Expectation& expected;
};

/// `seconds`: a number with `s`, `m` or `h`. `decimal`: a number with a fraction. `hosts`: a host list, expanded.
enum class ValueKind : std::uint8_t { none, text, number, positive, number_or_none, version, seconds, decimal, hosts };

/// What the answers of a key are about: each process, each host, or the job as a whole.
enum class Subjects : std::uint8_t { processes, hosts, job };

/// A key of expectations, the kind of its values, and its judge.
struct ExpectationRow {
  ExpectationKey key;
  ValueKind kind = ValueKind::none;
  ExpectationAnswer (*judge)(const ExpectationCase&) = nullptr;
  Subjects subjects = Subjects::processes;
};

/// Returns the row of this key, or nullptr if there is no such key.
const ExpectationRow* find_expectation_row(std::string_view key);

/// Appends the expectation and returns an empty string, or an error: lists of hosts are long, and only one may be
/// given.
std::string add_expectation(Expectation expected, std::vector<Expectation>& into);

// Comparisons of one value with an expectation.

bool fits_number(const Expectation& expected, std::int64_t value);
/// Compares seconds, if the values have a unit of time, or numbers with a fraction.
bool fits_real(const Expectation& expected, double value);
/// Parses `60`, `1.5`, `60s`, `1.5m`, `2h`; the units are converted to seconds. Empty if `text` has another form.
std::optional<double> real_value(std::string_view text);
/// Compares only the parts of the version that the expectation names: 2.27.3 is equal to 2.27.
bool fits_version(const Expectation& expected, std::string_view value);
/// Compares without regard to case.
bool fits_text(const Expectation& expected, std::string_view value);
CheckStatus status_of(bool fits);

// Helpers that build answers.

ExpectationAnswer passed(std::string detail);
ExpectationAnswer unknown(std::string detail);
/// The words for subjects without a value in the log: what no line shows, and how to make NCCL print it.
struct Silence {
  std::string_view what;
  std::string_view remedy = {};
};
ExpectationAnswer sum_up(const ExpectationCase& asked, std::vector<Subject> subjects, std::string_view noun,
                         const Silence& silence);

/// Builds the matrix from the answers, of which it takes the subjects and the absent hosts.
Acceptance make_acceptance(const Model& model, std::span<const Expectation> expectations,
                           std::vector<ExpectationAnswer>& answers);

/// Returns for each process 1 if it is a rank of some communicator, else 0; 1 for all processes if the log shows no
/// communicator.
std::vector<char> working_processes(const Model& model);

/// Returns the communicator with the most ranks, or nullptr if no line shows the size of a communicator.
const Communicator* largest_communicator(const Model& model);

/// Returns for each process the largest number of NVLS channels among its communicators, or -1 if no line shows one. A
/// number above 0 proves an NVSwitch on which NVLS works. Before 2.21, NCCL printed the number without looking for an
/// NVSwitch, so those versions count as -1.
std::vector<int> nvls_channels(const Model& model);

// The judges, one for each key.

ExpectationAnswer judge_network(const ExpectationCase& asked);
ExpectationAnswer judge_version(const ExpectationCase& asked);
ExpectationAnswer judge_cuda(const ExpectationCase& asked);
ExpectationAnswer judge_driver(const ExpectationCase& asked);
ExpectationAnswer judge_platform(const ExpectationCase& asked);
ExpectationAnswer judge_interface(const ExpectationCase& asked);
ExpectationAnswer judge_nvls(const ExpectationCase& asked);
ExpectationAnswer judge_one_version(const ExpectationCase& asked);
ExpectationAnswer judge_one_network(const ExpectationCase& asked);
ExpectationAnswer judge_init(const ExpectationCase& asked);

ExpectationAnswer judge_hosts(const ExpectationCase& asked);
ExpectationAnswer judge_gpus(const ExpectationCase& asked);
ExpectationAnswer judge_nics(const ExpectationCase& asked);
ExpectationAnswer judge_nics_used(const ExpectationCase& asked);
ExpectationAnswer judge_nic_speed(const ExpectationCase& asked);
ExpectationAnswer judge_nvlink(const ExpectationCase& asked);
ExpectationAnswer judge_gdr(const ExpectationCase& asked);

ExpectationAnswer judge_ranks(const ExpectationCase& asked);
ExpectationAnswer judge_nodes(const ExpectationCase& asked);
ExpectationAnswer judge_channels(const ExpectationCase& asked);
ExpectationAnswer judge_busbw(const ExpectationCase& asked);
ExpectationAnswer judge_logs(const ExpectationCase& asked);
ExpectationAnswer judge_no_warning(const ExpectationCase& asked);

}  // namespace nccl_analyze
