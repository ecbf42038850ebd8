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
passed=0 failed=0 start=$SECONDS
# Precompiled headers of this run alone.
export TESSERA_CACHE_DIR=$PWD/$build/test-cache
rm -rf "$TESSERA_CACHE_DIR"

# count NAME PASSED FAILED SECONDS: the result of a suite.
count() {
  echo "== $1: $2 passed, $3 failed, $4 s"
  passed=$((passed + $2)) failed=$((failed + $3))
}

# attribute NAME FILE: a number of a JUnit report's first suite, or nothing.
attribute() {
  tr '\n\t' '  ' <"$2" | grep -oE '<testsuite [^>]*' | grep -oE " $1=\"[0-9]+\"" | head -n 1 |
    tr -dc 0-9
}

# junit_suite NAME REPORT COMMAND...: a command that writes a JUnit report. Its output is shown when
# something failed.
junit_suite() {
  local name=$1 report=$2 log=$build/$1.log begin=$SECONDS tests failures skipped
  shift 2
  echo "== $name"
  rm -f "$report"
  "$@" >"$log" 2>&1 || true
  tests=$(attribute tests "$report" || true) failures=$(attribute failures "$report" || true)
  skipped=$(attribute skipped "$report" || true)
  if [ -z "$tests" ] || [ "$failures" != 0 ]; then cat "$log"; fi
  count "$name" $((${tests:-0} - ${failures:-0} - ${skipped:-0})) "${failures:-1}" \
    $((SECONDS - begin))
}

# begin_suite NAME COMMAND...: a command whose last line is 'N passed, N failed', beside the suites
# that follow until end_suite NAME. When something failed, its lines with FAIL and the end of its
# output are shown.
declare -A process begun
begin_suite() {
  local name=$1
  shift
  echo "== $name"
  begun[$name]=$SECONDS
  "$@" >"$build/$name.log" 2>&1 &
  process[$name]=$!
}
end_suite() {
  local name=$1 log=$build/$1.log good=0 bad=1
  wait "${process[$name]}" || true
  if [[ $(tail -n 1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    good=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
  fi
  if [ "$bad" != 0 ]; then
    head -n -40 "$log" | grep FAIL || true
    tail -n 40 "$log"
  fi
  count "$name" "$good" "$bad" $((SECONDS - begun[$name]))
}

# plain_suite NAME COMMAND...: the same, alone.
plain_suite() {
  begin_suite "$@"
  end_suite "$1"
}

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
  --optimize 0 --texts "$build/texts"
plain_suite emitted python3 test/emitted.py --tessera "$build/bin/tessera" --cuda "$cuda" \
  --texts "$build/texts"
# Each of these has one process at work most of the time; the first takes longest.
if [ -d "$build/python-package" ]; then
  begin_suite python env PYTHONPATH="$build/python-package" PYTHONDONTWRITEBYTECODE=1 \
    "$build/python/bin/python" -m pytest -q -p no:cacheprovider -m "not long" python/tests
fi
plain_suite clangd python3 test/clangd/language_server.py --cuda "$cuda" \
  --program "$build/bin/tessera-clangd"
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
