#!/usr/bin/env bash
# What takes too long for the test command (test/run.sh): the long lit tests and lines
# (test/lit.cfg.py), the probes on both targets, optimized as users build them, more edits in
# clangd, emitted texts of lit tests, the wheel, more random programs of each kind, every program
# under the emulator, planned without each of the plan's techniques (docs/internals/debugging.md),
# new random kernels without each, and what the programs see of faults that are made for them
# (docs/internals/fuzzing.md).
# Says what it runs; ends with 'N passed, N failed'.
#
# usage: nightly.sh [KERNELS]: random kernels for each technique (default 100)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh
kernels=${1:-100} seed=$(date +%F)
tessera=$build/bin/tessera

source test/suites.sh

# suite NAME COMMAND...: says the command, too.
suite() {
  echo "${*:2}"
  plain_suite "$@"
}

echo "lit, with -Dlong=1"
junit_suite lit "$build/lit.xml" /usr/lib/llvm-22/bin/lit -v -j"$(nproc)" -Dlong=1 \
  --xunit-xml-output "$build/lit.xml" "$build/test"
if [ -d "$build/python-package" ]; then
  suite "Python's long tests" env PYTHONPATH="$build/python-package" PYTHONDONTWRITEBYTECODE=1 \
    "$build/python/bin/python" -m pytest -q -p no:cacheprovider -m long python/tests
fi
suite "probes, optimized on CPUs as users run them" python3 test/probes/run.py \
  --tessera "$tessera" --cuda "$cuda" --optimize 2,0
suite "random edits in clangd" python3 test/clangd/language_server.py --cuda "$cuda" \
  --program "$build/bin/tessera-clangd" --edits 600 edits end
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
techniques=$(sed -n 's/^TESSERA_TECHNIQUE(\([a-z_]*\),.*/\1/p' plugin/support/Techniques.def)
for technique in $techniques; do
  suite "random kernels without $technique" env TESSERA_PLAN_WITHOUT="$technique" \
    python3 test/fuzz/run.py --tessera "$tessera" --seed "$seed-$technique" --kernels "$kernels"
  suite "random products without $technique" env TESSERA_PLAN_WITHOUT="$technique" \
    python3 test/fuzz/run.py --tessera "$tessera" --products --seed "$seed-$technique" \
    --kernels "$kernels" --batch 10
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
