#!/usr/bin/env bash
# Installs a build into a folder of its own, then builds the examples against it, by CMake and one by pkg-config, and runs
# them.
# run.sh BUILD SOURCE VERSION; CXX and CXXFLAGS are those of the build.
set -euo pipefail
build=$1 source=$2 version=$3
work=$build/install-test
rm -rf "$work"
mkdir -p "$work"

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
test -f "$work/prefix/share/nccl_analyze/report.v1.schema.json"
if [ -x "$work/prefix/bin/nccl-analyze" ]; then
    for file in bash-completion/completions/nccl-analyze zsh/vendor-completions/_nccl-analyze \
        fish/vendor_completions.d/nccl-analyze.fish nccl_analyze/lnav/nccl.json man/man1/nccl-analyze.1; do
        test -s "$work/prefix/share/$file"
    done
fi

cmake -S "$source/tests/install" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DEXPECTED_VERSION="$version" -DEXAMPLES="$source/examples" >"$work/configure.log"
cmake --build "$work/consumer" >"$work/build.log"
log=$source/testdata/jobs/rank-killed/input.log
"$work/consumer/whole_file" "$log" "$work/page.html" >"$work/whole_file.out"
grep '^error: .*rank 5 ' "$work/whole_file.out"
grep '^do: ' "$work/whole_file.out"
grep '^look at: rank 5 ' "$work/whole_file.out"
grep -q '</html>' "$work/page.html"
"$work/consumer/live" <"$source/testdata/jobs/efa-fallback/input.log" >"$work/live.out"
grep '^line 24: NET/OFI Unable to find a protocol' "$work/live.out"
grep '^The network plugin failed: ' "$work/live.out"
test "$("$work/consumer/own_rule" 8 <"$log" | grep -c '^SITE01: train-job-worker-[01] has 4 of 8 ranks$')" = 2
test -z "$("$work/consumer/own_rule" 4 <"$log")"

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name nccl_analyze.pc)")
export PKG_CONFIG_PATH
test "$(pkg-config --modversion nccl_analyze)" = "$version"
# shellcheck disable=SC2046,SC2086
$CXX -std=c++20 $CXXFLAGS "$source/examples/whole_file.cc" $(pkg-config --cflags --libs nccl_analyze) -o "$work/whole_file"
"$work/whole_file" "$log" | cmp - "$work/whole_file.out"
# An older language gives one line.
# shellcheck disable=SC2046,SC2086
if $CXX -std=c++17 $CXXFLAGS -fsyntax-only "$source/examples/whole_file.cc" $(pkg-config --cflags nccl_analyze) 2>"$work/old.out"; then
    exit 1
fi
test "$(grep -c 'error:' "$work/old.out")" = 1
grep 'needs C++20' "$work/old.out"

if [ -f "$work/prefix/include/nccl_analyze.h" ]; then
    # shellcheck disable=SC2046,SC2086
    $CXX -x c -std=c11 -Wall -Wextra -Werror -pedantic $CXXFLAGS "$source/examples/c_interface.c" -x none \
        $(pkg-config --cflags --libs nccl_analyze_c) -Wl,-rpath,"$(pkg-config --variable=libdir nccl_analyze_c)" -o "$work/c11"
    for program in "$work/c11" "$work/consumer/c_interface"; do
        "$program" "$work/report.json" "$log" >"$work/c.out"
        grep -q '^NCA606 error: Rank 5 ' "$work/c.out"
        grep -q '"rule": "NCA606"' "$work/report.json"
        if "$program" "$work/report.json" /nonexistent 2>"$work/c.err"; then exit 1; fi
        grep -qx 'c_interface: cannot read /nonexistent: No such file or directory' "$work/c.err"
    done
    library=$(find "$work/prefix" -name libnccl_analyze_c.so)
    test -z "$(nm -D --defined-only "$library" | grep -v ' A NCCL_ANALYZE_\| T nccl_analyze_')"
fi
# Sanitizers want to be loaded before Python.
if [ -d "$work/prefix/lib/python3" ] && [[ $CXXFLAGS != *sanitize* ]]; then
    PYTHONPATH=$work/prefix/lib/python3/dist-packages /usr/bin/python3 -B - "$log" <<'EOF'
import sys
import nccl_analyze
assert nccl_analyze.read(sys.argv[1]).findings[0].rule == "NCA606"
EOF
fi

if [ -x "$work/prefix/bin/nccl-analyze" ]; then "$work/prefix/bin/nccl-analyze" --version; fi
