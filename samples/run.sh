#!/usr/bin/env bash
# Installs what is missing, builds, and runs every sample: on the GPU if there is one, else on the
# CPU. Prints a table.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh

target=cpu
if [ -e /dev/nvidia0 ]; then target=gpu; fi
mapfile -t runs < <(sed -n "s/^$target //p" samples/sizes.txt)

echo "== samples on the $target"
passed=0 failed=0
for run in "${runs[@]}"; do
  read -r -a words <<<"$run"
  program=("$build/bin/tessera" run --target="$target" "samples/${words[0]}.cu")
  if lines=$("${program[@]}" -- "${words[@]:1}"); then
    verdict=passed passed=$((passed + 1))
  else
    verdict=FAILED failed=$((failed + 1)) lines="${lines:-$run}"
  fi
  while read -r line; do printf '%-7s %s\n' "$verdict" "$line"; done <<<"$lines"
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
