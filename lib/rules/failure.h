#pragma once
/// What failed first. Several rules see echoes of one failure; they agree here on which of them is the cause.

#include <string>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// Warnings of this kind are reported by no rule of their own: NCA607 quotes them. A rule that reports one takes its
/// kind out.
bool lacks_rule(IncidentKind kind);
/// The same for kinds of which a rule reports some: completions that failed, calls, events of a NIC.
bool lacks_rule(const Incident& incident);

/// This incident can fail a process by itself; the others (closed connections, trails) follow from something.
bool is_root_failure(const Model& model, const Incident& incident);
bool has_root_failure(const Model& model);

/// A trail that begins with a failed system call on a socket, where no warning tells more.
bool is_socket_trail(const Model& model, const Incident& trail);

/// A refused handshake that NCCL does not survive: the peer is of this job and asks for something else.
bool is_wrong_type(const Incident& handshake);

/// The peer was gone: refused, reset, broken pipe. Other errors of a connect say that there is no way to it.
bool says_peer_gone(const Incident& incident);

/// A rank whose process vanished without a word.
struct Death {
  Index communicator = -1;
  int rank = -1;
  std::string sign;             ///< What shows it.
  bool circumstantial = false;  ///< Nobody names it: it is inferred from who went on.
  Evidence evidence;
};
/// Empty when the log shows another cause.
std::vector<Death> find_deaths(const Model& model);

/// Ranks that never reached Init START while the ranks that did wait for them.
struct Unstarted {
  Index communicator = -1;
  std::vector<int> ranks;
};
std::vector<Unstarted> find_unstarted(const Model& model);

/// Something known explains a failure of the job: what only follows from it is marked as a consequence.
bool failure_is_explained(const Model& model);

}  // namespace nccl_analyze
