#!/usr/bin/env bash
# Runs what build.sh has put beside it, on a machine with a GPU: the tests that are marked gpu, the
# samples, the errors of complex numbers.
cd "$(dirname "$0")" || exit
export PYTHONPATH=$PWD/site TESSERA_PROGRAM=$PWD/bin/tessera PYTHONDONTWRITEBYTECODE=1
TESSERA_PYTHON_CACHE_DIR=$(mktemp -d)
export TESSERA_PYTHON_CACHE_DIR
failed=0
verdict() {
  echo "== $*"
  timeout 200 "$@" || { echo "FAILED: $*" && failed=$((failed + 1)); }
}
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
python3 -c 'import sys, torch; print("Python", sys.version.split()[0], "torch", torch.__version__)'
verdict python3 -m pytest -q -rs -p no:cacheprovider -m gpu tests
verdict python3 samples/softmax.py 4096 4096
verdict python3 samples/softmax.py 1000 1000
verdict python3 samples/matmul.py 4096 4096 4096
verdict python3 samples/matmul.py 200 300 100
verdict python3 samples/layer_norm.py 50 200
verdict python3 samples/layer_norm.py 512 1000
verdict python3 samples/attention.py 2 4 500 64
verdict python3 samples/attention.py 4 16 4096 64
verdict python3 samples/attention.py 4 16 4096 128
verdict ./complex 0x100000
ls "$TESSERA_PYTHON_CACHE_DIR"/tuned/* | head -n 4 | xargs cat
echo
echo "$failed failed"
exit "$failed"
