#pragma once
/// What the report shows of findings.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/rule.h"
#include "nccl_analyze/rule_parts.h"
#include "queries/members/line.h"
#include "report/sentences/words.h"
#include "text/literal.h"

namespace nccl_analyze::members {

/// Returns the hosts that a finding touches, and those of its suspects, sorted.
std::vector<std::string_view> hosts_of(const Finding& finding, const Context& context);
/// Returns the ranks one by one; nullopt for too many of them.
std::optional<std::vector<int>> rank_list(const Finding& finding);

template <>
inline constexpr auto members_of<Step> = std::tuple{
    in_block("step"),
    member("text", plain, "Markdown.", &Step::text),
    member("command", known, "For a shell, or lines of a manifest.", &Step::command),
    member("because", known, "The fact of this log that demands the step.", &Step::because),
    member("reference", known, "Release notes, issues.", &Step::reference),
};

/// A suspect with its address.
struct SuspectRow {
  const Suspect& suspect;
  Address address;
};
template <auto Part>
inline constexpr auto of_address = [](const SuspectRow& row) { return row.address.*Part; };
template <>
inline constexpr auto members_of<SuspectRow> = std::tuple{
    in_line("suspect"),
    member("rank", known, of_address<&Address::rank>),
    member("process", reference, "Index into `processes`.", of_address<&Address::process>),
    member("host", known, of_address<&Address::host>),
    member("pod", known, of_address<&Address::pod>),
    member("container", known, of_address<&Address::container>),
    member("pid", known, of_address<&Address::pid>),
    member("gpu", known, "NVML's number, else CUDA's.", of_address<&Address::gpu>),
    member(
        "why", known, "What the log shows of it.", [](const SuspectRow& row) -> auto& { return row.suspect.why; }),
    member("inferred", plain, "Concluded, not printed.", [](const SuspectRow& row) { return row.suspect.inferred; }),
};

/// A line that proves a finding.
struct EvidenceRow {
  LineRef at;
  std::string_view text;  ///< Empty: not kept.
  const Meaning* meaning;
};
/// Calls write(EvidenceRow) for each line of the evidence.
constexpr auto each_line = [](const Finding& finding, const Context& context, const auto& write) {
  for (const LineRef at : finding.evidence.lines)
    if (at.line != 0)  // line 0 stands for no line
      write(EvidenceRow{at, without_cut_marks(context.model.quote(at)), meaning_at(context.model, finding, at)});
};
template <>
inline constexpr auto members_of<EvidenceRow> = std::tuple{
    in_line("evidence"),
    flat(&EvidenceRow::at),
    member("text", known,
           "A part of the line, literally, without control characters; parts of lines behind it follow after ` ... `. "
           "null: not kept.",
           &EvidenceRow::text),
    sometimes("meaning", plain, "What the message of the line means. Markdown.",
              [](const EvidenceRow& row) {
                return row.meaning == nullptr ? std::nullopt : std::optional<std::string_view>{row.meaning->text};
              }),
};

inline constexpr Plain rule_id = like("^[A-Z][A-Z0-9]{1,15}-?[0-9]{1,9}$");

template <>
inline constexpr auto members_of<Finding> = std::tuple{
    in_block("finding"),
    member("rule", rule_id, [](const Finding& finding) { return finding.rule->id; }),
    member("name", like("^[a-z0-9]+(-[a-z0-9]+)*$"), [](const Finding& finding) { return finding.rule->name; }),
    member("severity", word<Severity::error>, &Finding::severity),
    member("stage", word<Stage::note>, "Where it stands between root and symptom.", &Finding::stage),
    member("title", plain, &Finding::shown_title),
    member("message", plain, "This case, with its numbers.", &Finding::message),
    member("explanation", plain, "Markdown.", [](const Finding& finding) { return finding.rule->words->explanation; }),
    member("fix", plain, "The steps as a list of Markdown.", [](const Finding& finding) { return fix_of(finding); }),
    member("steps", objects, "What to do, most likely first; what this log excludes is left out.", steps_of),
    member("consequence", plain, "Something else in this input explains it.", &Finding::consequence),
    member("communicators", references, "Indices into `communicators`.", &Finding::communicators),
    member("ranks", Known{0, "^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$"}, "0-3,7",
           [](const Finding& finding) { return rank_set(finding.ranks); }),
    member("rank_list", Array<Plain>{Plain{0}, Layout::line, 0, true},
           "The same, one by one; null when there are more than 65536.", rank_list),
    member("suspects", each<SuspectRow>, "Who is at fault or must be looked at first, not everybody who is affected.",
           [](const Finding& finding, const Context& context, const auto& write) {
             for (const Suspect& suspect : finding.suspects)
               write(SuspectRow{suspect, address_of(context.model, suspect, finding.communicators)});
           }),
    member("hosts", Array<Plain>{{}, Layout::line, 0, true},
           "Those that it touches, and those of its suspects. Sorted.", hosts_of),
    member("evidence", Each<EvidenceRow>{1}, "The first lines that prove it.", each_line),
    member("evidence_count", at_least(1), "Lines that prove it, shown or not.",
           [](const Finding& finding) { return finding.evidence.count; }),
    member("consequences", objects, "What follows from this cause.", &Finding::consequences),
};

}  // namespace nccl_analyze::members
