#pragma once
/// Part of the text report: findings, and warnings that none of them explains.

#include "report/text_page.h"

namespace nccl_analyze {

void write_finding(const Page& page, const Finding& finding);

/// Warnings that no rule knows and no finding quotes: they must not vanish behind a good verdict.
void write_other_warnings(const Page& page);

}  // namespace nccl_analyze
