// The options of summaries.

#include "cli/options_parts.h"

namespace nccl_analyze {

void add_summary_origin(CLI::App& app, Options& options) {
  app.add_option("--job", options.job, "With --format summary: the job that it is of ($SLURM_JOB_ID)")->type_name("ID");
  app.add_option("--step", options.step, "With --format summary: the step of the job")->type_name("ID");
  app.add_option("--node", options.node,
                 "With --format summary: the node that it is of ($SLURMD_NODENAME, this machine)")
      ->type_name("NAME");
  app.add_option("--lines-before", options.lines_before,
                 "With --format summary: the input is a part of a log, behind so many lines of it")
      ->type_name("N");
}

}  // namespace nccl_analyze
