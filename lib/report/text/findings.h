#pragma once
/// The part of the text report on findings and on warnings without a finding.

#include <vector>

#include "report/text/page.h"

namespace nccl_analyze {

/// Writes a finding. `as_for` is an earlier finding with the same fix, to which the text then refers instead of
/// repeating the fix; null if there is none.
void write_finding(const Page& page, const Finding& finding, const Finding* as_for);

/// Writes how many similar notes follow the preceding note, and names their communicators.
void write_notes_like(const Page& page, const std::vector<const Finding*>& others);

/// Writes the warnings that no rule explains, so that a good verdict does not hide them.
void write_other_warnings(const Page& page);

}  // namespace nccl_analyze
