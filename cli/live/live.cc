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

namespace nccl_analyze {
namespace {

/// Time until the job is judged for the first time, short to show the user that the input is being read; and the
/// minimum pause after each time.
constexpr std::chrono::milliseconds first_look{200}, between_looks{1000};
constexpr std::size_t max_sentences = 8, max_news = 20;

std::string seconds_text(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  const double seconds = std::chrono::duration<double>(time).count();
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), seconds).ptr};
}

std::string listed(const std::vector<std::string>& sentences) {
  std::string text;
  for (std::size_t i = 0; i < std::min(sentences.size(), max_sentences); ++i)
    text += (i == 0 ? "" : "; ") + sentences[i];
  if (sentences.size() > max_sentences) text += "; and " + std::to_string(sentences.size() - max_sentences) + " more";
  return text;
}

std::string count_findings(const Report& report) {
  constexpr std::array<std::string_view, 3> words = {"note", "warning", "error"};
  std::array<std::size_t, words.size()> counts{};
  for (const Finding& finding : report.findings)
    if (!finding.is_provisional()) ++counts[static_cast<std::size_t>(finding.severity())];
  std::string text;
  for (std::size_t i = words.size(); i-- > 1;)
    if (counts[i] > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(counts[i]) + " " + std::string(words[i]) +
              (counts[i] == 1 ? "" : "s");
  return text;
}

}  // namespace

Live::Live(std::function<Snapshot()> look, std::chrono::milliseconds stall, int rest)
    : look_(std::move(look)), stall_(stall), rest_(rest), next_look_(Clock::now() + first_look) {
  line_.show("waiting for the first NCCL line");
}

void Live::note_records() {
  changed_ = true;
  stall_reported_ = false;
  last_record_ = Clock::now();
}

Live::Clock::time_point Live::stall_at() const {
  return stall_.count() == 0 || stall_reported_ ? Clock::time_point::max() : last_record_ + stall_;
}

Live::Clock::time_point Live::due() const {
  return std::min(changed_ ? next_look_ : Clock::time_point::max(), stall_at());
}

void Live::tick() {
  const Clock::time_point now = Clock::now();
  if (now < due()) return;
  const bool quiet = now >= stall_at();
  report_news(quiet);
  changed_ = false;
  stall_reported_ = stall_reported_ || quiet;
  const Clock::time_point after = Clock::now();
  next_look_ = after + std::max<Clock::duration>(between_looks, (after - now) * rest_);
}

void Live::report_news(bool quiet) {
  const Snapshot now = look_();
  std::vector<std::string> sentences = describe_state(now.model);
  if (!line_.moves()) {
    std::vector<std::string> fresh;
    std::ranges::copy_if(sentences, std::back_inserter(fresh),
                         [&](const std::string& sentence) { return !state_.contains(sentence); });
    if (!fresh.empty()) line_.say(listed(fresh));
    state_ = {sentences.begin(), sentences.end()};
  }
  if (quiet) line_.say("no NCCL line for " + seconds_text(stall_) + " s: " + listed(describe_wait(now.model)));
  const std::vector<std::string> news = news_.take(now.model, now.report, quiet);
  for (std::size_t i = 0; i < std::min(news.size(), max_news); ++i) line_.say(news[i]);
  if (news.size() > max_news)
    line_.say("and " + std::to_string(news.size() - max_news) + " more findings, which the report will hold");
  if (const std::string counts = count_findings(now.report); !counts.empty())
    sentences.insert(sentences.begin(), counts);
  if (line_.moves()) std::ranges::move(describe_calls(now.model), std::back_inserter(sentences));
  if (!sentences.empty()) line_.show(listed(sentences));
}

}  // namespace nccl_analyze
