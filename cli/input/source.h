#pragma once
/// The bytes of one input, plain or packed, as a stream of sources.

#include <functional>
#include <string>
#include <string_view>

#include "cli/input/inputs.h"

namespace nccl_analyze {

/// Receives the bytes of an input. An archive holds several sources, everything else one.
struct SourceSink {
  std::function<void(std::string_view name)> begin;
  std::function<bool(std::string_view bytes)> bytes;        ///< False: read no further.
  std::function<void()> end;                                ///< Called for every `begin`, after a failure too.
  std::function<void(const std::string& sentence)> failed;  ///< What could not be read; what came before stays.
  /// Before each read(2): returns when there is something to read, or false to read no further.
  std::function<bool(int descriptor)> wait;
};

/// Reads one input block by block, compressed ones and archives through libarchive.
void read_input(const Input& input, const SourceSink& sink);

}  // namespace nccl_analyze
