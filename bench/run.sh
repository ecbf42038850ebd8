#!/usr/bin/env bash
# Measures everything that has a peer, on a machine with a GPU, in at most 20 minutes: the samples,
# and their peers in the same run (Triton, torch, cuBLAS, flex_attention, NVIDIA's tile compiler,
# NCCL's collectives). What is printed also becomes a file of the form of bench/results, with date,
# card and versions in its first line.
#
# usage: bench/run.sh [FOLDER]      what is built, and the result (build-bench)
#   PYTHON        the Python that has torch, Triton and tessera (python3)
#   TESSERA_ARCH  the GPU that programs are built for (sm_90a)
#   TILEGYM       a folder that `bench/tilegym.py build` has filled: tessera and nvidia
#
# In a checkout that is built (scripts/setup.sh) programs are built first, which is not counted;
# elsewhere FOLDER has them already, from another machine. Each step has a limit. Ends with
# 'N passed, N failed, N left out'; what is left out is named, with its reason.
set -uo pipefail
case ${1-} in
-h | --help)
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
  exit
  ;;
esac
cd "$(dirname "$0")/.." || exit
folder=${1:-build-bench}
python=${PYTHON:-python3}
arch=${TESSERA_ARCH:-sm_90a}
cards=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null)
if [ -z "$cards" ]; then
  echo "bench/run.sh: there is no GPU here; bench/cpu.py measures the samples on a CPU" >&2
  exit 2
fi
mkdir -p "$folder"
card=$(head -n 1 <<<"$cards" | grep -oiE '[a-z]*[0-9]+[a-z]*' | head -n 1)
result=$folder/$(date +%F)-run-${card,,}.txt

# The programs: those of test/gpu, and of bench/shapes.
if [ ! -x "$folder/plugin/matmul" ] && command -v clang++-22 >/dev/null; then
  echo "== building, which takes a while (log in $folder/build.log)"
  TESSERA_ARCH=$arch test/gpu/build.sh "$folder" >"$folder/build.log" 2>&1
fi
cuda=$(sed -n 's/^TESSERA_CUDA_PATH:[A-Z]*=//p' build/CMakeCache.txt 2>/dev/null)
if [ ! -x "$folder/shapes" ] && [ -e "$cuda/lib64/libcublasLt.so" ]; then
  build/bin/tessera --arch="$arch" bench/shapes/main.cu -o "$folder/shapes.simt.cu" &&
    "$cuda/bin/nvcc" -O3 -std=c++20 -gencode "arch=compute_${arch#sm_},code=$arch" \
      -Iruntime/include -Ibench/shapes "$folder/shapes.simt.cu" -lcublasLt -lcublas \
      -o "$folder/shapes" >>"$folder/build.log" 2>&1
fi

exec > >(tee "$result") 2>&1
versions='import torch; print("torch", torch.__version__, end="")
try:
  import triton; print(", Triton", triton.__version__, end="")
except ImportError: pass'
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
commit=$(git rev-parse --short HEAD 2>/dev/null || echo "an unknown state")
echo "$(date +%F), $(sort <<<"$cards" | uniq -c | awk '{$1 = $1; print}' | paste -sd,)," \
  "driver $driver, $("$python" -c "$versions" 2>/dev/null || echo "no torch")," \
  "Tessera at $commit: bench/run.sh"
start=$SECONDS passed=0 failed=0 left=()

# step TITLE SECONDS COMMAND...
step() {
  local title=$1 limit=$2 begin=$SECONDS status
  shift 2
  echo "== $title"
  timeout "$limit" "$@"
  status=$?
  if [ $status = 0 ]; then
    passed=$((passed + 1))
    echo "-- passed, $((SECONDS - begin)) s"
  else
    failed=$((failed + 1))
    echo "-- FAILED, $((SECONDS - begin)) s: exit status $status of $*"
  fi
}

leave() { # TITLE WHY
  left+=("$1: $2")
}

has() { "$python" -c "import $1" 2>/dev/null; }

samples() {
  local target name sizes status=0
  while read -r target name sizes; do
    [ "$target" = gpu ] || continue
    # shellcheck disable=SC2086
    "$folder/plugin/$name" $sizes || { status=1 && echo "FAILED: $name $sizes"; }
  done <samples/sizes.txt
  return $status
}
export -f samples
export folder

if [ -x "$folder/plugin/matmul" ]; then
  step "samples" 150 bash -c samples
  if has triton; then
    step "samples beside Triton, torch and cuBLAS" 240 "$python" bench/compare.py "$folder"
  else
    leave "samples beside Triton, torch and cuBLAS" "$python has no torch and Triton"
  fi
else
  leave "samples" "$folder/plugin has no programs, and there is no clang++-22 to build them"
fi
if [ -x "$folder/shapes" ] && has triton; then
  step "GEMMs of language models beside cuBLAS and Triton" 330 "$python" \
    bench/shapes/compare.py "$folder/shapes"
else
  leave "GEMMs of language models" "they need $folder/shapes (built with cuBLAS), torch and Triton"
fi
if has tessera && has torch; then
  step "softmax from Python beside torch" 40 "$python" samples/python/softmax.py 4096 4096
  step "matmul from Python, tuned" 60 "$python" samples/python/matmul.py 4096 4096 4096
  step "attention beside torch and flex_attention" 100 "$python" samples/python/attention.py \
    4 16 4096 128
  step "several GPUs beside torch and NCCL" 200 env PYTHON="$python" \
    PROGRAMS="$folder/distributed" bash samples/distributed/run.sh
else
  leave "kernels from Python, several GPUs" "$python has no tessera and torch"
fi
if [ -n "${TILEGYM-}" ]; then
  step "TileGym's GEMMs beside NVIDIA's tile compiler" 80 "$python" bench/tilegym.py run \
    "$TILEGYM" tessera nvidia
else
  leave "TileGym's GEMMs beside NVIDIA's tile compiler" "TILEGYM names no folder"
fi

for each in "${left[@]}"; do echo "left out: $each"; done
echo "== $((SECONDS - start)) s"
echo "$passed passed, $failed failed, ${#left[@]} left out"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
