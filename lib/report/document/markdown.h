#pragma once
/// Formats document blocks as Markdown. The HTML page also embeds this Markdown, so that readers can copy a finding
/// into a ticket.

#include <span>
#include <string>

#include "report/document/document.h"

namespace nccl_analyze {

/// Returns the blocks as Markdown. Log text is escaped, so that it cannot form markup, links or mentions.
std::string markdown_of(std::span<const Block> blocks);

}  // namespace nccl_analyze
