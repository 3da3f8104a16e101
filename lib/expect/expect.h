#pragma once
/// Internal interface of the expectations. Each key of an expectation has a judge: a function that reads a value for
/// each process or host from the model and compares it with the expectation. An expectation passes only if the log
/// shows a fitting value for every process or host that it is about.

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
  Index process = -1;  ///< The process, or the first process of the host.
  Evidence evidence;
  std::int64_t amount = -1;  ///< The number of devices that `value` states; -1 if it states none.
};

/// The answer to one expectation. `detail` describes it for the user.
struct ExpectationAnswer {
  CheckStatus status = CheckStatus::unknown;
  std::string detail;
  Evidence evidence;                     ///< Lines that prove a failure; empty unless `status` is fail.
  std::vector<Index> processes;          ///< Processes that fail, or that leave the answer unknown.
  std::vector<Subject> subjects = {};    ///< Every process or host with its answer; empty for an answer about the job.
  std::vector<std::string> absent = {};  ///< Expected hosts that have no log in the input.
};

/// One expectation with its input: the model and the report of analyze(), whose findings `no-warning` needs.
struct ExpectationCase {
  const Model& model;
  const Report& report;
  const Expectation& expected;
};

/// `seconds`: a number, alone or with `s`, `m` or `h`. `decimal`: a number that may have a fraction. `hosts`: a host
/// list, which is expanded to names.
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

/// Appends an expectation to `into`. Returns an error message, or an empty string on success. A second list of hosts is
/// an error, because one list must name all hosts of the job.
std::string add_expectation(Expectation expected, std::vector<Expectation>& into);

// Comparisons of one value with an expectation.

bool fits_number(const Expectation& expected, std::int64_t value);
/// Compares real numbers. Values with a unit of time are compared in seconds; see real_value().
bool fits_real(const Expectation& expected, double value);
/// Parses `60`, `1.5`, `60s`, `1.5m`, `2h`; times are converted to seconds. nullopt if `text` has another form or the
/// number is negative or above 10^12.
std::optional<double> real_value(std::string_view text);
/// Compares only the parts of the version that the expectation names: 2.27.3 is equal to 2.27.
bool fits_version(const Expectation& expected, std::string_view value);
/// Compares without regard to case.
bool fits_text(const Expectation& expected, std::string_view value);
CheckStatus status_of(bool fits);

// Helpers that build answers.

ExpectationAnswer passed(std::string detail);
ExpectationAnswer unknown(std::string detail);
/// Texts for an answer about processes or hosts whose value is not in the log. `what` states that no line shows it;
/// `remedy`, which may be empty, states how to make NCCL print it.
struct Silence {
  std::string_view what;
  std::string_view remedy = {};
};
/// Combines the subjects into one answer: fail if any fails, else unknown if any is unknown, else pass. Without
/// subjects the answer is unknown. `noun`: what a subject is, such as `process`.
ExpectationAnswer sum_up(const ExpectationCase& asked, std::vector<Subject> subjects, std::string_view noun,
                         const Silence& silence);

/// Builds the matrix of nodes and expectations from the subjects and the absent hosts of the answers. Moves the names
/// of the absent hosts out of `answers`.
Acceptance make_acceptance(const Model& model, std::span<const Expectation> expectations,
                           std::vector<ExpectationAnswer>& answers);

/// Returns for each process 1 if it is a rank of some communicator, else 0; 1 for all processes if the log shows no
/// communicator.
std::vector<char> working_processes(const Model& model);

/// Returns the communicator with the most ranks, the first of several. Ignores inferred communicators and those of
/// unknown size; nullptr if there are no others.
const Communicator* largest_communicator(const Model& model);

/// Returns for each process the largest number of NVLS channels among its communicators, or -1 if it is unknown. A
/// number above 0 proves an NVSwitch on which NVLS works. NCCL before 2.21 prints the number without looking for an
/// NVSwitch, so the number of such a process counts as unknown.
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
