#pragma once
// Decides what may stay in a path: folders of systems, and files of known packages. Any other part may be the name of a
// user, a project or a machine.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// Returns the folder before the word at `begin`, including the separator before the word (`/`, `\` or `~`). Empty if
/// the word is not in a URL or an absolute path; paths that begin with `~`, `$` or a drive count as absolute.
std::string_view folder_before(std::string_view line, std::size_t begin);

/// Whether a word, in lower case, may stay after this folder. `is_harmless`: whether it may stay outside of a path.
bool may_stay_in_path(std::string_view folder, std::string_view word, bool is_harmless);

/// Whether the first `size` bytes of `rest` belong to a path that images of clouds and containers have. The line may be
/// cut within the path.
bool is_in_path_of_image(std::string_view folder, std::string_view rest, std::size_t size);

/// Returns how many leading bytes of the name of a shared memory segment stay after this folder: the length of
/// `nccl-shm-recv-`. 0 if the word is no such name.
std::size_t length_of_segment_kind(std::string_view folder, std::string_view word);

}  // namespace nccl_analyze::redact
