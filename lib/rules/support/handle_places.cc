// The source lines of ncclP2pImportShareableBuffer, in which NCCL imports a buffer of a peer, for each release.

#include "rules/support/handle_places.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "model/versions.h"

namespace nccl_analyze {

namespace {

/// The lines of p2p.cc at which a failed call prints an error, for a range of releases. The cuMem calls have the same
/// distances between their lines in all releases.
struct Lines {
  std::string_view first, last;  ///< The range of releases, inclusive.
  int import;                    ///< cuMemImportFromShareableHandle of a file descriptor.
  int ipc;                       ///< cudaIpcOpenMemHandle.

  bool is_of_cumem(int line) const {
    constexpr std::array distances = {0, 3, 5, 6, 15};
    return std::ranges::find(distances, line - import) != distances.end();
  }
};

constexpr std::array releases = {
    Lines{"2.18.1", "2.18.6", 250, 274}, Lines{"2.19.1", "2.19.4", 243, 267}, Lines{"2.20.3", "2.20.5", 248, 272},
    Lines{"2.21.5", "2.21.5", 251, 275}, Lines{"2.22.3", "2.22.3", 252, 276}, Lines{"2.23.4", "2.23.4", 278, 302},
    Lines{"2.24.3", "2.26.6", 274, 298}, Lines{"2.27.3", "2.28.9", 275, 299}, Lines{"2.29.2", "2.29.3", 278, 302},
    Lines{"2.29.7", "2.29.7", 285, 313}, Lines{"2.30.3", "2.30.4", 288, 316}, Lines{"2.30.7", "2.30.7", 290, 318},
};

HandleKind kind_of(const Lines& lines, int line) {
  if (line == lines.ipc) return HandleKind::ipc;
  return lines.is_of_cumem(line) ? HandleKind::cumem : HandleKind::unknown;
}

std::vector<std::string_view> possible_versions(const Process& process) {
  if (!process.version.empty()) return {process.version.view()};
  std::vector<std::string_view> versions;
  if (process.inferred_version && process.inferred_version->library == "NCCL")
    for (const Text& version : process.inferred_version->versions) versions.push_back(version.view());
  return versions;
}

bool may_be(const Lines& lines, const std::vector<std::string_view>& versions) {
  return versions.empty() || std::ranges::any_of(versions, [&](std::string_view version) {
           return !lower_version(version, lines.first) && !lower_version(lines.last, version);
         });
}

}  // namespace

HandleKind handle_kind_at(std::string_view place, const Process& process) {
  constexpr std::string_view file = "p2p.cc:";
  const std::size_t at = place.find(file);
  if (at == std::string_view::npos || process.library == "RCCL") return HandleKind::unknown;
  int line = -1;
  std::from_chars(place.data() + at + file.size(), place.data() + place.size(), line);
  const std::vector<std::string_view> versions = possible_versions(process);
  HandleKind found = HandleKind::unknown;
  for (const Lines& lines : releases) {
    const HandleKind kind = may_be(lines, versions) ? kind_of(lines, line) : HandleKind::unknown;
    if (kind == HandleKind::unknown) continue;
    if (found != HandleKind::unknown && found != kind) return HandleKind::unknown;
    found = kind;
  }
  return found;
}

}  // namespace nccl_analyze
