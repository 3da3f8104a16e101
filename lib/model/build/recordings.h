#pragma once
// Records the reports of NCCL's RAS client as JSON, the dumps of PyTorch's flight recorder, and the lines of the NCCL
// Inspector.

#include <cstddef>
#include <map>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Recordings {
 public:
  void apply(Context& context, const RasReported& event);
  void apply(Context& context, const RasCommunicatorReported& event);
  void apply(Context& context, const RasRanksLaunched& event);
  void apply(Context& context, const RasRankLaunched& event);
  void apply(Context& context, const RasRankLost& event);
  void apply(Context& context, const RasRankFailed& event);
  void apply(Context& context, const FlightRecorded& event);
  void apply(Context& context, const CollectivesInspected& event);
  void apply(Context& context, const DurationRecorded& event);

 private:
  /// Returns the last communicator of the last report in the source of the record; null if there is none, or if it was
  /// dropped.
  RasCommunicator* open(Context& context);

  std::map<SourceId, std::size_t> last_report_;  ///< Indices into Model::ras_reports.
};

}  // namespace nccl_analyze::builder
