#pragma once
// Records the documents that describe a machine.

#include <cstddef>
#include <map>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Machines {
 public:
  void apply(Context& context, const MachineDescribed& event);
  void apply(Context& context, const MachineEnded& event);
  void apply(Context& context, const MachineCpuListed& event);
  void apply(Context& context, const MachineGpuListed& event);
  void apply(Context& context, const MachineNicListed& event);
  void apply(Context& context, const MachinePathsListed& event);
  void apply(Context& context, const MachineNvlinkListed& event);
  void apply(Context& context, const MachineLinkListed& event);
  void apply(Context& context, const MachineAcsListed& event);
  void apply(Context& context, const MachinePortListed& event);
  void apply(Context& context, const MachineGidListed& event);
  void apply(Context& context, const MachineValueListed& event);
  void apply(Context& context, const MachineGraphListed& event);
  void apply(Context& context, const MachineChannelListed& event);

 private:
  /// Returns the last document that began in the source of the record. Null if no document began there, if the document
  /// was dropped, or if all documents together have too many facts.
  Machine* open(Context& context);

  std::map<SourceId, std::size_t> last_;  ///< Indices into Model::machines.
  std::size_t items_ = 0, paths_ = 0;     ///< Sums over all machines.
};

}  // namespace nccl_analyze::builder
