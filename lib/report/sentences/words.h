#pragma once
/// Sentences and labels that the formats of reports share. Unless stated otherwise, they are not escaped; each format
/// escapes them.

#include <string>
#include <string_view>
#include <vector>

#include "messages/meanings.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"
#include "report/sentences/verdict.h"

namespace nccl_analyze {

/// Returns `OK`, `WARNING`, `ERROR` or `UNKNOWN`.
std::string_view label_of(JobStatus status);
/// Returns `ERROR`, `WARNING` or `INFO`.
std::string_view label_of(Severity severity);

/// Counts the findings by severity: `1 error, 2 notes`; empty if there is no finding.
std::string count_findings(const Report& report);

/// A part of the job's description: sentences under a title.
struct JobPart {
  std::string_view title;
  std::vector<std::string> lines;
};

/// Describes the job: software, hosts and communicators, then paths, progress and settings; empty parts are left out.
/// `everything` lifts the limits, lists communicators one by one, and adds the NICs of each GPU, manifests and
/// machines.
std::vector<JobPart> describe_job(const Model& model, const Report& report, bool everything);

/// Returns one line for each reason why rules could not be evaluated: `NCA203, NCA608: reason; needs input`. Rules that
/// have a finding are left out, because the finding says what is missing.
std::vector<std::string> describe_not_evaluated(const Report& report);

/// Describes how many lines were read, how many were recognised, and how many were damaged.
std::string describe_input(const Model& model);
/// Returns one line for each source that ends early, is empty beside other sources, or is a program or document whose
/// failures do not count, and for each input that could not be read. Lines beyond a limit are only counted.
std::vector<std::string> describe_gaps(const Model& model);

/// Returns the place of a line, `worker-0.log:36`, escaped by visible().
std::string place_of(const Model& model, LineRef at);

/// Returns up to `most` lines of the evidence. The first line proves the fault and stays first; then lines with kept
/// text are preferred, because a quote proves more than a line number.
std::vector<LineRef> quoted_lines(const Model& model, const Evidence& evidence, std::size_t most);

/// Returns the steps that analyze() chose; for a rule without a document, the items of its fix.
std::vector<Step> steps_of(const Finding& finding);
/// Returns at most `most` steps as a Markdown list.
std::string fix_of(const Finding& finding, std::size_t most = static_cast<std::size_t>(-1));

/// Returns what the message in a line of the finding's evidence means; null if the line is no warning, or if its
/// meaning is not documented.
const Meaning* meaning_at(const Model& model, const Finding& finding, LineRef at);

/// Returns commands that print the stacks of suspected processes, up to `most`. Empty for findings other than hangs and
/// process failures, and for dead processes, which have no stacks.
std::vector<std::string> stack_commands_of(const Model& model, const Finding& finding, std::size_t most);

/// Describes each suspect of the finding and the reason to suspect it: `probably rank 3 (…): called AllReduce 173
/// last`.
std::vector<std::string> describe_each_suspect(const Model& model, const Finding& finding);

/// Lines that no rule explains.
struct Unexplained {
  std::string_view title;
  std::vector<const Incident*> lines;  ///< Each has a line of evidence.
};
/// Returns the warnings that no rule explains, and the error traces of processes that print no warning, as two groups.
/// A group without lines is left out.
std::vector<Unexplained> unexplained_lines(const Model& model, const Report& report);

}  // namespace nccl_analyze
