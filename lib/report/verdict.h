#pragma once
/// The verdict: the whole report in one line.

#include <cstdint>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "rules/support/jobs.h"

namespace nccl_analyze {

enum class JobStatus : std::uint8_t { ok, warning, error, unknown };
std::string_view to_string(JobStatus status);

struct Judgement {
  JobStatus status = JobStatus::unknown;
  std::string headline;
};

/// Whether the suspects are narrower than the affected ranks: there is a single suspect, there are fewer suspects than
/// affected ranks or processes, or the log gives a reason for a suspect.
bool singles_out(const Finding& finding);

/// The first suspect with its address, `rank 52 (pod llama-worker-6, dgx007, GPU 4, pid 12828)`, and the number of
/// others. Empty unless singles_out().
std::string describe_suspects(const Model& model, const Finding& finding);

/// describe_suspects(), or else the affected ranks and hosts: `ranks 0-3 on worker-0 and 1 more`.
std::string describe_place(const Model& model, const Finding& finding);

/// Why a report without a fault does not prove a healthy job: the input is too thin, an expectation could not be
/// checked, or ranks have no log. Empty if nothing is open.
std::string open_question(const Model& model, const Report& report);

/// Judges by the first finding above info. Without such a finding the status is ok, or unknown if the input is too
/// thin.
Judgement judge(const Model& model, const Report& report);

/// Judges one of several jobs by the findings and lines that concern this job.
Judgement judge(const Model& model, const Report& report, const Job& job);

/// Sums the parse statistics of all sources, or of the sources of one job.
ParseStats totals(const Model& model, const Job* job = nullptr);

}  // namespace nccl_analyze
