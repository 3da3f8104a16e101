#!/bin/sh
# The same with Open MPI: mpirun.sh LOGS SUMMARIES [OPTION OF MPIRUN ...]. Each process takes every N-th log.
logs=$1 summaries=$2
shift 2
mpirun "$@" sh -c '
    find "$0" -type f | sort | awk -v of="$OMPI_COMM_WORLD_SIZE" -v rank="$OMPI_COMM_WORLD_RANK" "NR % of == rank" |
        tr "\n" "\0" |
        xargs -0 -r nccl-analyze -f summary --fail-on never -o "$1/$OMPI_COMM_WORLD_RANK.sum"' "$logs" "$summaries"
nccl-analyze merge "$summaries"
