#!/usr/bin/env bash
# What takes too long for the test command (test/run.sh): the long lit tests and lines
# (test/lit.cfg.py), the probes optimized as users build them, emitted texts of lit tests, the
# wheel, more random programs of each kind, every program under the emulator, planned without each
# of the plan's techniques (docs/internals/debugging.md), new random kernels without each, and what
# the programs see of faults that are made for them (docs/internals/fuzzing.md).
# Says what it runs; ends with 'N passed, N failed'.
#
# usage: nightly.sh [KERNELS]: random kernels for each technique (default 100)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh
kernels=${1:-100} passed=0 failed=0 seed=$(date +%F)
tessera=$build/bin/tessera

# suite NAME COMMAND...: a command whose last line is 'N passed, N failed'.
suite() {
  local name=$1 begin=$SECONDS last
  shift
  echo "== $name: $*"
  last=$("$@" 2>&1 | tee "$build/nightly.log" | tail -n 1 || true)
  grep FAIL "$build/nightly.log" || true
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
    echo "== $name: $last, $((SECONDS - begin)) s"
  else
    cat "$build/nightly.log"
    failed=$((failed + 1))
  fi
}

# lit counts its tests in a report.
begin=$SECONDS
echo "== lit tests with -Dlong=1"
/usr/lib/llvm-22/bin/lit -v -j"$(nproc)" -Dlong=1 --xunit-xml-output "$build/lit.xml" \
  "$build/test" >"$build/nightly.log" 2>&1 || cat "$build/nightly.log"
tests=$(grep -oE '<testsuite [^>]*' "$build/lit.xml" | grep -oE ' tests="[0-9]+"' | tr -dc 0-9)
wrong=$(grep -oE '<testsuite [^>]*' "$build/lit.xml" | grep -oE ' failures="[0-9]+"' | tr -dc 0-9)
passed=$((passed + tests - wrong)) failed=$((failed + wrong))
echo "== lit tests with -Dlong=1: $((tests - wrong)) passed, $wrong failed, $((SECONDS - begin)) s"
if [ -d "$build/python-package" ]; then
  suite "Python's long tests" env PYTHONPATH="$build/python-package" PYTHONDONTWRITEBYTECODE=1 \
    "$build/python/bin/python" -m pytest -q -p no:cacheprovider -m long python/tests
fi
suite "probes, optimized on CPUs as users run them" python3 test/probes/run.py \
  --tessera "$tessera" --cuda "$cuda" --optimize 2,0
suite "emitted texts, of lit tests too" python3 test/emitted.py --tessera "$tessera" \
  --cuda "$cuda" --lit
suite "random scalars" python3 test/scalars/random_scalars.py --tessera "$tessera" --files 8
suite "twins" python3 test/fuzz/twins.py --tessera "$tessera" --seed ci --programs 20 --settings 3
suite "random kernels" python3 test/fuzz/run.py --tessera "$tessera" --corpus --seed ci \
  --kernels 200
suite "nests" python3 test/fuzz/run.py --tessera "$tessera" --nests --seed ci \
  --kernels 80 --batch 20
suite "mutants" python3 test/robust/mutants.py --tessera "$tessera" --cuda "$cuda" \
  --plugin "$build/lib/libtessera.so" --lines 20 --cuts 4 --swaps 4
suite "signals" python3 test/robust/signals.py --tessera "$tessera" \
  --nvcc "$cuda/bin/nvcc" --times 10
suite "programs without each technique" python3 test/run/run_three_ways.py --tessera "$tessera" \
  --cuda "$cuda" --targets cpu,emulate --without all --optimize 2 --seconds 1200
suite "faults in emitted texts" python3 test/seeded/run.py --tessera "$tessera"
suite "mistakes of the plan" python3 test/seeded/plan.py --tessera "$tessera"
for technique in $(sed -n 's/^TESSERA_TECHNIQUE(\([a-z_]*\),.*/\1/p' plugin/Techniques.def); do
  suite "random kernels without $technique" env TESSERA_PLAN_WITHOUT="$technique" \
    python3 test/fuzz/run.py --tessera "$tessera" --seed "$seed-$technique" --kernels "$kernels"
  suite "random products without $technique" env TESSERA_PLAN_WITHOUT="$technique" \
    python3 test/fuzz/run.py --tessera "$tessera" --products --seed "$seed-$technique" \
    --kernels "$kernels" --batch 10
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
