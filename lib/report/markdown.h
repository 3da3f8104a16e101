#pragma once
/// Document blocks as Markdown. The HTML page embeds this Markdown too, so that readers can copy a finding into a
/// ticket.

#include <span>
#include <string>

#include "report/document.h"

namespace nccl_analyze {

/// Log text in the result is escaped, so that it forms no markup, link or mention.
std::string markdown_of(std::span<const Block> blocks);

}  // namespace nccl_analyze
