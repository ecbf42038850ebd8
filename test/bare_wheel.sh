#!/usr/bin/env bash
# The wheel of scripts/wheel.sh on machines with Python and nothing else: bare folders of Debian 11
# to 13 and of Ubuntu 22.04 and 24.04, which have Python 3.9 to 3.13 and glibc 2.31 to 2.41, without
# a compiler, a driver and a toolkit. In each a fresh venv
# gets the wheel with its packages of PyPI, and runs softmax on NumPy's arrays, a sample, a program
# of cuTile Python and the doctor. Needs root, the registries of packages and 2 GB for each.
#
#   test/bare_wheel.sh FOLDER [SUITE...]      the five, unless some are named
#
# Prints the times and sizes, ends with 'N passed, N failed'.
set -euo pipefail
cd "$(dirname "$0")/.."
source test/bare_machine.sh
root=${1:?usage: test/bare_wheel.sh FOLDER [SUITE...]}
shift
suites=("$@")
[ $# -gt 0 ] || suites=(bullseye bookworm trixie jammy noble)
wheel=$(echo build/wheels/tessera_tile-*-py3-none-manylinux*.whl)
[ -e "$wheel" ] || { echo "no wheel: run scripts/wheel.sh first" >&2 && exit 2; }

seconds() { # WHAT COMMAND
  local start
  start=$(date +%s.%N)
  inside "$2" >"$machine/trial/log" 2>&1 || tail -n 5 "$machine/trial/log"
  echo "$1: $(echo "$(date +%s.%N) - $start" | bc | sed 's/\(\.[0-9]\).*/\1/') s"
}

try_machine() { # SUITE
  make_machine "$root/$1" "$1" ca-certificates,python3,python3-venv
  trap leave_machine EXIT
  rm -rf "$machine/trial" "$machine/root/.cache/tessera"
  mkdir "$machine/trial"
  cp "$wheel" docs/user/python.md "$machine/trial/"
  cp -r samples test/bare_softmax.py "$machine/trial/"
  sed -n '/^```python$/,/^```$/p' docs/user/cutile.md | sed '1d;$d' >"$machine/trial/cutile.py"

  check "$1: no compiler" "^none$" \
    'for name in cc gcc g++ clang ld git; do command -v $name && exit; done; echo none'
  inside "python3 -m venv venv"
  seconds "$1: pip install, with NVIDIA's packages" "venv/bin/pip install tessera_tile-*.whl"
  inside "venv/bin/pip install -q numpy"
  check "$1: softmax on NumPy" "^True" "venv/bin/python bare_softmax.py python.md"
  inside "venv/bin/python bare_softmax.py python.md" | sed -n "s/^took/$1: softmax/p"
  check "$1: a sample" "^softmax" "venv/bin/tessera run samples/softmax.cu"
  check "$1: a sample under the emulator" "^vector_add" \
    "venv/bin/tessera run --target=emulate samples/vector_add.cu -- 1000"
  # cuTile Python is for Python 3.10 and newer.
  if [ "$1" != bullseye ]; then
    inside "venv/bin/pip install -q cuda-tile"
    check "$1: cuTile Python" "^True" "venv/bin/python -m tessera.cutile cutile.py"
  fi
  check "$1: clangd" "clangd version 22" "venv/bin/tessera-clangd --version"
  check "$1: the doctor" "^CPU kernels +ok" "venv/bin/tessera doctor"
  check "$1: the doctor finds no fault" "^0$" "venv/bin/python -m tessera doctor >&2; echo \$?"
  check "$1: a library for a GPU" "^made" \
    "venv/bin/tessera build --target=gpu samples/softmax.cu -o softmax.so && echo made"
  inside "venv/bin/tessera doctor"
  leave_machine
  trap - EXIT
}

ls -l "$wheel"
for suite in "${suites[@]}"; do try_machine "$suite"; done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
