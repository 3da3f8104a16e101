#pragma once
/// The origin of a summary. It does not affect the report, because the report on merged summaries is the report on
/// their logs, no matter which programs wrote the summaries.

#include <string>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// The program that read logs and wrote a summary of them. Empty members are unknown.
struct SummaryWriter {
  Text job, step;  ///< Ids of the scheduler, for example of Slurm.
  Text node;       ///< The machine on which the program ran.
  Text tool;       ///< The version of this library, `0.1.0`.
  friend auto operator<=>(const SummaryWriter&, const SummaryWriter&) = default;
};

/// A writer, and one sentence for each input that it could not read.
struct SummarySignature {
  SummaryWriter writer;
  std::vector<std::string> left_out;  ///< Sorted.
};

/// Makes `writer` the writer of all sources without a writer. A writer of no source is kept as well. `left_out`: one
/// sentence for each input that the writer could not read.
void sign_summary(Summary& summary, const SummaryWriter& writer, const std::vector<std::string>& left_out = {});

/// Returns the writers of a summary and of the summaries that were merged into it, sorted.
std::vector<SummarySignature> signatures_of(const Summary& summary);

}  // namespace nccl_analyze
