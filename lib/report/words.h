#pragma once
/// Sentences that the text report and the documents share. Nothing here is sanitised yet: each format does that.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/verdict.h"

namespace nccl_analyze {

/// OK, WARNING, ERROR, UNKNOWN.
std::string_view label_of(JobStatus status);
/// ERROR, WARNING, INFO.
std::string_view label_of(Severity severity);

/// `1 error, 2 notes`; empty when there is no finding.
std::string count_findings(const Report& report);

/// Sentences under a title.
struct JobPart {
  std::string_view title;
  std::vector<std::string> lines;
};

/// The job: software, hosts, communicators; then paths, progress and settings, those that there are. `everything`: each
/// kind and each NIC.
std::vector<JobPart> describe_job(const Model& model, const Report& report, bool everything);

/// `NCA203, NCA608: why; needs what`: a line for each reason.
std::vector<std::string> describe_not_evaluated(const Report& report);

/// How much was read, how much of it was recognised, and what damage it had.
std::string describe_input(const Model& model);

/// `worker-0.log:36`, visible().
std::string place_of(const Model& model, LineRef at);

/// The first lines of the evidence, those whose text was kept first: they prove more than a number.
std::vector<LineRef> telling_lines(const Model& model, const Evidence& evidence, std::size_t most);

/// What to do about it, Markdown: of this case, else of its rule.
std::string_view fix_of(const Finding& finding);

/// A command that shows where a suspect stands, for each of the first `most` suspects: a process can be asked while it
/// is there, which one that failed is not.
std::vector<std::string> next_commands(const Model& model, const Finding& finding, std::size_t most);

/// Its suspects with what the log shows of each: `probably rank 3 (…): called AllReduce 173 last`.
std::vector<std::string> describe_each_suspect(const Model& model, const Finding& finding);

/// Lines of the warnings that no rule explains, with their messages.
std::vector<const Incident*> unexplained_warnings(const Model& model, const Report& report);

}  // namespace nccl_analyze
