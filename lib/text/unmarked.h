#pragma once
// Records without the word NCCL: those of NCCL up to 2.3, and those whose prefix was left out.

#include <string_view>

#include "text/prefix.h"

namespace nccl_analyze {

/// How sure it is that a line without the word is NCCL's.
enum class Unmarked : std::uint8_t {
  none,
  likely,  ///< If a row reads the message.
  certain
};

/// Reads `host:pid:tid [d] INFO message`, `[d] file.cc:12 WARN message`, or a line that begins with words that only
/// NCCL and its plugins print.
Unmarked read_unmarked(std::string_view line, RecordView& record);

}  // namespace nccl_analyze
