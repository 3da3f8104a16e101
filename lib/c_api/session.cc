// Reads files with lib/input, so that the C library treats copies, archives, reports of this program and output of
// other tools as the program does.

#include "c_api/session.h"

#include <poll.h>

#include <algorithm>
#include <array>
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

struct Option {
  std::string_view name;
  void (*set)(RequirementWords& words, std::string_view value);
};
constexpr std::array<Option, 5> settable{{
    {"select", [](RequirementWords& words, std::string_view value) { append_parts(value, words.select); }},
    {"ignore", [](RequirementWords& words, std::string_view value) { append_parts(value, words.ignore); }},
    {"expect", [](RequirementWords& words, std::string_view value) { words.expect.emplace_back(value); }},
    {"profile", [](RequirementWords& words, std::string_view value) { words.profile = value; }},
    {"rules", [](RequirementWords& words, std::string_view value) { words.rules.emplace_back(value); }},
}};

}  // namespace

Session::Session()
    : log_([this](std::string_view level, std::string_view sentence) {
        notices_.push_back(std::string(level).append(": ").append(sentence));
      }) {}

void Session::set(std::string_view option, std::string_view value) {
  if (analyzer_)
    throw Failure("options are set before the first bytes are read, and " + std::string(option) + " is late");
  const auto* const found = std::ranges::find(settable, option, &Option::name);
  if (found == settable.end())
    throw Failure("no option is called " + printable(option) + "; there are select, ignore, expect, profile and rules");
  found->set(words_, value);
}

void Session::feed(std::string_view source, std::string_view bytes) { analyzer().feed(source, bytes); }

void Session::end(std::string_view source) {
  if (analyzer_) analyzer_->end(source);
}

bool Session::read(const std::vector<std::string>& paths) {
  Analyzer& job = analyzer();
  const RecordSink sink{.record = [&](const Record& record) { job.add(record); },
                        .source_read = [&](SourceId source, std::string_view name,
                                           const ParseStats& stats) { job.add_source(source, name, stats); },
                        .wanted = [this] { return !stopped_; },
                        .wait = [this](int descriptor) { return wait(descriptor); },
                        .first = job.next_source()};
  const std::size_t notices_before = notices_.size();
  const ReadCounts counts = stopped_ ? ReadCounts{} : read_inputs(list_inputs(paths), sink, false, log_);
  for (UnreadableInput& input : unreadable_inputs(counts.unreadable)) job.add_unreadable(std::move(input));
  if (stopped_) {
    notices_.emplace_back("warning: the reading was stopped: the report is on what was read");
    return false;
  }
  require_sources(counts, notices_before);
  return true;
}

Judged Session::look() { return {analyzer().look(), notices_}; }

Judged Session::finish() {
  Analyzer& job = analyzer();
  finished_ = true;
  return {std::move(job).finish(), notices_};
}

Analyzer& Session::analyzer() {
  if (analyzer_) return *analyzer_;
  return analyzer_.emplace(read_requirements(words_, log_).options);
}

bool Session::wait(int descriptor) const {
  pollfd polled{descriptor, POLLIN, 0};
  while (!stopped_)
    if (::poll(&polled, 1, stop_ms) != 0) return true;  // also if poll(2) fails: read(2) then returns the error
  return false;
}

/// Throws Failure if a call of read() found no source. The notices of this call are then removed; the message is the
/// first of them and the number of the others. `notices_before`: number of notices before the call.
void Session::require_sources(const ReadCounts& counts, std::size_t notices_before) {
  if (check_read(counts, true, log_)) return;
  const auto first = notices_.begin() + static_cast<std::ptrdiff_t>(notices_before);
  std::string reason = first->substr(first->find(' ') + 1);
  if (const auto others = notices_.end() - first - 1; others > 0)
    reason.append(" (and ").append(std::to_string(others)).append(" more)");
  notices_.erase(first, notices_.end());
  throw Failure(reason);
}

}  // namespace nccl_analyze
