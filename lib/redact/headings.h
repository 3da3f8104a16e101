#pragma once
// Finds lines that the analysis does not need, but that help whoever reads the redacted log: headings of tables, the
// list of GPUs, results of nccl-tests, versions.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether a line consists of words from the headings of RAS reports and nccl-tests, or is a sentence of NCCL without
/// names. Such a line stays as it is.
bool is_heading(std::string_view line);

/// Whether a line is a row of nccl-tests in the list of GPUs or in the results, or shows the path of RCCL's library or
/// versions of ROCm or DeepSpeed. Such a line is kept, and masked like other kept lines.
bool may_be_kept(std::string_view line);

/// Whether `before`, the start of a line, introduces the version of a ROCm library: `HIP version  : `.
bool leads_version_of_rocm(std::string_view before);

}  // namespace nccl_analyze::redact
