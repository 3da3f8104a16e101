#pragma once
// Writes the table of rows as a Markdown page, lib/messages/README.md.

#include <iosfwd>

namespace nccl_analyze {

void write_messages_markdown(std::ostream& out);

}  // namespace nccl_analyze
