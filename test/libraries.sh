#!/usr/bin/env bash
# Installs what tests of the Python package use beside NumPy: torch and JAX, from PyPI into the
# build's virtual environment (700 MB to download, 2 GB on the disk; torch's CUDA libraries, too,
# where there is a GPU). Does only what is missing, so a second run takes seconds.
#
# usage: libraries.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(realpath "$1")/python/bin/python
log=$(realpath "$1")/libraries.log

# What torch needs on the CPU is named, so that without a GPU pip leaves its CUDA libraries (2 GB
# more) alone.
torch=(torch==2.15.0)
others=(
  jax==0.10.2
  filelock fsspec jinja2 'networkx>=2.5.1' 'setuptools>=77.0.3' 'sympy>=1.13.3'
  'typing-extensions>=4.13.0'
)

is_there() {
  "$python" -c 'import jax, torch; assert jax.__version__ == "0.10.2"
assert torch.__version__.startswith("2.15.0") and torch.ones(1).sum() == 1' 2>/dev/null
}

install() {
  local pip=("$python" -m pip install --disable-pip-version-check)
  if [ -e /dev/nvidia0 ]; then
    "${pip[@]}" "${torch[@]}" "${others[@]}"
  else
    "${pip[@]}" --no-deps "${torch[@]}"
    "${pip[@]}" "${others[@]}"
    "$python" test/torch_without_cuda.py clang-22
  fi
}

if ! is_there; then
  echo "== Python: taking ${torch[*]} ${others[0]} from PyPI, for tests"
  if ! install >"$log" 2>&1 || ! is_there; then
    tail -n 30 "$log" >&2
    echo "libraries.sh: torch and JAX are not to be had (full output in $log)" >&2
    exit 1
  fi
fi
