#!/bin/sh
# Prints the report of each step of a job: report.sh JOB [OPTION ...], with the options of `nccl-analyze merge`. Nodes
# of the step without a summary are named. The exit status is the highest of the reports.
. "$(dirname "$0")/nccl.conf"
job=$1 status=0
shift
for step in "$summaries/$job"/*/; do
    [ -d "$step" ] || { echo "no summary of job $job in $summaries" >&2; exit 2; }
    step=${step%/}
    nodes=$(cat "$step.nodes")
    echo "job $job, step ${step##*/}: $nodes" >&2
    "$nccl_analyze" merge ${nodes:+--expect "hosts=$nodes"} "$@" "$step"
    one=$?
    [ $one -le $status ] || status=$one
done
exit $status
