#!/usr/bin/env bash
# What takes too long for the test command (test/run.sh): every program under the emulator, planned
# without each of the plan's techniques (docs/internals/debugging.md), new random kernels without
# each, and what the programs see of faults that are made for them (docs/internals/fuzzing.md).
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
