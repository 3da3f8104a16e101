// Judges how long the initialisation of each process took.

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "expect/expect.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/ranks.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

/// The longest initialisation of a process, among all communicators of which it is a rank.
struct InitTime {
  bool is_rank = false;
  bool has_failed = false;  ///< The initialisation of some communicator ended with an error.
  double seconds = -1;      ///< -1: no line shows a duration.
  LineRef at;
};

std::vector<InitTime> init_times(const Model& model) {
  std::vector<InitTime> times(model.processes.size());
  for (const Communicator& comm : model.communicators) {
    for (const Rank& rank : comm.ranks) {
      if (process_of(model, rank.process) == nullptr) continue;
      InitTime& time = times[static_cast<std::size_t>(rank.process)];
      time.is_rank = true;
      if (time.has_failed) continue;
      time.has_failed = rank.state == RankState::failed && rank.phase != InitPhase::complete;
      if (time.has_failed) {
        time.at = rank.ended_at;
      } else if (rank.init_seconds && rank.init_seconds->total > time.seconds) {
        time.seconds = rank.init_seconds->total;
        time.at = rank.init_seconds->at;
      }
    }
  }
  return times;
}

/// The shortest and the longest of several times.
struct Range {
  double least = std::numeric_limits<double>::max(), most = -1;

  void add(double seconds) {
    least = std::min(least, seconds);
    most = std::max(most, seconds);
  }
  std::string text() const {
    return least == most ? seconds_text(most) : concat(seconds_text(least), " to ", seconds_text(most));
  }
};

}  // namespace

ExpectationAnswer judge_init(const ExpectationCase& asked) {
  const std::vector<InitTime> times = init_times(asked.model);
  Range fitting, others;
  std::map<Index, Range> by_host;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const InitTime& time = times[i];
    if (time.has_failed || time.seconds < 0) continue;
    (fits_real(asked.expected, time.seconds) ? fitting : others).add(time.seconds);
    by_host[asked.model.processes[i].host_index].add(time.seconds);
  }
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const InitTime& time = times[i];
    if (!time.is_rank) continue;
    Subject& subject = subjects.emplace_back();
    subject.process = static_cast<Index>(i);
    subject.evidence = evidence_at(time.at);
    if (!time.has_failed && time.seconds < 0) continue;
    const bool fits = !time.has_failed && fits_real(asked.expected, time.seconds);
    subject.status = status_of(fits);
    subject.value = time.has_failed ? "failed" : (fits ? fitting : others).text();
  }
  ExpectationAnswer answer =
      sum_up(asked, std::move(subjects), "process",
             {"no line tells how long the initialisation took", "NCCL 2.21.5+ tells it at its end"});
  for (Subject& subject : answer.subjects)
    if (!subject.value.empty() && subject.value != "failed")
      subject.value = by_host[asked.model.processes[subject.process].host_index].text();
  return answer;
}

}  // namespace nccl_analyze
