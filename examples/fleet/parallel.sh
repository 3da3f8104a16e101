#!/bin/sh
# The same with GNU parallel: parallel.sh LOGS SUMMARIES [OPTION ...]. One summary for 16 logs; with the option
# --sshloginfile HOSTS the machines in HOSTS, which must see both folders under the same names, share the work.
logs=$1 summaries=$2
shift 2
find "$logs" -type f -print0 | sort -z |
    parallel --null --will-cite --max-args 16 "$@" nccl-analyze -f summary --fail-on never -o "$summaries"/{#}.sum {}
nccl-analyze merge "$summaries"
