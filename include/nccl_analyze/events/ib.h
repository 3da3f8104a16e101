#pragma once
/// Faults of InfiniBand and RoCE.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A work request that came back with an error; `status` is the number of an IBV_WC_ name, so 4 local protection, 5
/// flushed, 9 and 10 remote access, 12 transport timeout, 13 receiver not ready.
struct IbCompletionFailed {
  static constexpr std::string_view name = "ib_completion_failed";
  std::string_view peer;  ///< `ip<port>`
  int status = -1;
  std::string_view status_name;  ///< 2.28.7+
  int opcode = -1;
  std::string_view opcode_name;
  std::int64_t length = -1;
  std::int64_t vendor_error = -1;          ///< 129 with status 12: retries exceeded
  std::string_view request;                ///< Send, Recv, Flush, …
  std::string_view local_gid, remote_gid;  ///< RoCE only
  std::string_view hca;                    ///< 2.22.3+
  NCCL_ANALYZE_FIELDS(IbCompletionFailed, peer, status, status_name, opcode, opcode_name, length, vendor_error, request,
                      local_gid, remote_gid, hca)
};

/// An event of a device or port that no request asked for.
struct IbAsyncEvent {
  static constexpr std::string_view name = "ib_async_event";
  std::string_view severity;  ///< As printed: `async fatal event`, `Got non-fatal async event`, …
  std::string_view device;
  int port = -1;
  std::string_view object;  ///< QP, CQ or SRQ
  std::string_view what;
  int code = -1;
  NCCL_ANALYZE_FIELDS(IbAsyncEvent, severity, device, port, object, what, code)
};

/// A call of libibverbs, of another library or of the system. NCCL prints the two
/// ends of a failed ibv_modify_qp since 2.24.3.
struct CallFailed {
  static constexpr std::string_view name = "call_failed";
  std::string_view call, reason;
  int code = -1;  ///< errno
  std::string_view device;
  int port = -1;
  std::string_view state, next_state;
  int gid_index = -1;
  std::string_view local_gid, remote_gid;
  int attempt = -1, attempts = -1;  ///< It is tried again.
  NCCL_ANALYZE_FIELDS(CallFailed, call, reason, code, device, port, state, next_state, gid_index, local_gid, remote_gid,
                      attempt, attempts)
};

struct IbDeviceUnusable {
  static constexpr std::string_view name = "ib_device_unusable";
  std::string_view operation;  ///< `open device`, `query device` or `query port`
  std::string_view device;
  int port = -1;
  NCCL_ANALYZE_FIELDS(IbDeviceUnusable, operation, device, port)
};

/// InfiniBand and RoCE mixed; links are IB and RoCE, or their numbers 1 and 2.
struct IbDevicesIncompatible {
  static constexpr std::string_view name = "ib_devices_incompatible";
  std::string_view local, local_link, remote, remote_link;
  NCCL_ANALYZE_FIELDS(IbDevicesIncompatible, local, local_link, remote, remote_link)
};

/// The ends of a connection are not the same rail, or fuse different numbers of ports.
struct IbRailsMismatched {
  static constexpr std::string_view name = "ib_rails_mismatched";
  std::string_view local, remote;
  int local_ports = -1, remote_ports = -1;
  NCCL_ANALYZE_FIELDS(IbRailsMismatched, local, remote, local_ports, remote_ports)
};

/// The other end is in another subnet and has no router LID (FLID).
struct IbRouterLidMissing {
  static constexpr std::string_view name = "ib_router_lid_missing";
  NCCL_ANALYZE_FIELDS(IbRouterLidMissing)
};

/// Resiliency took a device out of service (2.29.7+).
struct IbDeviceFailed {
  static constexpr std::string_view name = "ib_device_failed";
  int device = -1;
  std::string_view side;      ///< send or recv
  std::string_view recovery;  ///< Whether it is tried to recover it.
  NCCL_ANALYZE_FIELDS(IbDeviceFailed, device, side, recovery)
};

}  // namespace nccl_analyze
