// Judges a job as healthy, faulty or unknown. The absence of findings counts only if the input could have shown a
// fault.

#include "report/sentences/verdict.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "nccl_analyze/rule_parts.h"
#include "queries/attempts.h"
#include "report/sentences/communicators.h"
#include "report/sentences/outcome.h"
#include "rules/outcome.h"
#include "rules/topics.h"
#include "text/escape.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {
namespace {

/// The part of the input to judge: all of it, or one of several jobs.
struct Part {
  const Model& model;
  const Report& report;
  const Job* job = nullptr;

  bool holds(const Process& process) const { return job == nullptr || job->holds(process.source); }
  bool holds(const Communicator& comm) const {
    return job == nullptr || std::any_of(comm.ranks.begin(), comm.ranks.end(),
                                         [&](const Rank& rank) { return job->holds(model, rank.process); });
  }
};

bool without_nccl(const Part& part) { return totals(part.model, part.job).nccl_lines == 0; }

bool with_tools_only(const Part& part) { return without_nccl(part) && part.model.has_tool_output(); }

bool newest_first(const Part& part) { return totals(part.model, part.job).newest_first > 0; }

bool only_warnings(const Part& part) {
  return std::none_of(part.model.processes.begin(), part.model.processes.end(),
                      [&](const Process& process) { return process.info_seen && part.holds(process); });
}

bool mostly_unrecognized(const Part& part) {
  const ParseStats sum = totals(part.model, part.job);
  return sum.unrecognized > sum.nccl_lines / 2;
}

bool without_communicator(const Part& part) {
  return std::none_of(part.model.communicators.begin(), part.model.communicators.end(),
                      [&](const Communicator& comm) { return part.holds(comm); });
}

/// Whether a communicator begins that no line names, as up to NCCL 2.4.
bool without_named_communicator(const Part& part) {
  return without_communicator(part) && std::ranges::any_of(part.model.processes, [&](const Process& process) {
           return part.holds(process) && process.announced_ranks > 0;
         });
}

bool is_up(const Communicator& comm, const Rank& rank) {
  // An excerpt that begins among the connections has no line of the start or the end of an initialisation.
  return only_connects(comm, rank) || rank.has(Algorithm::rings) || rank.state == RankState::complete ||
         rank.state == RankState::destroyed;
}

bool without_finished_rank(const Part& part) {
  return std::none_of(part.model.communicators.begin(), part.model.communicators.end(), [&](const Communicator& comm) {
    return part.holds(comm) && std::ranges::any_of(comm.ranks, [&](const Rank& rank) { return is_up(comm, rank); });
  });
}

bool without_answered_check(const Part& part) {
  const std::vector<Check>& checks = part.report.checks;
  return !checks.empty() && std::all_of(checks.begin(), checks.end(),
                                        [](const Check& check) { return check.status == CheckStatus::unknown; });
}

/// Whether a warning remains that is not classified as harmless and that no finding reports.
bool with_open_warning(const Part& part) {
  const std::vector<Index>& open = part.report.unexplained_warnings;
  return std::any_of(open.begin(), open.end(), [&](Index index) {
    const Incident& incident = part.model.incidents[index];
    return is_warning(incident) && topic_of(incident).rule != "none" &&
           (part.job == nullptr || part.job->holds(part.model, incident.process));
  });
}

bool is_cut(const Part& part) { return totals(part.model, part.job).ends_early > 0; }

bool with_unreadable(const Part& part) { return part.job == nullptr && !part.model.unreadable.empty(); }

/// Whether some rank did not complete an initialisation that another rank of the communicator completed. The incomplete
/// rank failed, or its lines are lost.
bool with_unfinished_rank(const Part& part) {
  return std::any_of(part.model.communicators.begin(), part.model.communicators.end(), [&](const Communicator& comm) {
    return part.holds(comm) && !comm.inferred &&
           std::ranges::any_of(comm.ranks, [&](const Rank& rank) { return is_up(comm, rank); }) &&
           std::any_of(comm.ranks.begin(), comm.ranks.end(), [&](const Rank& rank) {
             return rank.start_seen && rank.state == RankState::started && rank.phase != InitPhase::complete &&
                    !is_up(comm, rank);
           });
  });
}

/// A reason why the absence of findings proves nothing. The first reason that applies becomes the headline.
struct Doubt {
  bool (*applies)(const Part&);
  std::string_view text;
  bool is_of_thin_input = true;  ///< Whether a proof that the job works or completed removes the doubt.
};
constexpr Doubt wrong_order{newest_first,
                            "this log is newest first and was read in this order: sort it by time, oldest first"};
constexpr std::array doubts{
    Doubt{is_cut, "the input ends early: what it does not show proves nothing", false},
    Doubt{with_unreadable, "not all of the input could be read", false},
    Doubt{with_tools_only, "too little to judge: this input has the output of other tools, and no NCCL line"},
    Doubt{without_nccl, "no NCCL line in this input: run the job with NCCL_DEBUG=INFO"},
    Doubt{only_warnings, "too little to judge: no line of the level INFO is here; NCCL_DEBUG=INFO prints them"},
    Doubt{mostly_unrecognized, "too little to judge: most NCCL lines have an unknown wording"},
    Doubt{without_named_communicator, "too little to judge: a communicator begins, and no line names it"},
    Doubt{without_communicator, "too little to judge: no recognised line starts a communicator"},
    Doubt{without_finished_rank, "too little to judge: no rank is seen to finish its initialisation"},
    Doubt{with_unfinished_rank, "a rank began the initialisation and is not seen to complete it, beside one that did",
          false},
    Doubt{with_open_warning, "NCCL warns of something that no rule explains; it stands below, in its own words"},
    Doubt{without_answered_check, "too little to judge: none of the checks could be made"},
};

/// Whether the rule says that the finding's processes only met the fault of a process that the input does not name.
bool is_witnessed(const Finding& finding) {
  return std::ranges::any_of(finding.values,
                             [](const auto& one) { return one.first == "place" && one.second == "witness"; });
}

/// Returns the title of a finding and its suspects. The suspects are omitted if the finding is a symptom and gives no
/// reason for any suspect, or if its rule says so: such suspects only report the failure of another rank.
std::string headline_of(const Model& model, const Finding& finding) {
  const std::vector<Suspect>& suspects = finding.suspects;
  const bool witnesses = is_witnessed(finding) || (finding.stage() == Stage::symptom &&
                                                   std::all_of(suspects.begin(), suspects.end(),
                                                               [](const Suspect& one) { return one.why.empty(); }));
  const std::string who = witnesses ? std::string() : describe_suspects(model, finding);
  std::string title{finding.shown_title()};
  if (who.empty()) return title;
  return title + (title.find(": ") == std::string::npos ? ": " : "; ") + who;
}

std::optional<Judgement> doubt_of(const Part& part) {
  const auto is_whole = [&] {
    const Outcome outcome = part.job == nullptr ? outcome_of(part.model, part.report).outcome : Outcome::unknown;
    return outcome == Outcome::completed || (outcome == Outcome::running && !find_training(part.model).empty());
  };
  for (const Doubt& doubt : doubts)
    if (doubt.applies(part) && !(doubt.is_of_thin_input && is_whole()))
      return Judgement{JobStatus::unknown, std::string{doubt.text}};
  return std::nullopt;
}

JobStatus status_of(Severity severity) { return severity == Severity::error ? JobStatus::error : JobStatus::warning; }

/// Returns the verdict on a job that was restarted later, from its first finding whose rule has severity warning or
/// error; the report shows such a finding as a note. Nothing if there is none, or if the job is the current attempt.
std::optional<Judgement> judge_earlier(const Model& model, const Report& report, const Job& job) {
  const Attempts attempts(model);
  if (!std::ranges::all_of(job.sources, [&](SourceId source) { return attempts.is_earlier(source); })) return {};
  for (const Finding& finding : report.findings)
    if (finding.rule->severity != Severity::info && finding.survived && concerns(model, finding, job))
      return Judgement{status_of(finding.rule->severity), "an earlier attempt: " + headline_of(model, finding)};
  return std::nullopt;
}

/// Changes the first letter to lower case unless the title begins with an acronym, such as `GPUs`.
std::string in_sentence(std::string_view title) {
  std::string text(title);
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (text.size() > 1 && is_upper(text[0]) && is_lower(text[1])) text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

std::string_view to_string(JobStatus status) {
  constexpr std::array<std::string_view, 4> words = {"ok", "warning", "error", "unknown"};
  return words[static_cast<std::size_t>(status)];
}

bool only_connects(const Communicator& comm, const Rank& rank) {
  return comm.inferred && rank.state == RankState::started && rank.phase == InitPhase::connect &&
         rank.started_at.line == 0;
}

bool singles_out(const Finding& finding) {
  const std::vector<Suspect>& suspects = finding.suspects;
  const std::size_t affected = std::max(finding.ranks.size(), finding.processes.size());
  return suspects.size() == 1 || suspects.size() < affected ||
         std::any_of(suspects.begin(), suspects.end(), [](const Suspect& suspect) { return !suspect.why.empty(); });
}

std::string describe_suspects(const Model& model, const Finding& finding) {
  if (finding.suspects.empty() || !singles_out(finding)) return {};
  const Suspect& first = finding.suspects.front();
  std::string text = address_text(address_of(model, first, finding.communicators));
  if (text.empty()) return {};
  if (first.inferred) text = "probably " + text;
  if (const std::size_t others = finding.suspects.size() - 1; others > 0)
    text += " and " + std::to_string(others) + " more";
  return text;
}

std::string describe_place(const Model& model, const Finding& finding) {
  constexpr std::size_t max_ranks = 40;  // columns
  std::string place = describe_suspects(model, finding);
  if (!place.empty()) return is_witnessed(finding) ? "seen by " + place : place;
  if (const std::string ranks = short_rank_set(finding.ranks, max_ranks); !ranks.empty())
    place = (ranks.find_first_of(",-") == std::string::npos ? "rank " : "ranks ") + ranks;
  std::set<std::string_view> hosts;
  for (const Index process : finding.processes)
    if (process >= 0) hosts.insert(model.processes[process].host);
  hosts.erase("");
  if (hosts.empty()) return place;
  place.append(place.empty() ? "on " : " on ").append(*hosts.begin());
  if (hosts.size() > 1) place += " and " + std::to_string(hosts.size() - 1) + " more";
  return place;
}

Judgement judge(const Model& model, const Report& report) {
  if (wrong_order.applies({model, report})) return {JobStatus::unknown, std::string{wrong_order.text}};
  if (!report.findings.empty() && report.findings.front().severity() != Severity::info) {
    const Finding& first = report.findings.front();
    return {status_of(first.severity()), headline_of(model, first)};
  }
  if (std::optional<Judgement> doubt = doubt_of({model, report})) return *std::move(doubt);
  const std::string missing = describe_missing_ranks(model);
  std::string headline = "no fault found in what this log shows" + (missing.empty() ? "" : " (" + missing + ")");
  // Other findings of this stage do not prove that the path is slower than it could be.
  const auto slow = std::ranges::find_if(report.findings, [](const Finding& finding) {
    return one_of(finding.rule->name, {"tcp-only-network", "socket-fallback", "gdr-disabled", "intra-host-network",
                                       "shm-instead-of-p2p", "slow-peer", "nvlink-unused", "bandwidth-below-path"});
  });
  if (slow != report.findings.end()) headline += "; on a slow path (" + in_sentence(slow->shown_title()) + ")";
  return {JobStatus::ok, std::move(headline)};
}

Verdict verdict_of(const Model& model, const Report& report) {
  auto [status, headline] = judge(model, report);
  return {status, outcome_of(model, report).outcome, std::move(headline)};
}

Judgement judge(const Model& model, const Report& report, const Job& job) {
  if (wrong_order.applies({model, report, &job})) return {JobStatus::unknown, std::string{wrong_order.text}};
  // Whether a finding has more lines than it keeps; the lost ones may concern this job.
  bool some_are_hidden = false;
  for (const Finding& finding : report.findings) {
    if (finding.severity() == Severity::info) continue;
    const Evidence& evidence = finding.evidence;
    if (concerns(model, finding, job)) return {status_of(finding.severity()), headline_of(model, finding)};
    some_are_hidden = some_are_hidden || evidence.count > evidence.lines.size();
  }
  if (std::optional<Judgement> earlier = judge_earlier(model, report, job)) return *std::move(earlier);
  if (some_are_hidden) return {JobStatus::unknown, "no fault of its own shown"};
  if (std::optional<Judgement> doubt = doubt_of({model, report, &job})) return *std::move(doubt);
  return {JobStatus::ok, "no fault found"};
}

std::string open_question(const Model& model, const Report& report) {
  const Judgement judgement = judge(model, report);
  if (judgement.status == JobStatus::unknown) return judgement.headline;
  if (!model.unreadable.empty()) return "not all of the input could be read: " + model.unreadable.front().name;
  for (const Finding& finding : report.findings)
    if (finding.rule->id == "NCA802") return finding.message;
  const std::string missing = describe_missing_ranks(model);
  return missing.empty() ? missing : "the input has the logs of " + missing;
}

ParseStats totals(const Model& model, const Job* job) {
  ParseStats sum;
  for (std::size_t i = 0; i < model.sources.size(); ++i) {
    if (job != nullptr && !job->holds(static_cast<SourceId>(i))) continue;
    const ParseStats& stats = model.sources[i].stats;
    sum.bytes += stats.bytes;
    sum.lines += stats.lines;
    sum.nccl_lines += stats.nccl_lines;
    sum.unrecognized += stats.unrecognized;
    sum.malformed += stats.malformed;
    sum.truncated += stats.truncated;
    sum.newest_first += stats.newest_first;
    sum.reversed += stats.reversed;
    sum.pickles += stats.pickles;
    sum.ends_early += stats.ends_early;
    for (std::size_t kind = 0; kind < damage_kinds; ++kind) sum.damaged[kind] += stats.damaged[kind];
  }
  return sum;
}

}  // namespace nccl_analyze
