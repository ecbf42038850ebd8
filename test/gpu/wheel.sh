#!/usr/bin/env bash
# The wheel of scripts/wheel.sh on a machine with a GPU, torch and a toolkit, and without Clang and
# registries: kernels are compiled there, and launched on torch's tensors. The doctor, the times of
# softmax, the tests that are marked gpu, the samples, also those of CuPy, Numba and cuda.core where
# they are there, the targets compared, and profiles where there is ncu.
#
#   test/gpu/wheel.sh WHEEL      in a checkout; PYTHON names the Python that has torch and pytest
#
# Ends with 'N failed'.
set -uo pipefail
wheel=$(realpath "${1:?usage: test/gpu/wheel.sh WHEEL}")
cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A folder beside the Python's own packages, torch among them: they may be in a virtual environment.
python=${PYTHON:-python3}
"$python" -m pip install -q --no-index --no-deps --target "$work/site" "$wheel" || exit
unset TESSERA_PROGRAM
export PYTHONPATH=$work/site
export TESSERA_CACHE_DIR=$work/cache PYTHONDONTWRITEBYTECODE=1
failed=0
verdict() {
  echo "== $*"
  timeout 500 "$@" || { echo "FAILED: $*" && failed=$((failed + 1)); }
}
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
command -v clang clang++ clang-22
verdict "$python" -m tessera doctor
verdict "$python" test/bare_softmax.py docs/user/python.md
verdict "$python" -m pytest -q -rs -p no:cacheprovider -m gpu python/tests
verdict "$python" samples/python/softmax.py 4096 4096
verdict "$python" samples/python/matmul.py 4096 4096 4096
verdict "$python" samples/python/layer_norm.py 512 1000
verdict "$python" samples/python/attention.py 2 4 500 64
verdict "$python" samples/python/attention.py 4 16 4096 128
verdict "$work/site/bin/tessera" run samples/softmax.cu -- 4096 1024
# Numba compiles a kernel of its own in the sample, which it cannot beside some versions of NumPy.
for pair in "with_cupy.py import cupy" "with_cuda_core.py import cuda.core" \
  "with_numba.py from numba import cuda; cuda.jit(lambda: None)[1, 1]()"; do
  read -r name probe <<<"$pair"
  if "$python" -c "$probe" 2>/dev/null; then
    verdict "$python" samples/python/"$name" 500 1000
  else
    echo "== $name is not run, as this fails: $probe"
  fi
done
# All three targets compared; what ncu measures beside what the plan predicts.
for sample in matmul softmax attention; do
  verdict "$work/site/bin/tessera" run --verify "samples/$sample.cu"
  if command -v ncu >/dev/null; then
    verdict "$work/site/bin/tessera" profile "samples/$sample.cu" -o "$work/$sample.json"
    verdict "$work/site/bin/tessera" explain --profile="$work/$sample.json" "samples/$sample.cu"
  else
    echo "== profile of $sample is not run: there is no ncu"
  fi
done
echo "$failed failed"
exit "$failed"
