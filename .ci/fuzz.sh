#!/usr/bin/env bash
# Runs the fuzz targets of the checks preset, each on the logs of testdata/ for a quarter of FUZZ_SECONDS (60); as many
# at once as there are processors.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}

targets=(parser_fuzzer message_fuzzer pipeline_fuzzer summary_fuzzer)
cmake --preset checks >/dev/null
cmake --build --preset checks --target "${targets[@]}"

work=build/fuzz
mkdir -p "$work/corpus" "$work/seeds"
find testdata -name '*.log' | while read -r log; do
    cp "$log" "$work/seeds/$(echo "$log" | tr / _)"
done
# One target for its part of the time; its log is shown where it finds a fault.
fuzz() {
    local target=$1 log=$work/$1.log
    "build/checks/tests/fuzz/$target" -max_total_time=$((seconds / 4)) -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
        -dict=tests/fuzz/nccl.dict -verbosity=0 -print_funcs=0 -print_final_stats=1 -artifact_prefix="$work/$target-" \
        "$work/corpus/$target" "$work/seeds" >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
    echo "$target: $(grep -oE 'executed_units: +[0-9]+' "$log" | grep -oE '[0-9]+') inputs, no fault"
}
export -f fuzz
export seconds work
mkdir -p "${targets[@]/#/$work/corpus/}"
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I {} bash -c 'fuzz {}'
