#pragma once
// Batches of connection lines whose communicator is not known yet, and a packed store for them.

#include <bit>
#include <cstddef>
#include <cstdint>
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

/// The algorithm that the connections of a batch are for, from the `Connected …` line that ended the batch; unknown if
/// the batch ended without such a line.
enum class BatchKind : std::uint8_t { unknown, rings, trees, other };

/// The number by which connection lines such as `3[1b000] -> 4[1c000]` identify GPUs: the bus id since 2.5.6, the NVML
/// index since 2.18.3.
enum class DeviceNaming : std::uint8_t { unknown, bus_id, nvml };
/// Derives the naming from the library and its version; unknown before 2.5.6, and if the version cannot be parsed. RCCL
/// never changed to NVML indices.
DeviceNaming naming_of(std::string_view library, std::string_view version);

/// The GPU of a rank as a connection line prints it. The printed number is stored both as an NVML index and as a bus
/// id, because the DeviceNaming of the process may be known only later.
struct PeerDevice {
  int rank = -1;
  int nvml_dev = -1;         ///< -1: the printed value cannot be an NVML index.
  std::uint64_t bus_id = 0;  ///< 0 = unknown.
  /// Whether the printed GPU differs from the GPU of the rank `known`. Compares bus ids if `naming` is bus_id,
  /// else NVML indices. False if one of the GPUs lacks that number.
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
  std::uint8_t connected = 0;  ///< Bit i: a line shows that the rank connected Algorithm i.
  int self = -1;               ///< The printing rank.
  int device = -1;             ///< The GPU of the thread, by the prefix of its lines; -1 = unknown.
  std::uint64_t comm = 0;      ///< The communicator's pointer, which only RCCL prints; 0 = unknown.
  int nranks = -1;             ///< The communicator's size; -1 = unknown.
  BatchKind kind = BatchKind::unknown;
  std::uint64_t lines = 0;
  LineRef first, last;
  ConnectionGroups connections;     ///< `transport` indexes BuilderState::transports.
  std::vector<PeerDevice> devices;  ///< GPUs of the connected ranks, including the printing rank.
  std::vector<std::pair<std::uint16_t, Evidence>> transports;
  std::vector<ChainLink> chains;     ///< CollNet chains, if the line that lists them ended the batch.
  int ring_pxn = -1, ring_gdr = -1;  ///< p and g in `Connected all rings, use ring PXN p GDR g`; -1: not printed.

  /// Makes it an empty batch, which keeps the memory of its lists.
  void clear();
};

/// Returns a hash of the batch's connections, for finding repeated batches. The batch must be folded.
std::size_t content_of(const Batch& batch);

/// A store that packs batches to a fifth of their size, because most batches of a job are kept until the whole log is
/// read.
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
    std::uint64_t at = 0;  ///< Number of its block times block_bytes, plus its offset in the block.
    Index process = -1;
  };
  Table<Place> places_;
  static constexpr std::size_t block_bytes = 1 << 16;
  /// Blocks of about block_bytes, each with whole batches, so that memory does not grow by doubling.
  std::vector<std::vector<std::uint8_t>> blocks_;
  std::vector<std::uint8_t> packed_;  ///< The batch that is being packed.
};

}  // namespace nccl_analyze::builder
