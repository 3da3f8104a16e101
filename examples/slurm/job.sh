#!/bin/sh
#SBATCH --no-kill
# A job that reads its own logs: sbatch --nodes=N [OPTION ...] job.sh COMMAND. It needs no change of slurm.conf. After
# the command, one task on each node summarises the node's logs. Without --no-kill a node that dies would end the job
# before that.
here=${NCCL_SCRIPTS:-/etc/slurm/nccl} # Slurm runs a copy of this file
srun --task-prolog="$here/task_prolog.sh" "$@"
status=$?
left=$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%D) # a step that asks for a dead node waits for it
timeout 300 srun --overlap --no-kill --kill-on-bad-exit=0 --nodes="$left" --ntasks="$left" --ntasks-per-node=1 \
    "$here/summarize.sh"
"$here/report.sh" "$SLURM_JOB_ID"
exit $status
