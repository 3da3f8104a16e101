#pragma once
/// Faults of releases of NCCL, RCCL and plugins: what a log shows of them, and what to do.

#include <cstdint>
#include <string_view>
#include <vector>

#include "rules/advice/facts.h"

namespace nccl_analyze {

enum class IssueKind : std::uint8_t {
  fault,    ///< Only this fault prints the message.
  effect,   ///< Only this fault prints the message, but something else on the machine triggers the fault.
  likely,   ///< As `maybe`, but at this place the fault is the likeliest reason.
  maybe,    ///< Other faults print the message too.
  message,  ///< The release says less of a failure than later ones do; the failure itself has another cause.
  harmless  ///< The release warns of something that later releases do not warn of.
};

/// A row of known_issues.tsv. All texts are static.
struct KnownIssue {
  std::string_view key;
  IssueKind kind{};
  std::string_view rule;         ///< Name of the rule that reports the fault; empty: several do.
  std::string_view wording;      ///< Parts of the message, in this order, separated by ` … `; empty: any.
  std::string_view place;        ///< Part of the place in the source; empty: any.
  std::string_view only_if;      ///< A condition that the log must prove.
  std::string_view library;      ///< The library whose version decides: NCCL, RCCL or a plugin such as aws-ofi-nccl.
  std::string_view from, until;  ///< First and last release with the fault; empty: not known.
  std::string_view fixed;        ///< First release without it; empty: none is known.
  std::string_view way_around;   ///< What to do on a release with the fault; empty: nothing is known.
  std::string_view says;         ///< What the fault is.
  std::string_view reference;
  std::string_view example;  ///< A line of a log that shows the fault.
};
/// All rows, in the order of the table.
const std::vector<KnownIssue>& known_issues();

/// Whether the release is one of those with the fault.
bool has_issue(const KnownIssue& issue, std::string_view version);

/// Whether a text of the log has the wording of the issue, and `place` its place.
bool is_shown_by(const KnownIssue& issue, std::string_view text, std::string_view place);

/// Adds a step for the issue that fits the finding best: as the first step for IssueKind::fault and harmless, as
/// the last one for IssueKind::message, else as the second. Issues of releases other than that of the log are left out.
void add_known_issues(const Facts& facts, std::vector<Step>& steps);

extern const std::string_view known_issues_table;  ///< known_issues.tsv

}  // namespace nccl_analyze
