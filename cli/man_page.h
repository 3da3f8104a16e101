#pragma once
/// Generates the manual page nccl-analyze(1) from the table of options and the texts in man_page.cc.

#include <iosfwd>

#include "cli/option_table.h"

namespace nccl_analyze {

/// Writes nccl-analyze(1) in the macros of man(7): options and commands from the table of options, the rest as text.
void write_man_page(std::ostream& out, const CommandTable& program);

}  // namespace nccl_analyze
