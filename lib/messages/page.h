#pragma once
// The table of rows as a Markdown page: lib/messages/README.md is generated from it.

#include <iosfwd>

namespace nccl_analyze {

void write_messages_markdown(std::ostream& out);

}  // namespace nccl_analyze
