#pragma once
// Finds lines that the analysis does not need, but that help whoever reads the redacted log: headings of tables, the
// list of GPUs, results of nccl-tests, versions.

#include <string_view>

namespace nccl_analyze::redact {

/// Whether a line has no other words than headings of RAS reports and of nccl-tests have. Such a line stays as it is.
bool is_heading(std::string_view line);

/// Whether a line is one of the list of GPUs or a row of results that nccl-tests print, or tells the versions of RCCL's
/// libraries or of DeepSpeed. Such a line is kept and masked as others are.
bool may_be_kept(std::string_view line);

/// Whether these bytes before a word begin a line that tells a version of a library of ROCm: `HIP version  : `.
bool leads_version_of_rocm(std::string_view before);

}  // namespace nccl_analyze::redact
