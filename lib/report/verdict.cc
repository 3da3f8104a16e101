// Healthy, faulty or unknown: the absence of findings counts only where something could have been found.

#include "report/verdict.h"

#include <algorithm>
#include <array>
#include <set>

#include "report/escape.h"
#include "report/text_job.h"
#include "rules/address.h"
#include "rules/topics.h"

namespace nccl_analyze {
namespace {

bool without_nccl(const Model& model, const Report&) { return totals(model).nccl_lines == 0; }

bool only_warnings(const Model& model, const Report&) {
  return std::none_of(model.processes.begin(), model.processes.end(),
                      [](const Process& process) { return process.info_seen; });
}

bool mostly_unrecognized(const Model& model, const Report&) {
  const ParseStats sum = totals(model);
  return sum.unrecognized > sum.nccl_lines / 2;
}

bool without_communicator(const Model& model, const Report&) { return model.communicators.empty(); }

bool is_up(const Rank& rank) {
  return rank.has(Algorithm::rings) || rank.state == RankState::complete || rank.state == RankState::destroyed;
}

bool without_finished_rank(const Model& model, const Report&) {
  return std::none_of(model.communicators.begin(), model.communicators.end(), [](const Communicator& communicator) {
    return std::any_of(communicator.ranks.begin(), communicator.ranks.end(), is_up);
  });
}

bool without_answered_check(const Model&, const Report& report) {
  return !report.checks.empty() && std::all_of(report.checks.begin(), report.checks.end(),
                                               [](const Check& check) { return check.status == CheckStatus::unknown; });
}

/// A warning that no person has found to be harmless, and that no finding reports on.
bool with_open_warning(const Model& model, const Report& report) {
  return std::any_of(report.unexplained_warnings.begin(), report.unexplained_warnings.end(), [&](Index index) {
    return topic_of(model.incidents[static_cast<std::size_t>(index)]).rule != "none";
  });
}

/// Why the absence of findings would prove nothing; the first that applies is said.
struct Doubt {
  bool (*applies)(const Model&, const Report&);
  std::string_view text;
};
constexpr std::array doubts{
    Doubt{without_nccl, "no NCCL line in this input: run the job with NCCL_DEBUG=INFO"},
    Doubt{only_warnings, "too little to judge: no line of the level INFO is here; NCCL_DEBUG=INFO prints them"},
    Doubt{mostly_unrecognized, "too little to judge: most NCCL lines have an unknown wording"},
    Doubt{without_communicator, "too little to judge: no communicator is set up in this input"},
    Doubt{without_finished_rank, "too little to judge: no rank is seen to finish its initialisation"},
    Doubt{with_open_warning, "NCCL warns of something that no rule explains; it stands below, in its own words"},
    Doubt{without_answered_check, "too little to judge: none of the checks could be made"},
};

/// What is wrong, and where to look first. Who only reports the failure of another does not stand there.
std::string headline_of(const Model& model, const Finding& finding) {
  const std::vector<Suspect>& suspects = finding.occurrence.suspects;
  const bool witnesses =
      finding.stage() == Stage::symptom &&
      std::all_of(suspects.begin(), suspects.end(), [](const Suspect& one) { return one.why.empty(); });
  const std::string who = witnesses ? std::string() : describe_suspects(model, finding.occurrence);
  return std::string{finding.rule->title} + (who.empty() ? "" : ": ") + who;
}

}  // namespace

std::string_view to_string(JobStatus status) {
  constexpr std::array<std::string_view, 4> words = {"ok", "warning", "error", "unknown"};
  return words[static_cast<std::size_t>(status)];
}

bool singles_out(const Occurrence& occurrence) {
  const std::vector<Suspect>& suspects = occurrence.suspects;
  const std::size_t affected = std::max(occurrence.ranks.size(), occurrence.processes.size());
  return suspects.size() == 1 || suspects.size() < affected ||
         std::any_of(suspects.begin(), suspects.end(), [](const Suspect& suspect) { return !suspect.why.empty(); });
}

std::string describe_suspects(const Model& model, const Occurrence& occurrence) {
  if (occurrence.suspects.empty() || !singles_out(occurrence)) return {};
  const Suspect& first = occurrence.suspects.front();
  std::string text = address_text(address_of(model, first, occurrence.communicators));
  if (text.empty()) return {};
  if (first.inferred) text = "probably " + text;
  if (const std::size_t others = occurrence.suspects.size() - 1; others > 0)
    text += " and " + std::to_string(others) + " more";
  return text;
}

std::string describe_place(const Model& model, const Occurrence& occurrence) {
  constexpr std::size_t max_ranks = 40;  // columns
  std::string place = describe_suspects(model, occurrence);
  if (!place.empty()) return place;
  if (const std::string ranks = rank_set(occurrence.ranks); !ranks.empty())
    place = (ranks.find_first_of(",-") == std::string::npos ? "rank " : "ranks ") + shortened(ranks, max_ranks);
  std::set<std::string_view> hosts;
  for (const Index process : occurrence.processes)
    if (process >= 0) hosts.insert(model.processes[static_cast<std::size_t>(process)].host);
  hosts.erase("");
  if (hosts.empty()) return place;
  place.append(place.empty() ? "on " : " on ").append(*hosts.begin());
  if (hosts.size() > 1) place += " and " + std::to_string(hosts.size() - 1) + " more";
  return place;
}

Judgement judge(const Model& model, const Report& report) {
  if (!report.findings.empty()) {
    const Finding& first = report.findings.front();
    if (first.severity() == Severity::error) return {JobStatus::error, headline_of(model, first)};
    if (first.severity() == Severity::warning) return {JobStatus::warning, headline_of(model, first)};
  }
  for (const Doubt& doubt : doubts)
    if (doubt.applies(model, report)) return {JobStatus::unknown, std::string{doubt.text}};
  const std::string missing = describe_missing_ranks(model);
  return {JobStatus::ok, "no fault found in what this log shows" + (missing.empty() ? "" : " (" + missing + ")")};
}

std::string open_question(const Model& model, const Report& report) {
  const Judgement judgement = judge(model, report);
  if (judgement.status == JobStatus::unknown) return judgement.headline;
  for (const Finding& finding : report.findings)
    if (finding.rule->id == "NCA802") return finding.occurrence.message;
  const std::string missing = describe_missing_ranks(model);
  return missing.empty() ? missing : "the input has the logs of " + missing;
}

ParseStats totals(const Model& model) {
  ParseStats sum;
  for (const Source& source : model.sources) {
    sum.bytes += source.stats.bytes;
    sum.lines += source.stats.lines;
    sum.nccl_lines += source.stats.nccl_lines;
    sum.unrecognized += source.stats.unrecognized;
    sum.malformed += source.stats.malformed;
    sum.truncated += source.stats.truncated;
    for (std::size_t kind = 0; kind < damage_kinds; ++kind) sum.damaged[kind] += source.stats.damaged[kind];
  }
  return sum;
}

}  // namespace nccl_analyze
