#pragma once
/// Unpacks compressed logs and archives of logs as streams: nothing is written to disk, and only blocks are in memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "input/decompress.h"
#include "input/source.h"

namespace nccl_analyze {

/// Number of leading bytes that looks_packed() needs.
inline constexpr std::size_t packed_magic_size = 512;

/// Whether data is packed, judged only by its first bytes; file names are ignored.
bool looks_packed(std::string_view head);

/// Limits of one archive. An archive that exceeds them is treated as a decompression bomb.
struct UnpackLimits {
  std::uint64_t bytes = std::uint64_t{4} << 30U;  ///< Unpacked bytes that are allowed regardless of `ratio`.
  std::uint64_t ratio = 1000;                     ///< Unpacked bytes per packed byte.
  std::uint64_t members = 100'000;
};

/// Reads `head`, then what `more` returns. A member of an archive becomes a source named `ARCHIVE:MEMBER`. Packed
/// members are unpacked as well, up to four layers in all.
void unpack(const std::string& name, std::string_view head, const NextBlock& more, const SourceSink& sink,
            const UnpackLimits& limits = {});

}  // namespace nccl_analyze
