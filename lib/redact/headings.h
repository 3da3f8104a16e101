#pragma once
// Lines that the analysis does not read and that tell a reader much: headings of tables, and the list of GPUs.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether a line consists of words of headings alone, those of NCCL's RAS reports and of nccl-tests: it stays as it
/// is.
bool is_heading(std::string_view line);

/// Whether a line is one of the list of GPUs that nccl-tests print: it is masked as other lines are.
bool lists_gpu(std::string_view line);

}  // namespace nccl_analyze::redact
