#pragma once
/// Events about InfiniBand and RoCE faults.

#include <cstdint>
#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// A work request completed with an error. `status` is an ibv_wc_status: 4 local protection error, 5 flushed, 9 and 10
/// remote access errors, 12 transport retries exceeded, 13 receiver not ready.
struct IbCompletionFailed {
  static constexpr std::string_view name = "ib_completion_failed";
  std::string_view peer;  ///< `ip<port>`
  int status = -1;
  std::string_view status_name;  ///< 2.28.7+
  int opcode = -1;
  std::string_view opcode_name;
  std::int64_t length = -1;
  std::int64_t vendor_error = -1;          ///< An error code of the NIC's vendor, such as 129 with status 12.
  std::string_view request;                ///< Send, Recv, Flush, …
  std::string_view local_gid, remote_gid;  ///< RoCE only
  std::string_view hca;                    ///< 2.22.3+
  NCCL_ANALYZE_FIELDS(IbCompletionFailed, peer, status, status_name, opcode, opcode_name, length, vendor_error, request,
                      local_gid, remote_gid, hca)
};

/// An asynchronous event of a device or port, or of an object of libibverbs.
struct IbAsyncEvent {
  static constexpr std::string_view name = "ib_async_event";
  std::string_view severity;  ///< As printed: `async fatal event`, `Got non-fatal async event`, …
  std::string_view device;
  int port = -1;
  std::string_view object;  ///< QP, CQ or SRQ
  std::string_view what;    ///< The event: `port error`, `GID table changed`, …
  int code = -1;            ///< ibv_event_type; -1 when not printed.
  NCCL_ANALYZE_FIELDS(IbAsyncEvent, severity, device, port, object, what, code)
};

/// A call of libibverbs, another library or the system failed. The fields from `device` to `remote_gid`, which describe
/// the two ends of the connection, are set only for ibv_modify_qp (2.24.3+).
struct CallFailed {
  static constexpr std::string_view name = "call_failed";
  std::string_view call, reason;
  int code = -1;  ///< errno
  std::string_view device;
  int port = -1;
  std::string_view state, next_state;
  int gid_index = -1;
  std::string_view local_gid, remote_gid;
  /// Number of this retry and of all allowed retries (`retrying 1/34`); -1: the call is not retried.
  int attempt = -1, attempts = -1;
  NCCL_ANALYZE_FIELDS(CallFailed, call, reason, code, device, port, state, next_state, gid_index, local_gid, remote_gid,
                      attempt, attempts)
};

/// A device or port that NCCL cannot open or query and therefore does not use.
struct IbDeviceUnusable {
  static constexpr std::string_view name = "ib_device_unusable";
  std::string_view operation;  ///< `open device`, `query device` or `query port`
  std::string_view device;
  int port = -1;
  NCCL_ANALYZE_FIELDS(IbDeviceUnusable, operation, device, port)
};

/// The two ends of a connection have different link layers, InfiniBand and RoCE, printed as names or as 1 and 2.
struct IbDevicesIncompatible {
  static constexpr std::string_view name = "ib_devices_incompatible";
  std::string_view local, local_link, remote, remote_link;
  NCCL_ANALYZE_FIELDS(IbDevicesIncompatible, local, local_link, remote, remote_link)
};

/// The two ends of a connection are on different rails, or merge different numbers of ports.
struct IbRailsMismatched {
  static constexpr std::string_view name = "ib_rails_mismatched";
  std::string_view local, remote;
  int local_ports = -1, remote_ports = -1;
  NCCL_ANALYZE_FIELDS(IbRailsMismatched, local, remote, local_ports, remote_ports)
};

/// The peer is in another InfiniBand subnet, and its port has no router LID (FLID).
struct IbRouterLidMissing {
  static constexpr std::string_view name = "ib_router_lid_missing";
  NCCL_ANALYZE_FIELDS(IbRouterLidMissing)
};

/// NCCL stopped using a failed device of a connection (2.29.7+, resiliency).
struct IbDeviceFailed {
  static constexpr std::string_view name = "ib_device_failed";
  int device = -1;
  std::string_view side;      ///< `send` or `recv`
  std::string_view recovery;  ///< As printed: whether NCCL tries to recover the device.
  NCCL_ANALYZE_FIELDS(IbDeviceFailed, device, side, recovery)
};

/// Work requests of a connection took longer than NCCL_IB_WQE_LATENCY_THRESHOLD_NS, which switches the measurement on
/// (src/transport/net_ib/wqe_lat_mon.cc, 2.31+). Durations are in ns, from the post to the poll that returned the
/// completion; `median` and `longest` are of all requests of the queue pair so far.
struct WqeDelayed {
  static constexpr std::string_view name = "wqe_delayed";
  /// `slow`: a request took `delay`. `stall`: a request has had no completion for `delay`. `latency summary`: printed
  /// when the connection closes; the member `count` is the number of all requests, `slow` of those over the threshold.
  std::string_view what;
  std::string_view peer;    ///< Address of the other end, `ip<port>`.
  std::string_view device;  ///< The local HCA.
  int port = -1;
  std::int64_t threshold = -1, delay = -1, median = -1, longest = -1;
  std::int64_t count = -1, slow = -1, inflight = -1;
  NCCL_ANALYZE_FIELDS(WqeDelayed, what, peer, device, port, threshold, delay, median, longest, count, slow, inflight)
};

}  // namespace nccl_analyze
