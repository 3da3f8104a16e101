// Judges the job again when its log has grown: at most once a second, and less often if judging takes long.

#include "cli/live/live.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/live/job_state.h"
#include "cli/live/news_lines.h"
#include "report/sentences/words.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

/// The time before the first judgement, which is short so that users see that the input is being read; and the minimum
/// pause after each judgement.
constexpr std::chrono::milliseconds first_snapshot_delay{200}, between_snapshots{1000};
constexpr std::size_t max_sentences = 8, max_news = 20;

std::string seconds_text(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  const double seconds = std::chrono::duration<double>(time).count();
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), seconds).ptr};
}

std::string listed(const std::vector<std::string>& sentences) {
  return joined(sentences, "; ", max_sentences, "; and ");
}

std::string count_certain_findings(const Report& report) {
  constexpr std::array<std::string_view, 3> words = {"note", "warning", "error"};
  std::array<std::size_t, words.size()> counts{};
  for (const Finding& finding : report.findings)
    if (!finding.is_provisional()) ++counts[static_cast<std::size_t>(finding.severity())];
  std::string text;
  for (std::size_t i = words.size(); i-- > 1;)
    if (counts[i] > 0) append_item(text, count_text(counts[i], words[i]));
  return text;
}

}  // namespace

LiveReporter::LiveReporter(std::function<Analysis()> snapshot, MessageOptions messages, Log& log)
    : snapshot_(std::move(snapshot)),
      messages_(std::move(messages)),
      log_(log),
      line_(messages_.lines, messages_.color),
      next_snapshot_(Clock::now() + first_snapshot_delay) {
  if (messages_.options.news) file_.emplace(*messages_.options.news, log);
  if (!messages_.options.on_finding.empty()) command_.emplace(messages_.options.on_finding, log);
  log_.set_status_line([this](bool shown) { shown ? line_.draw() : line_.hide(); });
  line_.show("waiting for the first NCCL line");
}

LiveReporter::~LiveReporter() { log_.set_status_line({}); }

void LiveReporter::note_records() {
  changed_ = true;
  stall_reported_ = false;
  last_record_ = Clock::now();
}

LiveReporter::Clock::time_point LiveReporter::stall_at() const {
  return messages_.stall.count() == 0 || stall_reported_ ? Clock::time_point::max() : last_record_ + messages_.stall;
}

LiveReporter::Clock::time_point LiveReporter::due() const {
  const Clock::time_point snapshot_at = std::min(changed_ ? next_snapshot_ : Clock::time_point::max(), stall_at());
  return command_ ? std::min(snapshot_at, command_->due()) : snapshot_at;
}

void LiveReporter::tick() {
  if (command_) command_->tick();
  const Clock::time_point now = Clock::now();
  const bool quiet = now >= stall_at();
  if (!quiet && !(changed_ && now >= next_snapshot_)) return;
  report_news(quiet);
  if (command_) command_->tick();
  changed_ = false;
  stall_reported_ = stall_reported_ || quiet;
  const Clock::time_point after = Clock::now();
  next_snapshot_ = after + std::max<Clock::duration>(between_snapshots, (after - now) * messages_.rest);
}

void LiveReporter::report_news(bool quiet) {
  const Analysis now = snapshot_();
  std::vector<std::string> sentences = describe_state(now.model);
  if (!line_.moves()) {
    std::vector<std::string> fresh;
    std::ranges::copy_if(sentences, std::back_inserter(fresh),
                         [&](const std::string& sentence) { return !state_.contains(sentence); });
    if (!fresh.empty()) line_.say(listed(fresh));
    state_ = {sentences.begin(), sentences.end()};
  }
  tell(now, quiet);
  if (const std::string counts = count_certain_findings(now.report); !counts.empty())
    sentences.insert(sentences.begin(), counts);
  if (line_.moves()) std::ranges::move(describe_calls(now.model), std::back_inserter(sentences));
  if (!sentences.empty()) line_.show(listed(sentences));
  note_until(now, quiet);
}

void LiveReporter::tell(const Analysis& now, bool quiet) {
  if (file_) tell_state(now.model);
  if (quiet) {
    const std::vector<std::string> waits = describe_wait(now.model);
    line_.say("no NCCL line for " + seconds_text(messages_.stall) + " s: " + listed(waits));
    if (file_) file_->add(stall_news(messages_.stall, waits));
  }
  const std::vector<NewsItem> items = news_.take(now.model, now.report, quiet);
  std::size_t shown = 0, others = 0;
  for (const NewsItem& item : items) {
    const Severity severity = item.finding->severity();
    if (severity == Severity::info && !messages_.details) continue;
    if (shown < max_news)
      line_.say(describe_news(now.model, *item.finding), label_of(severity));
    else
      ++others;
    ++shown;
  }
  if (others > 0) line_.say("and " + std::to_string(others) + " more findings, which the report will hold");
  tell_programs(now.model, items);
}

void LiveReporter::tell_programs(const Model& model, const std::vector<NewsItem>& items) {
  for (const NewsItem& item : items) {
    if (item.repeated) continue;
    if (file_) file_->add(finding_news(model, *item.finding));
    if (command_ && item.finding->severity() != Severity::info) command_->add(model, *item.finding);
  }
}

void LiveReporter::tell_state(const Model& model) {
  std::string line = state_news(model);
  std::string state = line.substr(line.find("\"processes\""));
  if (state == told_state_) return;
  told_state_ = std::move(state);
  file_->add(std::move(line));
}

void LiveReporter::note_until(const Analysis& now, bool quiet) {
  const Until& until = messages_.options.until;
  const auto counts = [&](const Finding& finding) {
    return until.severity && finding.severity() >= *until.severity && (quiet || !finding.is_provisional());
  };
  done_ = done_ || (until.ready && is_ready(now.model)) || std::ranges::any_of(now.report.findings, counts);
}

void LiveReporter::finish(std::string_view reason, Interrupts& interrupts) {
  line_.hide();
  if (!file_ && !command_) return;
  const Analysis now = snapshot_();
  if (file_) tell_state(now.model);
  tell_programs(now.model, news_.take(now.model, now.report, true));
  if (file_) file_->add(end_news(now.model, now.report, reason));
  if (command_) command_->finish(interrupts);
}

}  // namespace nccl_analyze
