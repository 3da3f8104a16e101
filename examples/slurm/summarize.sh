#!/bin/sh
# Summarises what the steps of a job have logged on this node: one summary for each step. Runs on every node, as the
# user of the job: after the job's last step (job.sh), or in the epilog.
. "$(dirname "$0")/nccl.conf"
for step in "$logs/nccl.$SLURM_JOB_ID"/*/; do
    [ -d "$step" ] || continue            # no step has logs on this node
    rmdir "$step" 2>/dev/null && continue # nor has this one
    number=$(basename "$step")
    into=$summaries/$SLURM_JOB_ID/$number
    # The job and the node are known from SLURM_JOB_ID and SLURMD_NODENAME; a summary step has a number of its own.
    mkdir -p "$into" &&
        "$nccl_analyze" -f summary --step "$number" --fail-on never -o "$into/$SLURMD_NODENAME.sum" "$step"
done
