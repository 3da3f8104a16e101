#pragma once
// Records the runs of nccl-tests.

#include <cstddef>
#include <map>
#include <string_view>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Benchmarks {
 public:
  void apply(Context& context, const BenchmarkStarted& event);
  void apply(Context& context, const BenchmarkRankListed& event);
  void apply(Context& context, const BenchmarkTableBegun& event);
  void apply(Context& context, const BenchmarkMeasured& event);
  void apply(Context& context, const BenchmarkEnded& event);

 private:
  /// Returns the run to which the current record belongs: the last one that began in its source. Returns null and drops
  /// the record if none began there, or if that run was beyond a limit.
  Benchmark* open(Context& context);
  /// Adds a run. `operation` is empty if it is not known.
  void begin(Context& context, std::string_view operation);

  std::map<SourceId, std::size_t> last_;  ///< Indices into Model::benchmarks.
};

}  // namespace nccl_analyze::builder
