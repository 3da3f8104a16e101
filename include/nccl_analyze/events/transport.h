#pragma once
/// Connections between GPUs, and what stands in their way: P2P, shared memory, NVLS, MNNVL.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// One end of one connection. P2P and SHM are printed by the sender alone, NET by both ends.
struct ChannelConnected {
  static constexpr std::string_view name = "channel_connected";
  int channel = -1;
  int connection = 0;  ///< 0 = collectives, 1 = send/recv, CollNet and shared buffers
  int from = -1;
  std::string_view from_dev;  ///< nvml index (2.18.3+) or bus id (before): decided by NCCL's version, not by shape
  int to = -1;
  std::string_view to_dev;
  std::string_view direction;  ///< send or receive; empty for P2P and SHM, which only the sender prints
  std::string_view transport;  ///< `P2P/CUMEM`, `P2P/direct pointer`, `SHM`, `NET`, `COLLNET`, …
  std::string_view network;    ///< after NET/ or COLLNET/
  int device = -1;             ///< NIC index of the printing rank
  int proxy_rank = -1;         ///< PXN: the rank whose proxy drives the NIC; for P2P/indirect the rank between
  bool read = false, copy_engine = false, gdrdma = false, shared = false;
  Hex comm;         ///< RCCL; NCCL does not say which communicator it connects.
  int nranks = -1;  ///< RCCL
  NCCL_ANALYZE_FIELDS(ChannelConnected, channel, connection, from, from_dev, to, to_dev, direction, transport, network,
                      device, proxy_rank, read, copy_engine, gdrdma, shared, comm, nranks)
};

/// Whether all local pairs can use P2P; meaningless when a node has one rank.
struct P2pChecked {
  static constexpr std::string_view name = "p2p_checked";
  int all_direct = -1, direct_mode = -1;
  NCCL_ANALYZE_FIELDS(P2pChecked, all_direct, direct_mode)
};

struct NvlsReported {
  static constexpr std::string_view name = "nvls_reported";
  std::string_view state;  ///< `available` or `not available`
  int device = -1;
  int channels = -1;
  NCCL_ANALYZE_FIELDS(NvlsReported, state, device, channels)
};

/// The NVLink fabric of a GPU as NVML reports it. State 3 = completed, 1 and 2 = not yet; a UUID of 0.0 is a plain
/// NVSwitch box.
struct FabricReported {
  static constexpr std::string_view name = "fabric_reported";
  Hex bus_id, uuid_high, uuid_low, clique;
  int state = -1;
  Hex health;
  NCCL_ANALYZE_FIELDS(FabricReported, bus_id, uuid_high, uuid_low, clique, state, health)
};

/// NVML says that P2P does not work. `between` is NVLINK (a fault) or empty (PCIe: often normal).
struct P2pUnusable {
  static constexpr std::string_view name = "p2p_unusable";
  std::string_view between;
  int gpu = -1, other_gpu = -1;
  NCCL_ANALYZE_FIELDS(P2pUnusable, between, gpu, other_gpu)
};

/// Peer access or an IPC handle failed.
struct P2pFailed {
  static constexpr std::string_view name = "p2p_failed";
  std::string_view detail;
  NCCL_ANALYZE_FIELDS(P2pFailed, detail)
};

struct SharedMemoryFailed {
  static constexpr std::string_view name = "shared_memory_failed";
  std::string_view path;
  std::int64_t bytes = -1;
  std::string_view error;
  int code = -1;  ///< errno
  NCCL_ANALYZE_FIELDS(SharedMemoryFailed, path, bytes, error, code)
};

struct NvlsFailed {
  static constexpr std::string_view name = "nvls_failed";
  std::int64_t bytes = -1;
  int code = -1;
  std::string_view error;
  NCCL_ANALYZE_FIELDS(NvlsFailed, bytes, code, error)
};

struct MnnvlFailed {
  static constexpr std::string_view name = "mnnvl_failed";
  int clique_size = -1;
  std::string_view problem, check;
  NCCL_ANALYZE_FIELDS(MnnvlFailed, clique_size, problem, check)
};

}  // namespace nccl_analyze
