// Knows in which lines of transport/nvls.cc NCCL registers buffers, by its releases.

#include "rules/support/nvls_places.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "model/versions.h"
#include "nccl_analyze/rule_parts.h"

namespace nccl_analyze {

namespace {

/// Whether a CUDA call in this line of nvls.cc registers a buffer of the program, by the release (219 is NCCL 2.19; 0:
/// unknown). The set-up of NVLS stands above these functions in all releases, and up to 2.18 there are none. Without a
/// release the lines count that are of the registration in nearly all of them.
bool is_of_registration(int line, int release) {
  constexpr int symmetric_memory = 861;  // of 2.27, behind the registration
  if (release > 0 && release < 219) return false;
  const int first = release == 0 ? 488 : release < 222 ? 421 : release < 230 ? 490 : 620;
  return line >= first && (line < symmetric_memory || release >= 230);
}

}  // namespace

bool registers_nvls_buffer(const Model& model, const Incident& incident) {
  constexpr std::string_view file = "nvls.cc:";
  const std::string_view place = incident.place;
  const std::size_t at = place.rfind(file);
  if (at == std::string_view::npos) return false;
  int line = 0;
  std::from_chars(place.data() + at + file.size(), place.data() + place.size(), line);
  const Process* const process = process_of(model, incident.process);
  if (process == nullptr) return is_of_registration(line, 0);
  if (!process->version.empty()) return is_of_registration(line, release_of(process->version.view()));
  if (!process->inferred_version) return is_of_registration(line, 0);
  return std::ranges::all_of(process->inferred_version->versions,
                             [&](const Text& version) { return is_of_registration(line, release_of(version.view())); });
}

}  // namespace nccl_analyze
