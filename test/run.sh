#!/usr/bin/env bash
# All tests, in a fresh clone too: installs what is missing, builds, then runs the unit tests, the
# lit tests, the programs that run on every target, and the probes. Says how many seconds the tests
# took; ends with 'N passed, N failed'. What takes longer is in test/nightly.sh.
#
# usage: run.sh [--quick]: the quick tier alone, the unit tests and the lit tests of tile, layout,
# plan, emit and check (at most two minutes)
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1-} in
'' | --quick) tier=${1-} ;;
*) echo "run.sh: '$1' is no option; there is --quick" >&2 && exit 2 ;;
esac
shift $#
source scripts/setup.sh
start=$SECONDS
source test/suites.sh
# Precompiled headers of this run alone.
export TESSERA_CACHE_DIR=$PWD/$build/test-cache
rm -rf "$TESSERA_CACHE_DIR"

# end: the seconds in all, and the last line.
end() {
  local said="all tests"
  if [ -n "$tier" ]; then said="the quick tier alone (bash test/run.sh runs all tests)"; fi
  echo "== $said: $((SECONDS - start)) s"
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

unit=(ctest --test-dir "$build" --output-on-failure -j"$(nproc)")
unit+=(--output-junit "$PWD/$build/unit.xml")
# One more at a time than there are cores: some tests wait.
lit=(/usr/lib/llvm-22/bin/lit -v "-j$(($(nproc) + 1))" --xunit-xml-output "$build/lit.xml")
lit+=("$build/test")
if [ -n "$tier" ]; then
  echo "== the quick tier"
  junit_suite unit "$PWD/$build/unit.xml" "${unit[@]}" --label-exclude 'lit|slow'
  junit_suite lit "$build/lit.xml" "${lit[@]}" --filter '^tessera :: (tile|layout|plan|emit|check)/'
  end
  exit
fi
junit_suite unit "$PWD/$build/unit.xml" "${unit[@]}" --label-exclude lit
junit_suite lit "$build/lit.xml" "${lit[@]}"
plain_suite tidy python3 test/tidy.py --build "$build"
plain_suite mistakes python3 test/mistakes/run.py --tessera "$build/bin/tessera" --cuda "$cuda" \
  --plugin "$build/lib/libtessera.so"
# What is left there for GPUs, emitted compiles.
rm -rf "$build/texts" && mkdir "$build/texts"
plain_suite run python3 test/run/run_three_ways.py --tessera "$build/bin/tessera" --cuda "$cuda" \
  --optimize 0 --texts "$build/texts"
plain_suite probes python3 test/probes/run.py --tessera "$build/bin/tessera" --cuda "$cuda" \
  --turn --optimize 0 --texts "$build/texts"
plain_suite emitted python3 test/emitted.py --tessera "$build/bin/tessera" --cuda "$cuda" \
  --texts "$build/texts"
# Each of these has one process at work most of the time; the first takes longest.
if [ -d "$build/python-package" ]; then
  begin_suite python env PYTHONPATH="$build/python-package" PYTHONDONTWRITEBYTECODE=1 \
    "$build/python/bin/python" -m pytest -q -p no:cacheprovider -m "not long" python/tests
fi
plain_suite clangd python3 test/clangd/language_server.py --cuda "$cuda" \
  --program "$build/bin/tessera-clangd" --edits 100
plain_suite signals python3 test/robust/signals.py --tessera "$build/bin/tessera" \
  --nvcc "$cuda/bin/nvcc" --times 3
plain_suite disks python3 test/robust/full_disk.py --tessera "$build/bin/tessera" \
  --nvcc "$cuda/bin/nvcc"
plain_suite scalars python3 test/scalars/random_scalars.py --tessera "$build/bin/tessera" --files 2
if [ -d "$build/python-package" ]; then end_suite python; fi
# Two suites at a time whose last programs leave a core idle. More of each is in test/nightly.sh.
begin_suite twins python3 test/fuzz/twins.py --tessera "$build/bin/tessera" --seed ci \
  --programs 5 --settings 2
plain_suite fuzz python3 test/fuzz/run.py --tessera "$build/bin/tessera" --corpus --seed ci \
  --kernels 50 --minutes 2
end_suite twins
begin_suite names python3 test/fuzz/names.py --tessera "$build/bin/tessera" --files 2 --kernels 20
plain_suite robust python3 test/robust/mutants.py --tessera "$build/bin/tessera" --cuda "$cuda" \
  --plugin "$build/lib/libtessera.so" --lines 3 --cuts 1 --swaps 1
end_suite names
begin_suite products python3 test/fuzz/run.py --tessera "$build/bin/tessera" --products --seed ci \
  --kernels 20 --batch 10
plain_suite nests python3 test/fuzz/run.py --tessera "$build/bin/tessera" --nests --seed ci \
  --kernels 20 --batch 10
end_suite products
end
