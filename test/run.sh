#!/usr/bin/env bash
# All tests, in a fresh clone too: installs what is missing, builds, then runs the unit tests, the
# lit tests, the programs that run on every target, the probes and the rest of the tier 'all' of
# test/suites.py. Says how many seconds the tests took; ends with 'N passed, N failed'. What takes
# longer is in test/nightly.sh.
#
# usage: run.sh [--quick]: the quick tier alone, the unit tests and the lit tests of tile, layout,
# plan, emit and check (at most two minutes)
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1-} in
'') tier=all ;;
--quick) tier=quick ;;
*) echo "run.sh: '$1' is no option; there is --quick" >&2 && exit 2 ;;
esac
shift $#
source scripts/setup.sh
if [ "$tier" = all ]; then bash test/libraries.sh "$build"; fi
# Precompiled headers, and texts for GPUs, of this run alone.
export TESSERA_CACHE_DIR=$PWD/$build/test-cache
rm -rf "$TESSERA_CACHE_DIR" "$build/texts" && mkdir "$build/texts"
exec python3 test/suites.py "$tier" --build "$build" --cuda "$cuda"
