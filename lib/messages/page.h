#pragma once
// Writes the table of rows as Markdown, for lib/messages/README.md.

#include <iosfwd>

namespace nccl_analyze {

void write_messages_markdown(std::ostream& out);

}  // namespace nccl_analyze
