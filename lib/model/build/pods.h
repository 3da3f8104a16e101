#pragma once
// Records the pods of Kubernetes manifests.

#include <cstddef>
#include <map>

#include "model/build/context.h"

namespace nccl_analyze::builder {

class Pods {
 public:
  void apply(Context& context, const PodManifestStarted& event);
  void apply(Context& context, const PodManifestValue& event);
  void apply(Context& context, const PodManifestEnded& event);

 private:
  /// Returns the last pod that began in the source of the record; null if there is none, or if that pod was dropped.
  Pod* open(Context& context);

  std::map<SourceId, std::size_t> last_;  ///< Indices into Model::pods.
};

}  // namespace nccl_analyze::builder
