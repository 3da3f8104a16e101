#pragma once
/// Links to the files of a report, for terminals that show them (OSC 8).

#include <string>

#include "cli/color.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Whether the terminal is one of those that are known to show links; others may print what they are made of.
bool shows_links(const Environment& environment);

/// `file://HOST/PATH`; empty where the source is no file that exists, such as standard input or an archive's member.
std::string file_link(const Source& source);

}  // namespace nccl_analyze
