// Selects the initialisations and incidents that have times of a common clock.

#include "report/timeline/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "rules/topics.h"

namespace nccl_analyze {
namespace {

constexpr double second = 1e6;
constexpr std::int64_t day = std::int64_t{24} * 3600 * 1'000'000;

std::int64_t microseconds(double seconds) {
  constexpr double most = 1e9;  // about thirty years; a log may contain any number
  return static_cast<std::int64_t>(std::clamp(seconds, 0.0, most) * second);
}

std::vector<std::pair<std::string_view, double>> phases_of(const InitSeconds& init) {
  std::vector<std::pair<std::string_view, double>> phases;
  for (const auto& [name, seconds] : {std::pair<std::string_view, double>{"kernels", init.kernels},
                                      {"alloc", init.alloc},
                                      {"bootstrap", init.bootstrap},
                                      {"allgathers", init.allgathers},
                                      {"topo", init.topo},
                                      {"graphs", init.graphs},
                                      {"connections", init.connections},
                                      {"rest", init.rest}})
    if (std::isfinite(seconds) && seconds > 0) phases.emplace_back(name, seconds);
  return phases;
}

class Builder {
 public:
  Builder(const Model& model, const Report* report) : model_(model), hidden_(model.incidents.size()) {
    if (report == nullptr || std::ranges::any_of(report->findings, is_failure)) return;
    hidden_.assign(hidden_.size(), true);
    for (const Finding& finding : report->findings)
      if (finding.severity() != Severity::info)
        for (const Index incident : finding.incidents) hidden_[static_cast<std::size_t>(incident)] = false;
    for (const Index incident : report->unexplained_warnings)
      if (topic_of(model.incidents[incident]).rule != "none") hidden_[static_cast<std::size_t>(incident)] = false;
  }

  Timeline build() {
    choose_clock();
    for (std::size_t i = 0; i < model_.communicators.size(); ++i)
      for (const Rank& rank : model_.communicators[i].ranks) add(static_cast<Index>(i), rank);
    for (std::size_t i = 0; i < model_.incidents.size(); ++i) add(static_cast<Index>(i), model_.incidents[i]);
    find_ends();
    return std::move(line_);
  }

 private:
  static bool is_failure(const Finding& finding) {
    return finding.severity() != Severity::info && finding.stage() <= Stage::symptom;
  }

  using Votes = std::array<std::size_t, 4>;  ///< Indexed by 2 × dated + collected.

  static void vote(const Moment& moment, Votes& votes) {
    if (moment.microseconds >= 0) ++votes[(moment.dated ? 2U : 0U) + (moment.collected ? 1U : 0U)];
  }

  /// Chooses the clock of most initialisations, because times of different clocks cannot be compared. If no
  /// initialisation has a time, the clock of most incidents is chosen, unless NCCL measured initialisations: then no
  /// clock is chosen, because the measured lengths matter more than the times of incidents.
  void choose_clock() {
    Votes ranks{}, incidents{};
    bool is_any_measured = false;
    for (const Communicator& comm : model_.communicators)
      for (const Rank& rank : comm.ranks) {
        is_any_measured = is_any_measured || is_measured(rank);
        if (!rank.times) continue;
        vote(rank.times->started, ranks);
        vote(rank.times->completed, ranks);
      }
    for (const Incident& incident : model_.incidents) vote(incident.first, incidents);
    const bool by_ranks = is_any_measured || *std::max_element(ranks.begin(), ranks.end()) > 0;
    const Votes& votes = by_ranks ? ranks : incidents;
    const auto most = std::max_element(votes.begin(), votes.end());
    if (*most == 0) return;
    const auto which = static_cast<std::size_t>(most - votes.begin());
    line_.clock = which >= 2 ? Timeline::Clock::since_1970 : Timeline::Clock::of_day;
    line_.collected = which % 2 == 1;
    if (line_.clock == Timeline::Clock::of_day) find_first_of_day();
  }

