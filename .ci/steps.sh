# For .ci/test and .ci/nightly: steps, and the count of tests and steps that passed.
passed=0 failed=0 failures="" ran=""

# The processor time of all commands so far, in seconds, which other work on the machine changes less than the time.
processor() {
    local fields
    read -ra fields <"/proc/$$/stat"
    echo $(((fields[15] + fields[16]) / $(getconf CLK_TCK)))
}

# Notes what ran: `note NAME RESULT START PROCESSOR`
note() {
    local line
    line="$1: $2 ($((SECONDS - $3)) s, $(($(processor) - $4)) s of processors)"
    echo "-- $line"
    ran+="  $line"$'\n'
}

# Runs a command as one step and counts it: `step NAME COMMAND ...`
step() {
    local name=$1 start=$SECONDS used
    used=$(processor)
    shift
    if "$@"; then
        passed=$((passed + 1))
        note "$name" passed "$start" "$used"
    else
        failed=$((failed + 1)) failures+="  $name"$'\n'
        note "$name" FAILED "$start" "$used"
        return 1
    fi
}

# Adds the tests of a command whose last line is `N passed, N failed`: `count NAME COMMAND ...`
count() {
    local name=$1 start=$SECONDS used good bad out line
    used=$(processor)
    shift
    out=build/${name// /-}.out
    mkdir -p build
    "$@" | tee "$out"
    read -r good _ bad _ < <(tail -n 1 "$out")
    [[ $good =~ ^[0-9]+$ && $bad =~ ^[0-9]+$ ]] || good=0 bad=1 # it did not end
    passed=$((passed + good)) failed=$((failed + bad))
    if [ "$bad" != 0 ]; then
        failures+="  $name"$'\n'
        # What ctest lists, and what Catch2 says where.
        while read -r line; do failures+="    $line"$'\n'; done < <(grep -E '^\s+[0-9]+ - |: FAILED:$' "$out")
    fi
    note "$name" "$good passed, $bad failed" "$start" "$used"
}

# The cases of Catch2: `cases PRESET [PATTERN]`
cases() { count "cases of $1" python3 tests/run_cases.py "build/$1/tests/nccl_analyze_tests" "${@:2}"; }

# The tests of programs, each a test of ctest: `programs PRESET [OPTION OF CTEST ...]`. Many wait for time to pass, so that
# there are two for each processor. One that hangs costs its fifteen minutes, not the whole run.
programs() { count "programs of $1" run_ctest "$@"; }
run_ctest() {
    local out bad all
    out=build/$1/ctest.out
    ctest --preset "$1" -j $((2 * $(nproc))) --timeout 900 -E '^cases$' "${@:2}" | tee "$out"
    read -r bad all < <(sed -nE 's/.* ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p' "$out")
    echo "$((${all:-1} - ${bad:-1})) passed, ${bad:-1} failed"
}

# `configure PRESET [OPTION ...]`
configure() { cmake --preset "$1" -DNCCL_ANALYZE_BUILD_TESTS=ON "${@:2}" >/dev/null; }

# A log of CI is often shown by its end only: what ran and what failed are printed there. The last line counts.
finish() {
    printf 'Ran:\n%s' "$ran"
    [ -z "$failures" ] || printf 'Failed:\n%s' "$failures"
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}
