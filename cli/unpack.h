#pragma once
/// Compressed logs and archives of logs, as streams: nothing is unpacked to disk or held in memory.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "inputs.h"

namespace nccl_analyze {

/// How many bytes from the start decide what a file is.
inline constexpr std::size_t packed_magic_size = 512;

/// By the first bytes alone; names and extensions play no part.
bool looks_packed(std::string_view head);

/// Reads `head` and then what `more` returns, until it returns nothing. A member of an archive is a source named
/// `ARCHIVE:MEMBER`. Returns what went wrong as one sentence, else nothing.
std::string unpack(const std::string& name, std::string_view head, const std::function<std::string_view()>& more,
                   const SourceSink& sink);

}  // namespace nccl_analyze