  /// Finds the first time of a log without dates. Times of day wrap at midnight, so the time after the longest gap is
  /// taken as the first.
  void find_first_of_day() {
    std::vector<std::int64_t> times;
    const auto note = [&](const Moment& moment) {
      if (fits(moment)) times.push_back(moment.microseconds);
    };
    for (const Communicator& comm : model_.communicators)
      for (const Rank& rank : comm.ranks)
        if (rank.times) note(rank.times->started), note(rank.times->completed);
    for (const Incident& incident : model_.incidents) note(incident.first);
    std::sort(times.begin(), times.end());
    std::int64_t longest = -1;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const std::int64_t before = i == 0 ? times.back() - day : times[i - 1];
      if (times[i] - before <= longest) continue;
      longest = times[i] - before;
      first_of_day_ = times[i];
    }
  }

  bool fits(const Moment& moment) const {
    return moment.microseconds >= 0 && line_.clock != Timeline::Clock::none &&
           moment.dated == (line_.clock == Timeline::Clock::since_1970) && moment.collected == line_.collected;
  }

  static bool is_measured(const Rank& rank) {
    return rank.init_seconds && std::isfinite(rank.init_seconds->total) && rank.init_seconds->total > 0;
  }

  std::optional<std::int64_t> time_of(const Moment& moment) const {
    if (!fits(moment)) return std::nullopt;
    const bool next_day = line_.clock == Timeline::Clock::of_day && moment.microseconds < first_of_day_;
    return moment.microseconds + (next_day ? day : 0);
  }

  void add(Index communicator, const Rank& rank) {
    const bool measured = is_measured(rank);
    InitSpan span;
    span.process = rank.process;
    span.communicator = communicator;
    span.rank = rank.rank;
    span.device = rank.nvml_dev >= 0 ? rank.nvml_dev : rank.cuda_dev;
    span.at = rank.ended_at.line > 0 ? rank.ended_at : rank.started_at;
    if (measured) span.phases = phases_of(*rank.init_seconds);
    // The length that NCCL measured, or else the time since the line `Using network …`. Both begin before the START
    // line.
    const double seconds = measured               ? rank.init_seconds->total
                           : rank.stamped_seconds ? rank.stamped_seconds->to_complete
                                                  : -1;
    const std::int64_t length = microseconds(seconds);
    if (line_.clock == Timeline::Clock::none) {
      if (!measured) return;
      span.to = length;
      line_.spans.push_back(std::move(span));
      return;
    }
    const auto started = rank.times ? time_of(rank.times->started) : std::nullopt;
    const auto completed = rank.times ? time_of(rank.times->completed) : std::nullopt;
    const bool is_open = !completed && length <= 0 && rank.state == RankState::started;
    if (!(completed && (started || length > 0)) && !(started && (length > 0 || is_open))) {
      ++line_.spans_left_out;
      return;
    }
    span.open = is_open;
    span.from = completed && length > 0 ? *completed - length : *started;
    span.to = completed ? *completed : span.from + length;
    if (span.to < span.from) span.to = span.from;  // the clock was set back
    line_.spans.push_back(std::move(span));
  }

  void add(Index number, const Incident& incident) {
    if (hidden_[static_cast<std::size_t>(number)]) return;
    if (const auto at = time_of(incident.first))
      line_.marks.push_back({number, *at});
    else
      ++line_.marks_left_out;
  }

  void find_ends() {
    std::int64_t from = std::numeric_limits<std::int64_t>::max(), to = std::numeric_limits<std::int64_t>::min();
    const auto cover = [&](std::int64_t time) {
      from = std::min(from, time);
      to = std::max(to, time);
    };
    for (const InitSpan& span : line_.spans) cover(span.from), cover(span.to);
    for (const Mark& mark : line_.marks) cover(mark.at);
    if (from > to) return;
    line_.from = from;
    line_.to = to;
    for (InitSpan& span : line_.spans)
      if (span.open) span.to = to;
  }

  const Model& model_;
  std::vector<bool> hidden_;  ///< Indexed by incident: whether it gets no mark, because the job did not fail.
  Timeline line_;
  std::int64_t first_of_day_ = 0;
};

}  // namespace

Timeline timeline_of(const Model& model, const Report* report) { return Builder(model, report).build(); }

}  // namespace nccl_analyze
