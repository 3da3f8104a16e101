#pragma once
/// What NCCL prints while the ranks of a job find each other, and of the TCP connections that it makes.

#include <string_view>

#include "nccl_analyze/events/field.h"

namespace nccl_analyze {

struct BootstrapInterfaceChosen {
  static constexpr std::string_view name = "bootstrap_interface_chosen";
  std::string_view interface;
  std::string_view address;  ///< `ip<port>` as printed; port 0 is normal.
  NCCL_ANALYZE_FIELDS(BootstrapInterfaceChosen, interface, address)
};

/// One of the interfaces over which both the bootstrap, the first of them, and NET/Socket talk (up to 2.3.7).
struct SocketInterfaceUsed {
  static constexpr std::string_view name = "socket_interface_used";
  std::string_view interface;
  std::string_view address;  ///< `ip<port>` as printed; port 0 is normal.
  NCCL_ANALYZE_FIELDS(SocketInterfaceUsed, interface, address)
};

/// Seconds. `recv` waits for the next rank of the bootstrap ring, `ring` for the slowest of all (2.23.4+).
struct BootstrapTimed {
  static constexpr std::string_view name = "bootstrap_timed";
  double total = 0, create = 0, send = 0, recv = 0, ring = 0, delay = 0;
  NCCL_ANALYZE_FIELDS(BootstrapTimed, total, create, send, recv, ring, delay)
};

/// No interface fits NCCL_SOCKET_IFNAME or the family asked for.
struct InterfaceNotFound {
  static constexpr std::string_view name = "interface_not_found";
  NCCL_ANALYZE_FIELDS(InterfaceNotFound)
};

/// A TCP connect that is tried again: normal while the peer starts.
struct ConnectRetried {
  static constexpr std::string_view name = "connect_retried";
  std::string_view address;
  std::string_view error;
  int attempt = -1;
  int attempts = -1;
  NCCL_ANALYZE_FIELDS(ConnectRetried, address, error, attempt, attempts)
};

struct ConnectFailed {
  static constexpr std::string_view name = "connect_failed";
  std::string_view address;
  std::string_view error;
  NCCL_ANALYZE_FIELDS(ConnectFailed, address, error)
};

/// The other end went away: always an echo of what happened there.
struct ConnectionClosed {
  static constexpr std::string_view name = "connection_closed";
  std::string_view peer;  ///< `ip<port>`, often empty.
  NCCL_ANALYZE_FIELDS(ConnectionClosed, peer)
};

struct SocketFailed {
  static constexpr std::string_view name = "socket_failed";
  std::string_view operation;
  std::string_view peer;
  std::string_view error;
  NCCL_ANALYZE_FIELDS(SocketFailed, operation, peer, error)
};

/// A stranger on an NCCL socket: wrong magic or type.
struct HandshakeRefused {
  static constexpr std::string_view name = "handshake_refused";
  std::string_view detail;
  NCCL_ANALYZE_FIELDS(HandshakeRefused, detail)
};

/// Ranks disagree on the size of the world, or two claim the same rank.
struct WorldMismatched {
  static constexpr std::string_view name = "world_mismatched";
  std::string_view detail;
  NCCL_ANALYZE_FIELDS(WorldMismatched, detail)
};

}  // namespace nccl_analyze
