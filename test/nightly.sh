#!/usr/bin/env bash
# What takes too long for the test command (test/run.sh), the tier 'nightly' of test/suites.py: the
# long lit tests and lines (test/lit.cfg.py), the probes on both targets, each by itself, optimized
# as users build them, the programs by themselves with all their cases (run_three_ways.py
# --all-cases), every mistake through every door and in clangd, more edits in clangd, emitted texts
# of lit tests, the wheel, the Debian package and the archive, programs of cuTile Python on a bare
# machine (test/laptop.sh), what explain says of every sample, each header of the runtime by itself,
# more random programs of each kind, every program under the emulator, planned without each of the
# plan's techniques (docs/internals/debugging.md), new random kernels without each, and what the
# programs see of faults that are made for them (docs/internals/fuzzing.md).
# Says what it runs; ends with 'N passed, N failed'.
#
# usage: nightly.sh [KERNELS]: random kernels for each technique (default 100)
set -euo pipefail
cd "$(dirname "$0")/.."
kernels=${1:-100}
shift $#
source scripts/setup.sh
bash test/libraries.sh "$build"
python3 test/suites.py nightly --list
exec python3 test/suites.py nightly --build "$build" --cuda "$cuda" --kernels "$kernels"
