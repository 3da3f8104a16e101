#pragma once
/// Compressed logs and archives of logs, as streams: nothing is unpacked to disk or held in memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/input/decompress.h"
#include "cli/input/source.h"

namespace nccl_analyze {

/// How many bytes from the start decide what a file is.
inline constexpr std::size_t packed_magic_size = 512;

/// By the first bytes alone; names and extensions play no part.
bool looks_packed(std::string_view head);

/// What one archive may grow to before it is taken for a bomb.
struct UnpackLimits {
  std::uint64_t bytes = std::uint64_t{4} << 30U;  ///< Together with `ratio`: logs that repeat themselves pack well.
  std::uint64_t ratio = 1000;
  std::uint64_t members = 100'000;
};

/// Reads `head` and then what `more` returns. A member of an archive is a source named `ARCHIVE:MEMBER`, and
/// unpacked when it is packed itself.
void unpack(const std::string& name, std::string_view head, const NextBlock& more, const SourceSink& sink,
            const UnpackLimits& limits = {});

}  // namespace nccl_analyze
