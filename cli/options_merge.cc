// The options of summaries and of `nccl-analyze merge`.

#include "cli/options_parts.h"

namespace nccl_analyze {

void add_summary_origin(CLI::App& app, Options& options) {
  app.add_option("--job", options.job, "With --format summary: the job that it is of ($SLURM_JOB_ID)")->type_name("ID");
  app.add_option("--step", options.step, "With --format summary: the step of the job")->type_name("ID");
  app.add_option("--node", options.node,
                 "With --format summary: the node that it is of ($SLURMD_NODENAME, this machine)")
      ->type_name("NAME");
}

void add_merge_follow(CLI::App& merge, Options& options) {
  merge.add_flag("--follow", options.follow,
                 "Read summaries again when they are replaced and tell what changes; the report comes on Ctrl-C");
  add_stall(
      merge, options,
      "With --follow: say what the job waits for when no summary is replaced for so long, and whose are not (60s)");
}

}  // namespace nccl_analyze
