#pragma once
/// Events of connections between GPUs, and of failures of P2P, shared memory, NVLS and MNNVL.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"
#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// One end of a connection of a channel. Only the sending rank prints P2P and SHM connections; both ranks print NET.
struct ChannelConnected {
  static constexpr std::string_view name = "channel_connected";
  int channel = -1;
  int connection = 0;  ///< 0: collectives; 1: send/recv, CollNet and shared buffers.
  int from = -1;
  std::string_view from_dev;  ///< NVML index (2.18.3+) or bus id (older releases).
  int to = -1;
  std::string_view to_dev;
  std::string_view direction;  ///< `send` or `receive`; empty for P2P and SHM.
  std::string_view transport;  ///< `P2P/CUMEM`, `P2P/direct pointer`, `SHM`, `NET`, `COLLNET`, …
  std::string_view network;    ///< The name after `NET/` or `COLLNET/`.
  int device = -1;             ///< NIC index of the rank that printed the line.
  int proxy_rank = -1;         ///< PXN: the rank whose proxy drives the NIC. P2P/indirect: the intermediate rank.
  bool read = false, copy_engine = false, gdrdma = false, shared = false;  ///< Suffixes: `/read`, `/CE`, …
  Hex comm;                                                                ///< RCCL only.
  int nranks = -1;                                                         ///< RCCL only.
  NCCL_ANALYZE_FIELDS(ChannelConnected, channel, connection, from, from_dev, to, to_dev, direction, transport, network,
                      device, proxy_rank, read, copy_engine, gdrdma, shared, comm, nranks)
};

/// A check of the GPUs in a node. `all_direct`: 1 if all pairs of GPUs can use P2P directly, else 0; it is meaningless
/// for a node with one rank. `direct_mode`: 1 if two ranks of the node share a process, else 0.
struct P2pChecked {
  static constexpr std::string_view name = "p2p_checked";
  int all_direct = -1, direct_mode = -1;
  NCCL_ANALYZE_FIELDS(P2pChecked, all_direct, direct_mode)
};

/// Whether a GPU supports NVLS multicast.
struct NvlsReported {
  static constexpr std::string_view name = "nvls_reported";
  std::string_view state;  ///< `available` or `not available`
  int device = -1;
  int channels = -1;
  NCCL_ANALYZE_FIELDS(NvlsReported, state, device, channels)
};

/// The NVLink fabric of a GPU, as NVML reports it. The UUID is 0.0 on a host without multi-node NVLink.
struct FabricReported {
  static constexpr std::string_view name = "fabric_reported";
  Hex bus_id, uuid_high, uuid_low, clique;
  int state = -1;  ///< 1 not started, 2 in progress, 3 completed.
  Hex health;      ///< A bit mask.
  NCCL_ANALYZE_FIELDS(FabricReported, bus_id, uuid_high, uuid_low, clique, state, health)
};

/// NVML reports that P2P between two GPUs does not work.
struct P2pUnusable {
  static constexpr std::string_view name = "p2p_unusable";
  /// `NVLINK`: this is a fault; empty: the GPUs are connected by PCIe, and the message is often normal.
  std::string_view between;
  int gpu = -1, other_gpu = -1;
  NCCL_ANALYZE_FIELDS(P2pUnusable, between, gpu, other_gpu)
};

/// A CUDA call for peer access or an IPC handle failed.
struct P2pFailed {
  static constexpr std::string_view name = "p2p_failed";
  std::string_view detail;  ///< The rest of the message.
  NCCL_ANALYZE_FIELDS(P2pFailed, detail)
};

/// A file in shared memory could not be created, extended or mapped.
struct SharedMemoryFailed {
  static constexpr std::string_view name = "shared_memory_failed";
  std::string_view path;
  std::int64_t bytes = -1;
  std::string_view error;
  int code = -1;  ///< errno
  NCCL_ANALYZE_FIELDS(SharedMemoryFailed, path, bytes, error, code)
};

/// Memory could not be bound to an NVLS multicast group.
struct NvlsFailed {
  static constexpr std::string_view name = "nvls_failed";
  std::int64_t bytes = -1;
  int code = -1;  ///< CUDA's error number.
  std::string_view error;
  NCCL_ANALYZE_FIELDS(NvlsFailed, bytes, code, error)
};

/// A user's buffer was registered for one way out of the GPU, so that NCCL need not copy it, or it was refused
/// (subsystem REG, 2.19.1+).
struct BufferRegistered {
  static constexpr std::string_view name = "buffer_registered";
  std::string_view way;      ///< `NVLS`, `COLLNET` or `collNet`, `NET`, `IPC`; empty for NVLS up to 2.20.5.
  std::string_view refusal;  ///< `failed to`; empty if the buffer is registered.
  int gdr = -1;              ///< Of a refusal: whether the network uses GPUDirect RDMA, which it needs.
  NCCL_ANALYZE_FIELDS(BufferRegistered, way, refusal, gdr)
};

/// Multi-node NVLink does not work.
struct MnnvlFailed {
  static constexpr std::string_view name = "mnnvl_failed";
  int clique_size = -1;      ///< GPUs of the NVLink clique; -1 when not printed.
  std::string_view problem;  ///< `not supported` or `not working`
  std::string_view check;    ///< What to check, according to NCCL, such as `IMEX channel configuration`.
  NCCL_ANALYZE_FIELDS(MnnvlFailed, clique_size, problem, check)
};

}  // namespace nccl_analyze
