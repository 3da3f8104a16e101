// Reads with the program's reader, so that the C library treats copies, archives, reports of this program and output of
// other tools as the program does.

#include "c_api/session.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/failure.h"
#include "cli/input/inputs.h"
#include "cli/judge.h"

namespace nccl_analyze {
namespace {

/// The interval at which a reader that gets no bytes checks whether it must stop.
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
  void (*set)(Options& options, std::string_view value);
};
constexpr std::array<Option, 5> settable{{
    {"select", [](Options& options, std::string_view value) { append_parts(value, options.select); }},
    {"ignore", [](Options& options, std::string_view value) { append_parts(value, options.ignore); }},
    {"expect", [](Options& options, std::string_view value) { options.expect.emplace_back(value); }},
    {"profile", [](Options& options, std::string_view value) { options.profile = value; }},
    {"rules", [](Options& options, std::string_view value) { options.site_rules.emplace_back(value); }},
}};

}  // namespace

Session::Session()
    : log_([this](std::string_view level, std::string_view sentence) {
        notices_.push_back(std::string(level).append(": ").append(sentence));
      }) {}

void Session::set(std::string_view option, std::string_view value) {
  if (judging_)
    throw Failure("options are set before the first bytes are read, and " + std::string(option) + " is late");
  const auto* const found = std::ranges::find(settable, option, &Option::name);
  if (found == settable.end())
    throw Failure("no option is called " + printable(option) + "; there are select, ignore, expect, profile and rules");
  found->set(options_, value);
}

void Session::feed(std::string_view source, std::string_view bytes) { open_source(source).parser.feed(bytes); }

void Session::end(std::string_view source) {
  const auto found = open_.find(source);
  if (found == open_.end()) return;
  end_source(source, found->second);
  open_.erase(found);
}

bool Session::read(const std::vector<std::string>& paths) {
  judging();
  const RecordSink sink{.record = [this](const Record& record) { add(record); },
                        .source_read = [this](SourceId source, std::string_view name,
                                              const ParseStats& stats) { builder_.add_source(source, name, stats); },
                        .wanted = [this] { return !stopped_; },
                        .wait = [this](int descriptor) { return wait(descriptor); },
                        .first = SourceId{sources_}};
  const std::size_t notices_before = notices_.size();
  const ReadCounts counts = stopped_ ? ReadCounts{} : read_inputs(list_inputs(paths), sink, false, log_);
  sources_ += counts.sources;
  std::ranges::move(unreadable_inputs(counts.unreadable), std::back_inserter(unreadable_));
  if (stopped_) {
    notices_.emplace_back("warning: the reading was stopped: the report is on what was read");
    return false;
  }
  require_sources(counts, notices_before);
  return true;
}

Judged Session::look() {
  judging();
  ModelBuilder so_far = builder_;
  for (const auto& [name, open] : open_) so_far.add_source(open.source, name, open.parser.stats());
  return judged(std::move(so_far));
}

Judged Session::finish() {
  judging();
  finished_ = true;
  for (auto& [name, open] : open_) end_source(name, open);
  open_.clear();
  return judged(std::move(builder_));
}

Session::Judging& Session::judging() {
  if (judging_) return *judging_;
  auto setup = std::make_shared<Setup>();
  setup->requirements = read_user_requirements(options_, log_);
  setup->selection = select_rules(options_.select, options_.ignore, setup->requirements.site);
  SiteMatcher matcher(setup->requirements.site);
  return judging_.emplace(Judging{std::move(setup), std::move(matcher)});
}

void Session::add(const Record& record) {
  builder_.add(record);
  judging_->matcher.add(record);
}

Session::Open& Session::open_source(std::string_view name) {
  judging();
  if (const auto found = open_.find(name); found != open_.end()) return found->second;
  const SourceId source{sources_++};
  Parser parser(source, [this](const Record& record) { add(record); });
  return open_.emplace(std::string(name), Open{source, std::move(parser)}).first->second;
}

void Session::end_source(std::string_view name, Open& ended) {
  ended.parser.finish();
  builder_.add_source(ended.source, name, ended.parser.stats());
}

bool Session::wait(int descriptor) const {
  pollfd polled{descriptor, POLLIN, 0};
  while (!stopped_)
    if (::poll(&polled, 1, stop_ms) != 0) return true;  // also if poll(2) fails: read(2) then returns the error
  return false;
}

/// Throws Failure if a call of read() found no source. The first notice of this call becomes the message.
void Session::require_sources(const ReadCounts& counts, std::size_t notices_before) {
  if (check_read(counts, true, log_)) return;
  const auto first = notices_.begin() + static_cast<std::ptrdiff_t>(notices_before);
  std::string reason = first->substr(first->find(' ') + 1);
  if (const auto others = notices_.end() - first - 1; others > 0)
    reason.append(" (and ").append(std::to_string(others)).append(" more)");
  notices_.erase(first, notices_.end());
  throw Failure(reason);
}

Judged Session::judged(ModelBuilder builder) {
  const Judging& by = judging();
  Judged result{by.setup, std::move(builder).build(), {}, notices_};
  result.model.unreadable = unreadable_;
  result.report = judge(by.setup->requirements, by.matcher, by.setup->selection, true, result.model);
  return result;
}

}  // namespace nccl_analyze
