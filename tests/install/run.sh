#!/usr/bin/env bash
# Installs a build into a folder of its own, then builds and runs the example against it, by CMake and by pkg-config.
# run.sh BUILD SOURCE VERSION; CXX and CXXFLAGS are those of the build.
set -euo pipefail
build=$1 source=$2 version=$3
work=$build/install-test
rm -rf "$work"
mkdir -p "$work"

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
test -f "$work/prefix/share/nccl_analyze/report.v1.schema.json"

cmake -S "$source/tests/install" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DEXPECTED_VERSION="$version" -DEMBED_SOURCE="$source/examples/embed.cc" >"$work/configure.log"
cmake --build "$work/consumer" >"$work/build.log"
"$work/consumer/embed"

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name nccl_analyze.pc)")
export PKG_CONFIG_PATH
test "$(pkg-config --modversion nccl_analyze)" = "$version"
# shellcheck disable=SC2046,SC2086
$CXX -std=c++20 $CXXFLAGS "$source/examples/embed.cc" $(pkg-config --static --cflags --libs nccl_analyze) -o "$work/embed"
"$work/embed"

if [ -x "$work/prefix/bin/nccl-analyze" ]; then "$work/prefix/bin/nccl-analyze" --version; fi
