#pragma once
// Connection lines that wait to be given to their communicator, and how they are kept while they do.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "model/build/folded.h"
#include "nccl_analyze/containers.h"
#include "nccl_analyze/events/lists.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze::builder {

using ConnectionGroups = Folded<ConnectionGroup>;

inline int highest_channel(const ConnectionGroup& group) {
  return group.block * block_size + static_cast<int>(std::bit_width(group.channels)) - 1;
}

/// What the connection lines of one thread set up, closed by a `Connected …` line when there is one.
enum class BatchKind : std::uint8_t { unknown, rings, trees, other };

/// What the brackets of `3[1b000] -> 4[1c000]` hold: bus ids from 2.5.6 on, indices of NVML since 2.18.3.
enum class DeviceNaming : std::uint8_t { unknown, bus_id, nvml };
/// Follows from the library and its version; RCCL prints bus ids in all versions.
DeviceNaming naming_of(std::string_view library, std::string_view version);

/// A rank's GPU as connection lines have it. The version decides which of the numbers it is.
struct PeerDevice {
  int rank = -1;
  int nvml_dev = -1;         ///< -1 when the number can be none of NVML's
  std::uint64_t bus_id = 0;  ///< 0 = none
  /// Whether both have the number, and the numbers differ.
  bool contradicts(DeviceNaming naming, const Rank& known) const {
    const auto low = [](std::uint64_t id) { return static_cast<std::uint32_t>(id); };  // to 2.8.3 no more is printed
    if (naming != DeviceNaming::bus_id) return nvml_dev >= 0 && known.nvml_dev >= 0 && nvml_dev != known.nvml_dev;
    return bus_id != 0 && known.has_bus_id && low(bus_id) != low(known.bus_id);
  }
};

/// Connection lines that one thread printed in one go: they belong to one communicator.
struct Batch {
  Index process = -1;
  std::uint8_t connected = 0;  ///< See Rank::connected.
  int self = -1;               ///< Rank of the printing process in that communicator.
  std::uint64_t comm = 0;      ///< The communicator's pointer when the lines name it (RCCL); else 0.
  int nranks = -1;             ///< Its size when the lines name it.
  BatchKind kind = BatchKind::unknown;
  std::uint64_t lines = 0;
  LineRef first, last;
  ConnectionGroups connections;     ///< `transport` indexes BuilderState::transports.
  std::vector<PeerDevice> devices;  ///< Devices that the lines give to ranks (2.18.3+), the printing rank included.
  std::vector<std::pair<std::uint16_t, Evidence>> transports;
  std::vector<ChainLink> chains;  ///< CollNet's chains, when their line closed the batch.
  int ring_pxn = -1, ring_gdr = -1;
};

/// A hash of what a folded batch connects.
std::size_t content_of(const Batch& batch);

/// Batches packed to a fifth of their size, because nearly all of a job wait until its whole log is read.
class PackedBatches {
 public:
  void add(const Batch& batch);
  std::size_t size() const { return places_.size(); }
  void unpack(Index batch, Batch& into) const;
  /// Gives each batch to another process; -1 removes it.
  template <class Renumber>
  void renumber_processes(Renumber renumber) {
    for (Place& place : places_) renumber(place.process);
    std::erase_if(places_, [](const Place& place) { return place.process < 0; });
  }
  /// Sorts by first line.
  void sort();

 private:
  struct Place {
    LineRef first;
    std::uint64_t at = 0;  ///< Into `bytes_`.
    Index process = -1;
  };
  Table<Place> places_;
  std::deque<std::uint8_t> bytes_;
};

}  // namespace nccl_analyze::builder
