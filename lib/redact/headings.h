#pragma once
// Finds lines that the analysis does not need, but that help whoever reads the redacted log: headings of tables, and
// the list of GPUs.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether a line has no other words than headings of RAS reports and of nccl-tests have. Such a line stays as it is.
bool is_heading(std::string_view line);

/// Whether a line is one of the list of GPUs that nccl-tests print. Such a line is kept and masked as others are.
bool lists_gpu(std::string_view line);

}  // namespace nccl_analyze::redact
