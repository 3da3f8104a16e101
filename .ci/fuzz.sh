#!/usr/bin/env bash
# Runs the fuzz targets of a preset: `.ci/fuzz.sh [MINUTES [PRESET]]`. MINUTES (1) is the processor time of all targets
# together, of which redact has half, since its faults are secrets that get out; one target runs on each processor at a
# time. PRESET is `checks`, which counts the functions that an input reaches, or `nightly`, which counts branches and
# watches comparisons: slower to build, the better search.
# Each target prints one line: inputs, inputs a second, functions or branches reached.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:-1} preset=${2:-checks}

# Each target with the folder of seeds that it starts from. Redact has one processor for as long as the others have theirs.
targets=(redact:lines parser:lines chunks:lines message:lines pipeline:logs writers:lines summary:logs follow:lines
         summary_reader:summaries report:reports documents:documents archive:archives picture:lines evidence:evidence
         pickle:pickles)
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target fuzzers
# The release makes the seeds in a tenth of the time; where there is none, the sanitized program does.
program=build/release/cli/nccl-analyze
if [ ! -x $program ]; then
    program=build/$preset/cli/nccl-analyze
    cmake --build --preset "$preset" --target nccl-analyze
fi

work=build/fuzz
python3 tests/fuzz/seeds.py "$program" testdata "$work/seeds"
# Runs one target for its share of the time and shows the end of its log if it finds a fault. With `checks`, each run
# tries the same inputs, so that no change fails by chance; `nightly` tries others each time.
fuzz() {
    local target=${1%:*} seeds=$work/seeds/${1#*:} log=$work/${1%:*}.log
    mkdir -p "$work/corpus/$target"
    local leaks=1 length=6144 seconds=$share start=0 from=$seeds
    if [ "$preset" = checks ]; then
        start=1
        # Reading all seeds would take these targets several times their share of the time: an eighth of them is read.
        case $target in follow | picture | summary | writers)
            find "$seeds" -type f | sort | awk 'NR % 8 == 1' | paste -sd, >"$work/$target.seeds"
            from=-seed_inputs=@$work/$target.seeds ;;
        esac
    fi
    # Graphviz does not free what it allocates.
    [ "$target" = picture ] && leaks=0
    [ "$target" = parser ] && length=1024
    [ "$target" = redact ] && seconds=$half
    ASAN_OPTIONS=detect_leaks=$leaks "build/$preset/tests/fuzz/${target}_fuzzer" -seed=$start -max_total_time="$seconds" -max_len=$length -timeout=20 -rss_limit_mb=2048 \
        -dict=tests/fuzz/nccl.dict -print_funcs=0 -print_final_stats=1 -reload=0 -entropic=0 \
        -artifact_prefix="$work/$target-" "$work/corpus/$target" "$from" >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
    awk -v target="$target" '/ cov: / {match($0, /cov: [0-9]+/); edges = substr($0, RSTART + 5, RLENGTH - 5)}
        /number_of_executed_units/ {inputs = $2} /average_exec_per_sec/ {rate = $2}
        END {print target ": " inputs " inputs, " rate " a second, " edges " reached, no fault"}' "$log"
}
export -f fuzz
export work preset half=$((minutes * 30))
export share=$((half / (${#targets[@]} - 1)))
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I {} bash -c 'fuzz {}'
