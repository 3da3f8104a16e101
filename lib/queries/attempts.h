#pragma once
/// Separates earlier attempts of a job from the current one: restarted containers, and runs appended to one log.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

class Attempts {
 public:
  explicit Attempts(const Model& model);

  /// Whether an earlier attempt printed the line. False if the attempts of a source overlap, as when only some of its
  /// processes were restarted.
  bool is_earlier(LineRef at) const;
  bool is_earlier(SourceId source) const;  ///< Whether all lines of the source belong to an earlier attempt.
  /// Whether all known lines and processes of the incident or the finding belong to earlier attempts. Without a
  /// process, false if there are more lines than the evidence keeps.
  bool is_earlier(const Incident& incident) const;
  bool is_earlier(const Finding& finding) const;

 private:
  bool are_earlier(const std::vector<LineRef>& lines) const;
  bool is_earlier_process(Index process) const;
  /// Finds processes that replace earlier ones with the same source, host, pod and pid.
  void find_restarts(const Model& model);
  /// Finds processes that take over the ranks of earlier processes with other pids, as after a launcher's restart.
  void find_successors(const Model& model);
  void find_previous_logs(const Model& model);

  const Model& model_;
  std::vector<std::uint64_t> begins_;  ///< First line of each source's current attempt; 0 if there is no earlier one.
  /// The last lines of processes that were replaced. The settings that the new process prints first are attributed to
  /// the old one.
  std::set<LineRef> ends_;
};

/// Turns findings that concern only earlier attempts into notes whose messages state this.
void set_earlier_attempts_aside(const Attempts& attempts, std::vector<Finding>& findings);

}  // namespace nccl_analyze
