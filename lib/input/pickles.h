#pragma once
/// Passes the pickles of PyTorch's flight recorder on as JSON (lib/evidence/pickle.h), which the parser reads.

#include <string>
#include <string_view>

#include "input/source.h"

namespace nccl_analyze {

/// Stands between the reading of an input and its sink. Sources that are no such pickles pass unchanged. A pickle that
/// cannot be read is reported to SourceSink::failed and becomes no source.
class PickleReading {
 public:
  /// `sink` must outlive this object.
  explicit PickleReading(const SourceSink& sink) : sink_(sink) {}

  /// The sink for the reading, which must not outlive this object.
  SourceSink sink();

 private:
  enum class State : std::uint8_t {
    undecided,
    other,  ///< The source is passed on as it is.
    pickle
  };

  void begin(std::string_view name);
  bool bytes(std::string_view bytes);
  void end();
  void cut();
  bool pass_held();
  void pass_pickle();

  const SourceSink& sink_;
  std::string name_;
  State state_ = State::undecided;
  std::string held_;  ///< The first bytes of the source, until it is decided; all of a pickle.
  bool cut_ = false;
};

}  // namespace nccl_analyze
