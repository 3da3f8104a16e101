#!/bin/sh
# Epilog of slurm.conf: each node summarises its logs of the job, as the user of the job. Slurm drains a node whose
# epilog fails or does not end; this one ends in time with status 0, whatever happens.
(
    here=$(dirname "$0")
    . "$here/nccl.conf"
    # The inner limit ends the work. The outer limit ends the waiting for a process that no signal ends, because a file
    # system hangs.
    timeout "$((seconds + 10))" sh -c '
        timeout --kill-after=5 "$0" nice -n 19 \
            setpriv --reuid "$SLURM_JOB_UID" --regid "$SLURM_JOB_GID" --init-groups "$1" 2>&1 |
            logger -t nccl-analyze &
        wait' "$seconds" "$here/summarize.sh"
)
exit 0
