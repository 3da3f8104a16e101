#!/bin/sh
# TaskProlog of slurm.conf, or `srun --task-prolog`: NCCL logs of each step go to a folder of its own on the node.
# Slurm adds what this prints to the environment of the task. A user's own NCCL_DEBUG and NCCL_DEBUG_FILE stay.
. "$(dirname "$0")/nccl.conf"
case $NCCL_DEBUG_FILE in
    "" | */"nccl.$SLURM_JOB_ID"/*) ;; # the second one comes from the batch script, whose environment its steps get
    *) exit 0 ;;
esac
step=${SLURM_STEP_ID:-batch}
# Every user may write in both folders, so another one may have made the folder of this job.
make_own() { mkdir -p "$1" && [ -O "$1" ]; }
make_own "$logs/nccl.$SLURM_JOB_ID" && make_own "$logs/nccl.$SLURM_JOB_ID/$step" || exit 0
# The nodes that must have logs.
if [ "${SLURM_PROCID:-0}" = 0 ] && make_own "$summaries/$SLURM_JOB_ID"; then
    echo "${SLURM_STEP_NODELIST:-$SLURMD_NODENAME}" >"$summaries/$SLURM_JOB_ID/$step.nodes"
fi
echo "export NCCL_DEBUG=${NCCL_DEBUG:-INFO}"
echo "export NCCL_DEBUG_FILE=$logs/nccl.$SLURM_JOB_ID/$step/%h.%p.log"
