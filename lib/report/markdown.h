#pragma once
/// Blocks of a document as Markdown, for formats that carry some of it along.

#include <span>
#include <string>

#include "report/document.h"

namespace nccl_analyze {

/// Words of a log in it are inert.
std::string markdown_of(std::span<const Block> blocks);

}  // namespace nccl_analyze
