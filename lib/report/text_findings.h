#pragma once
/// Part of the text report: findings, and warnings that none of them explains.

#include <vector>

#include "report/text_page.h"

namespace nccl_analyze {

/// `as_for`: a finding above it that has the same fix; null: there is none.
void write_finding(const Page& page, const Finding& finding, const Finding* as_for);

/// That there are others like the note above.
void write_notes_like(const Page& page, const std::vector<const Finding*>& others);

/// Warnings that no rule knows and no finding quotes: they must not vanish behind a good verdict.
void write_other_warnings(const Page& page);

}  // namespace nccl_analyze
