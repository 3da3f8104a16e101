#pragma once
/// What the whole report says in one line.

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

/// Somebody stands out: fewer are suspected than are affected, or the log shows something of them.
bool singles_out(const Finding& finding);

/// Who must be looked at first, with the address: `rank 52 (pod llama-worker-6, dgx007, GPU 4, pid 12828)`; empty where
/// nobody stands out.
std::string describe_suspects(const Model& model, const Finding& finding);

/// The same, or else whom the finding touches: `ranks 0-3 on worker-0 and 1 more`.
std::string describe_place(const Model& model, const Finding& finding);

/// Why a report without a fault does not prove the job right, whatever its status: too little was read, an expectation
/// is open, or ranks have no log here; empty when nothing is open.
std::string open_question(const Model& model, const Report& report);

/// The first finding above info; else OK, unless the input is too thin to prove anything.
Judgement judge(const Model& model, const Report& report);

/// The same for one job of several: by the findings and lines that concern it.
Judgement judge(const Model& model, const Report& report, const Job& job);

/// What all parsers read together, or those of one job.
ParseStats totals(const Model& model, const Job* job = nullptr);

}  // namespace nccl_analyze
