#pragma once
// What may stay in a path: folders of systems, files of known packages. Any other part may be the name of a user, a
// project or a machine.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// The part of an absolute path or URL before the word at `begin`, with the `/` before the word; empty if the word is
/// in none.
std::string_view folder_before(std::string_view line, std::size_t begin);

/// Whether a word, in lower case, may stay behind this folder. `is_harmless`: whether it might stay elsewhere.
bool may_stay_in_path(std::string_view folder, std::string_view word, bool is_harmless);

/// How much of the start of the name of a segment of shared memory stays behind this folder: `nccl-shm-recv-`.
std::size_t length_of_segment_kind(std::string_view folder, std::string_view word);

}  // namespace nccl_analyze::redact
