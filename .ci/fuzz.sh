#!/usr/bin/env bash
# Runs the fuzz targets of the checks preset, each on the logs of testdata/: FUZZ_SECONDS (60) in all.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}

cmake --preset checks >/dev/null
cmake --build --preset checks --target parser_fuzzer message_fuzzer pipeline_fuzzer summary_fuzzer

work=build/fuzz
mkdir -p "$work/corpus" "$work/seeds"
find testdata -name '*.log' | while read -r log; do
    cp "$log" "$work/seeds/$(echo "$log" | tr / _)"
done
for target in parser_fuzzer message_fuzzer pipeline_fuzzer summary_fuzzer; do
    mkdir -p "$work/corpus/$target"
    log=$work/$target.log
    "build/checks/tests/fuzz/$target" -max_total_time=$((seconds / 4)) -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
        -dict=tests/fuzz/nccl.dict -verbosity=0 -print_funcs=0 -print_final_stats=1 -artifact_prefix="$work/$target-" \
        "$work/corpus/$target" "$work/seeds" >"$log" 2>&1 || { tail -n 60 "$log"; exit 1; }
    echo "$target: $(grep -oE 'executed_units: +[0-9]+' "$log" | grep -oE '[0-9]+') inputs, no fault"
done
