#pragma once
/// Reads the bytes of one input, plain or packed, as one or more sources.

#include <functional>
#include <string>
#include <string_view>

#include "input/inputs.h"
#include "nccl_analyze/model/line.h"

namespace nccl_analyze {

/// Receives the bytes of an input. An archive holds several sources, any other input one.
struct SourceSink {
  std::function<void(std::string_view name)> begin;
  std::function<bool(std::string_view bytes)> bytes;  ///< False stops the reading.
  std::function<void()> end;                          ///< Called once for every `begin`, even after a failure.
  /// Reports what could not be read; earlier bytes stay valid.
  std::function<void(const ReadFailure& failure)> failed;
  /// Called before each read(2). Returns true when there is something to read, false to stop the reading.
  std::function<bool(int descriptor)> wait;
  /// If set, called before the `end` of a source that could not be read to its end.
  std::function<void()> cut = {};
  /// If set, called with the bytes of standard input as they were read, before they are unpacked.
  std::function<void(std::string_view bytes)> standard_input = {};
  /// If set, called before `end` for a source that is newest first and whose lines were passed on in reverse order.
  std::function<void(const LinePlaces& places)> reversed = {};
  /// If set, called before `end` for a pickle whose content was passed on as JSON.
  std::function<void()> pickled = {};
};

/// Reads one input block by block and unpacks it if it is compressed or an archive. Pickles of PyTorch's flight
/// recorder are passed on as JSON.
void read_input(const Input& input, const SourceSink& sink);

}  // namespace nccl_analyze
