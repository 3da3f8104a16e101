#pragma once
// The runs of nccl-tests.

#include <cstddef>
#include <map>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Benchmarks {
 public:
  void apply(Context& context, const BenchmarkStarted& event);
  void apply(Context& context, const BenchmarkRankListed& event);
  void apply(Context& context, const BenchmarkMeasured& event);
  void apply(Context& context, const BenchmarkEnded& event);

 private:
  /// The last run that began in the source of the record; null if none did, or it was dropped.
  Benchmark* open(Context& context);

  std::map<SourceId, std::size_t> last_;  ///< Indices into Model::benchmarks.
};

}  // namespace nccl_analyze::builder
