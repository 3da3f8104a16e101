// Reads each summary with a reader of its own, so that a damaged summary does not affect the others.

#include "input/merging.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "input/input_wait.h"
#include "input/logging.h"
#include "input/source.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/summary.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_told = 20;

std::string name_of(const SummaryWriter& writer) { return writer.node.empty() ? "a summary" : writer.node.str(); }

/// Warns of the inputs that the writers of the summaries could not read.
void tell_left_out(const std::vector<SummarySignature>& signatures, Log& log) {
  std::size_t told = 0;
  for (const auto& [writer, left_out] : signatures)
    for (const std::string& sentence : left_out)
      if (++told <= max_told) log.warn("on " + name_of(writer) + ": " + sentence);
  if (told > max_told) log.warn("and " + std::to_string(told - max_told) + " more inputs that nodes could not read");
}

/// Reports the jobs of the summaries. Several jobs cause a warning, because their summaries are seldom merged on
/// purpose.
void tell_jobs(const std::vector<SummarySignature>& signatures, Log& log) {
  std::set<Text> jobs, nodes;
  std::string names;
  for (const auto& [writer, left_out] : signatures) {
    nodes.insert(writer.node);
    if (!writer.job.empty() && jobs.insert(writer.job).second && jobs.size() <= max_told)
      append_item(names, writer.job);
  }
  if (jobs.size() > max_told) names += ", ...";
  if (jobs.size() > 1)
    log.warn("the summaries are of " + std::to_string(jobs.size()) + " jobs: " + names);
  else if (!signatures.empty())
    log.detail("the summaries are of " + count_text(nodes.size(), "node") +
               (names.empty() ? "" : " of the job " + names));
}

}  // namespace

void read_summary_input(const Input& input, const SummarySink& sink) {
  std::string name;
  Summary read;
  std::optional<SummaryReader> reader;
  read_input(input, {.begin =
                         [&](std::string_view begun) {
                           name = begun;
                           read = Summary();
                           reader.emplace(read);
                         },
                     .bytes = [&](std::string_view bytes) { return reader->feed(bytes); },
                     .end =
                         [&] {
                           const std::string wrong = reader->finish();
                           if (!wrong.empty()) return sink.failed({name, wrong, "cannot merge " + name + ": " + wrong});
                           sink.read(std::move(read));
                         },
                     .failed = sink.failed,
                     .wait = sink.wait});
}

void log_summary_origins(const Summary& summary, Log& log) {
  const std::vector<SummarySignature> signatures = signatures_of(summary);
  tell_left_out(signatures, log);
  tell_jobs(signatures, log);
}

void add_left_out(const Summary& summary, std::vector<ReadFailure>& unreadable) {
  for (const auto& [writer, left_out] : signatures_of(summary))
    for (const std::string& sentence : left_out)
      if (unreadable.size() < max_told) unreadable.push_back({name_of(writer), sentence, sentence});
  if (unreadable.size() > max_told) unreadable.resize(max_told);
}

ReadCounts read_summaries(const InputList& list, Summary& into, Log& log, WaitForBytes wait) {
  ReadCounts counts;
  const auto fail = [&](const ReadFailure& failure) {
    ++counts.failures;
    if (counts.unreadable.size() < max_told) counts.unreadable.push_back(failure);
    log.error(failure.sentence);
  };
  for (const std::string& sentence : list.left_out) log.warn(sentence);
  for (const ReadFailure& failure : list.failures) fail(failure);

  InputWait input_wait(true, log, std::move(wait));
  const SummarySink sink{.read =
                             [&](Summary read) {
                               into.merge(std::move(read));
                               ++counts.sources;
                             },
                         .failed = fail,
                         .wait = [&](int descriptor) { return input_wait.wait(descriptor); }};
  for (const Input& input : list.inputs)
    if (!input_wait.interrupted()) read_summary_input(input, sink);
  counts.nccl_lines = into.stats().nccl_lines;
  return counts;
}

}  // namespace nccl_analyze
