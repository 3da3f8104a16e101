#pragma once
// Decides what may stay in a path: folders of systems, and files of known packages. Any other part may be the name of a
// user, a project or a machine.

#include <cstddef>
#include <string_view>

namespace nccl_analyze::redact {

/// Returns the part of an absolute path or URL before the word at `begin`, with the `/` before the word; nothing if the
/// word stands in none.
std::string_view folder_before(std::string_view line, std::size_t begin);

/// Whether a word, in lower case, may stay behind this folder. `is_harmless` says whether it may stay outside of a
/// path.
bool may_stay_in_path(std::string_view folder, std::string_view word, bool is_harmless);

/// Whether a word of so many bytes, at the start of `rest`, belongs to a path that images of clouds and containers
/// have. The line may be cut within the path.
bool is_in_path_of_image(std::string_view folder, std::string_view rest, std::size_t size);

/// Returns how much of the start of the name of a segment of shared memory stays behind this folder: the length of
/// `nccl-shm-recv-`.
std::size_t length_of_segment_kind(std::string_view folder, std::string_view word);

}  // namespace nccl_analyze::redact
