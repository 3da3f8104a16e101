#pragma once
// The parts of join_machines(): the paths of topology files, and the search for the host that a document describes.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

/// Computes the paths from each GPU of a host's topology file to its other GPUs and NICs, unless GPUs × (GPUs + NICs)
/// is more than `room`. Reduces `room` by this product.
void find_paths(Machine& machine, std::size_t& room);

/// Finds hosts by their identifying properties. A property that several hosts share maps to `several`.
class HostsByKey {
 public:
  explicit HostsByKey(const Model& model);

  /// Returns the host that the document certainly describes; -1 if no host is certain.
  Index host_of(const Machine& machine) const;

 private:
  static constexpr Index several = -2;
  template <class Map, class Key>
  static void add(Map& map, const Key& key, Index host);
  /// Returns the host with this key; -1 if there is none or several.
  template <class Map, class Key>
  static Index find(const Map& map, const Key& key);

  void add_ranks();
  Index by_ranks(const Machine& machine) const;
  Index by_guid(const Machine& machine) const;
  Index by_path(SourceId source) const;
  Index only_host() const;

  const Model& model_;
  std::map<std::pair<int, std::uint64_t>, Index> ranks_;  ///< By rank and bus id of its GPU.
  std::map<std::uint64_t, Index> guids_;                  ///< By GUID of a NIC.
  std::map<std::string, Index, std::less<>> names_;
  std::map<SourceId, Index> sources_;
  std::map<std::string, Index, std::less<>> folders_;
  Index only_ = -1;  ///< The only host of the job; -1 if the job may have several.
};

}  // namespace nccl_analyze::builder
