#!/bin/sh
# Reports on a folder of logs with every processor of this machine, or on what was not yet summarised elsewhere:
# xargs.sh LOGS SUMMARIES. One summary for each log, with the name of the log.
find "$1" -type f -print0 | xargs -0 -r -P "$(nproc)" -n 1 sh -c '
    exec nccl-analyze -f summary --fail-on never -o "$0/$(echo "${1#/}" | tr / _).sum" "$1"' "$2"
nccl-analyze merge "$2"
