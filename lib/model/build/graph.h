#pragma once
// Records the rings, trees and channels that ranks print.

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Graph {
 public:
  void apply(Context& context, const RingListed& event);
  void apply(Context& context, const RingLinked& event);
  void apply(Context& context, const TreesBuilt& event);
  void apply(Context& context, const TreeLinked& event);
  void apply(Context& context, const NvlsTreesLinked& event);
  void apply(Context& context, const NvlsHeadListed& event);
  void apply(Context& context, const NvlsSetUp& event);
  void apply(Context& context, const ChannelsCounted& event);
};

}  // namespace nccl_analyze::builder
