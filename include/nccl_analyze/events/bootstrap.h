#pragma once
/// Events of the bootstrap, in which the ranks of a job find each other, and of NCCL's TCP connections.

#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

/// The network interface that a process uses for the bootstrap.
struct BootstrapInterfaceChosen {
  static constexpr std::string_view name = "bootstrap_interface_chosen";
  std::string_view interface;
  std::string_view address;  ///< `ip<port>` as printed; port 0 is normal.
  NCCL_ANALYZE_FIELDS(BootstrapInterfaceChosen, interface, address)
};

/// An interface of NET/Socket (up to 2.3.7). The first interface that a process prints is also that of its bootstrap.
struct SocketInterfaceUsed {
  static constexpr std::string_view name = "socket_interface_used";
  std::string_view interface;
  std::string_view address;  ///< `ip<port>` as printed; port 0 is normal.
  NCCL_ANALYZE_FIELDS(SocketInterfaceUsed, interface, address)
};

/// The durations of the phases of a rank's bootstrap, in seconds (2.23.4+). `recv` includes the wait for the next rank
/// of the bootstrap ring, and `ring` includes the wait for the slowest rank.
struct BootstrapTimed {
  static constexpr std::string_view name = "bootstrap_timed";
  double total = 0, create = 0, send = 0, recv = 0, ring = 0, delay = 0;
  NCCL_ANALYZE_FIELDS(BootstrapTimed, total, create, send, recv, ring, delay)
};

/// No network interface matches NCCL_SOCKET_IFNAME and NCCL_SOCKET_FAMILY.
struct InterfaceNotFound {
  static constexpr std::string_view name = "interface_not_found";
  NCCL_ANALYZE_FIELDS(InterfaceNotFound)
};

/// A TCP connect failed and will be retried: normal while the peer starts.
struct ConnectRetried {
  static constexpr std::string_view name = "connect_retried";
  std::string_view address;  ///< `ip<port>` of the peer; empty when not printed.
  std::string_view error;
  int attempt = -1;   ///< Number of this attempt, from 1; -1 when not printed.
  int attempts = -1;  ///< Maximum number of attempts; -1 when not printed.
  NCCL_ANALYZE_FIELDS(ConnectRetried, address, error, attempt, attempts)
};

/// A TCP connect failed and will not be retried.
struct ConnectFailed {
  static constexpr std::string_view name = "connect_failed";
  std::string_view address;  ///< `ip<port>` of the peer; empty when not printed.
  std::string_view error;
  NCCL_ANALYZE_FIELDS(ConnectFailed, address, error)
};

/// The peer closed a TCP connection: always a symptom, whose cause is in the peer's process.
struct ConnectionClosed {
  static constexpr std::string_view name = "connection_closed";
  std::string_view peer;  ///< `ip<port>`, often empty.
  NCCL_ANALYZE_FIELDS(ConnectionClosed, peer)
};

/// A call on a socket failed.
struct SocketFailed {
  static constexpr std::string_view name = "socket_failed";
  std::string_view operation;  ///< `send to`, `recv from`, `Accept failed` or `exceeded error retry count`
  std::string_view peer;       ///< `ip<port>`; empty when not printed.
  std::string_view error;
  NCCL_ANALYZE_FIELDS(SocketFailed, operation, peer, error)
};

/// NCCL refused a connection that sent a wrong magic number or type: the other end may be a port scanner or another
/// job.
struct HandshakeRefused {
  static constexpr std::string_view name = "handshake_refused";
  std::string_view detail;  ///< The rest of the message.
  NCCL_ANALYZE_FIELDS(HandshakeRefused, detail)
};

/// Processes passed different numbers of ranks to NCCL, or two processes passed the same rank.
struct WorldMismatched {
  static constexpr std::string_view name = "world_mismatched";
  std::string_view detail;  ///< The rest of the message.
  NCCL_ANALYZE_FIELDS(WorldMismatched, detail)
};

}  // namespace nccl_analyze
