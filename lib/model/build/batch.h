#pragma once
// Batches of connection lines whose communicator is not known yet, and a packed store for them.

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

/// What a batch connects, by the `Connected …` line that ended it; unknown if no such line was seen.
enum class BatchKind : std::uint8_t { unknown, rings, trees, other };

/// How connection lines such as `3[1b000] -> 4[1c000]` identify GPUs: by bus id since 2.5.6, by NVML index since
/// 2.18.3.
enum class DeviceNaming : std::uint8_t { unknown, bus_id, nvml };
/// Derives the naming from the library and its version. RCCL never changed to NVML indices.
DeviceNaming naming_of(std::string_view library, std::string_view version);

/// The GPU of a rank as a connection line prints it. The DeviceNaming of the printing process selects the valid number.
struct PeerDevice {
  int rank = -1;
  int nvml_dev = -1;         ///< -1: the printed value cannot be an NVML index.
  std::uint64_t bus_id = 0;  ///< 0 = unknown.
  /// Whether the number selected by `naming` is known for both GPUs and differs.
  bool contradicts(DeviceNaming naming, const Rank& known) const {
    // Releases up to 2.8.3 print only the low 32 bits.
    const auto low = [](std::uint64_t id) { return static_cast<std::uint32_t>(id); };
    if (naming != DeviceNaming::bus_id) return nvml_dev >= 0 && known.nvml_dev >= 0 && nvml_dev != known.nvml_dev;
    return bus_id != 0 && known.has_bus_id && low(bus_id) != low(known.bus_id);
  }
};

/// Consecutive connection lines of one thread. They all belong to one communicator.
struct Batch {
  Index process = -1;
  std::uint8_t connected = 0;  ///< See Rank::connected.
  int self = -1;               ///< The printing rank.
  std::uint64_t comm = 0;      ///< The communicator's pointer, which only RCCL prints; 0 = unknown.
  int nranks = -1;             ///< The communicator's size; -1 = unknown.
  BatchKind kind = BatchKind::unknown;
  std::uint64_t lines = 0;
  LineRef first, last;
  ConnectionGroups connections;     ///< `transport` indexes BuilderState::transports.
  std::vector<PeerDevice> devices;  ///< GPUs of the connected ranks, including the printing rank.
  std::vector<std::pair<std::uint16_t, Evidence>> transports;
  std::vector<ChainLink> chains;  ///< CollNet chains, if the line that lists them ended the batch.
  int ring_pxn = -1, ring_gdr = -1;
};

/// Hash of the connections in a folded batch.
std::size_t content_of(const Batch& batch);

/// Batches packed to a fifth of their size, because most batches of a job are kept until the whole log is read.
class PackedBatches {
 public:
  void add(const Batch& batch);
  std::size_t size() const { return places_.size(); }
  void unpack(Index batch, Batch& into) const;
  /// Calls `renumber(Index&)` on the process of each batch and removes the batches whose process becomes -1.
  template <class Renumber>
  void renumber_processes(Renumber renumber) {
    for (Place& place : places_) renumber(place.process);
    std::erase_if(places_, [](const Place& place) { return place.process < 0; });
  }
  /// Sorts the batches by first line.
  void sort();

 private:
  struct Place {
    LineRef first;
    std::uint64_t at = 0;  ///< Offset in `bytes_`.
    Index process = -1;
  };
  Table<Place> places_;
  std::deque<std::uint8_t> bytes_;
};

}  // namespace nccl_analyze::builder
