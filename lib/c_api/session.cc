// Reads files with lib/input, so that the C library treats copies, archives, reports of this program and output of
// other tools as the program does.

#include "c_api/session.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "input/failure.h"
#include "input/inputs.h"

namespace nccl_analyze {
namespace {

/// The interval, in milliseconds, at which a reader that waits for bytes checks whether it must stop.
constexpr int stop_ms = 100;

/// Appends the parts of a list that is separated by commas; empty parts are dropped.
void append_parts(std::string_view list, std::vector<std::string>& parts) {
  while (!list.empty()) {
    const std::size_t size = std::min(list.find(','), list.size());
    if (size > 0) parts.emplace_back(list.substr(0, size));
    list.remove_prefix(std::min(size + 1, list.size()));
  }
}

void set_format(SessionWords& words, std::string_view value) {
  if (value != "summary") throw Failure("the option format takes the value summary only; reports are rendered");
  words.keeps_summary = true;
}

struct Option {
  std::string_view name;
  void (*set)(SessionWords& words, std::string_view value);
};
constexpr std::array<Option, 10> settable{{
    {"select", [](SessionWords& words, std::string_view value) { append_parts(value, words.required.select); }},
    {"ignore", [](SessionWords& words, std::string_view value) { append_parts(value, words.required.ignore); }},
    {"expect", [](SessionWords& words, std::string_view value) { words.required.expect.emplace_back(value); }},
    {"profile", [](SessionWords& words, std::string_view value) { words.required.profile = value; }},
    {"rules", [](SessionWords& words, std::string_view value) { words.required.rules.emplace_back(value); }},
    {"baseline", [](SessionWords& words, std::string_view value) { words.required.baseline = value; }},
    {"format", set_format},
    {"job", [](SessionWords& words, std::string_view value) { words.origin.job = value; }},
    {"step", [](SessionWords& words, std::string_view value) { words.origin.step = value; }},
    {"node", [](SessionWords& words, std::string_view value) { words.origin.node = value; }},
}};

std::string option_names() {
  std::string names(settable.front().name);
  for (std::size_t i = 1; i < settable.size(); ++i)
    names.append(i + 1 < settable.size() ? ", " : " and ").append(settable[i].name);
  return names;
}

void add_failures(Analyzer& job, const std::vector<ReadFailure>& failures) {
  for (UnreadableInput& input : unreadable_inputs(failures)) job.add_unreadable(std::move(input));
}
void add_failures(KeptSummary& job, const std::vector<ReadFailure>& failures) { job.add_reading(failures); }

}  // namespace

Session::Session()
    : log_([this](std::string_view level, std::string_view sentence) {
        notices_.push_back(std::string(level).append(": ").append(sentence));
      }) {}

void Session::set(std::string_view option, std::string_view value) {
  if (job_.index() != 0)
    throw Failure("options are set before the first bytes are read, and " + std::string(option) + " is late");
  const auto* const found = std::ranges::find(settable, option, &Option::name);
  if (found == settable.end())
    throw Failure("no option is called " + printable(option) + "; there are " + option_names());
  found->set(words_, value);
}

AnalyzerOptions Session::requirements() {
  try {
    AnalyzerOptions options = read_requirements(words_.required, log_, waiting()).options;
    if (!stopped_ || !words_.required.baseline) return options;
  } catch (const Failure&) {
    if (!stopped_ || !words_.required.baseline) throw;
  }
  RequirementWords without_baseline = words_.required;
  without_baseline.baseline.reset();
  notices_.emplace_back("warning: the reading was stopped: the job is not compared with the baseline");
  return read_requirements(without_baseline, log_, waiting()).options;
}

template <class Work>
auto Session::with_job(const Work& work) {
  if (job_.index() == 0) {
    AnalyzerOptions options = requirements();
    if (words_.keeps_summary)
      job_.emplace<KeptSummary>(std::move(options), writer_of(words_.origin));
    else
      job_.emplace<Analyzer>(std::move(options));
  }
  if (auto* const kept = std::get_if<KeptSummary>(&job_)) return work(*kept);
  return work(std::get<Analyzer>(job_));
}

KeptSummary& Session::kept_summary() {
  if (!words_.keeps_summary) throw Failure("summaries need the option format with the value summary");
  with_job([](const auto&) {});
  return std::get<KeptSummary>(job_);
}

void Session::feed(std::string_view source, std::string_view bytes) {
  with_job([&](auto& job) { job.feed(source, bytes); });
}

void Session::end(std::string_view source) {
  if (job_.index() != 0) with_job([&](auto& job) { job.end(source); });
}

bool Session::read(const std::vector<std::string>& paths) {
  return with_job([&](auto& job) { return read_into(job, paths); });
}

template <class Collector>
bool Session::read_into(Collector& job, const std::vector<std::string>& paths) {
  const RecordSink sink{.record = [&](const Record& record) { job.add(record); },
                        .source_read = [&](SourceId source, std::string_view name,
                                           const ParseStats& stats) { job.add_source(source, name, stats); },
                        .wanted = [this] { return !stopped_; },
                        .wait = waiting(),
                        .first = job.next_source()};
  const std::size_t notices_before = notices_.size();
  const ReadCounts counts = stopped_ ? ReadCounts{} : read_inputs(list_inputs(paths), sink, false, log_);
  add_failures(job, counts.unreadable);
  return check_reading(counts, notices_before);
}

bool Session::merge(const std::vector<std::string>& paths) {
  KeptSummary& kept = kept_summary();
  const std::size_t notices_before = notices_.size();
  const ReadCounts counts = stopped_ ? ReadCounts{} : kept.merge(list_inputs_and_copies(paths), log_, waiting());
  return check_reading(counts, notices_before);
}

void Session::merge(std::string_view name, std::string_view bytes) {
  if (const std::string wrong = kept_summary().merge(name, bytes); !wrong.empty()) {
    log_.error(wrong);
    throw Failure(wrong);
  }
}

std::string Session::summary() {
  KeptSummary& kept = kept_summary();
  kept.close(log_);
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // A stream otherwise swallows std::bad_alloc, and the text is cut.
  kept.write(out);
  return std::move(out).str();
}

Judged Session::look() {
  return {with_job([](auto& job) { return job.look(); }), notices_};
}

Judged Session::finish() {
  with_job([](const auto&) {});
  finished_ = true;
  if (auto* const kept = std::get_if<KeptSummary>(&job_)) {
    kept->close(log_);
    return {kept->look(), notices_};
  }
  return {std::get<Analyzer>(std::move(job_)).finish(), notices_};
}

bool Session::wait(int descriptor) const {
  pollfd polled{descriptor, POLLIN, 0};
  while (!stopped_)
    if (::poll(&polled, 1, stop_ms) != 0) return true;  // also if poll(2) fails: read(2) then returns the error
  return false;
}

/// Returns false if the reading was stopped. Throws Failure if it found no source: its notices are then removed; the
/// message is the first of them and the number of the others. `notices_before`: number of notices before the reading.
bool Session::check_reading(const ReadCounts& counts, std::size_t notices_before) {
  if (stopped_) {
    notices_.emplace_back("warning: the reading was stopped: the report is on what was read");
    return false;
  }
  if (check_read(counts, true, log_)) return true;
  const auto first = notices_.begin() + static_cast<std::ptrdiff_t>(notices_before);
  std::string reason = first->substr(first->find(' ') + 1);
  if (const auto others = notices_.end() - first - 1; others > 0)
    reason.append(" (and ").append(std::to_string(others)).append(" more)");
  notices_.erase(first, notices_.end());
  throw Failure(reason);
}

}  // namespace nccl_analyze
