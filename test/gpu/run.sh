#!/usr/bin/env bash
# One command on a machine with a GPU: runs what test/gpu/build.sh built. Samples by both routes
# over a list of sizes, the run-time programs, compute-sanitizer, then the figures beside Triton,
# torch and cuBLAS. Needs a driver; the sanitizer, torch and Triton where there are.
#
#   test/gpu/run.sh [FOLDER [OUT]]      default: build-gpu, the same folder; OUT gets log.txt and
# bench.txt
set -uo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-build-gpu}
out=${2:-$folder}
passed=0 failed=0
mkdir -p "$out"
exec > >(tee "$out/log.txt") 2>&1

# verdict NAME COMMAND...: runs it with a limit; the last line of output, up to its numbers, says
# what came out.
verdict() {
  local name=$1 output status
  shift
  output=$(timeout 120 "$@" 2>&1)
  status=$?
  if [ $status = 0 ]; then
    passed=$((passed + 1))
    echo "passed  $name: $(tail -n 1 <<<"$output" | sed 's/ ~.*//')"
  else
    failed=$((failed + 1))
    local why
    why=$(grep -iE 'error|wrong' <<<"$output" | head -n 3 || tail -n 3 <<<"$output")
    echo "FAILED  $name: exit status $status: $why"
  fi
}

# sanitize TOOL PROGRAM SIZES...: one run under compute-sanitizer.
sanitize() {
  local tool=$1 output
  shift
  output=$(timeout 300 "$sanitizer" --tool "$tool" --error-exitcode 9 "$@" 2>&1)
  local status=$?
  local refusal='not supported|unable to|failed to (initialize|attach)|insufficient permission'
  if grep -qiE "$refusal" <<<"$output" && [ $status != 9 ]; then
    echo "refused $tool $*: $(grep -iE "$refusal" <<<"$output" | head -n 1)"
  elif [ $status = 0 ]; then
    passed=$((passed + 1))
    echo "clean   $tool $*: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' <<<"$output" | tail -n 1)"
  else
    failed=$((failed + 1))
    echo "FAILED  $tool $*: exit status $status"
    tail -n 15 <<<"$output"
  fi
}

echo "== $(nvidia-smi --query-gpu=name,driver_version,power.limit --format=csv,noheader)"
echo "== samples"
while read -r name sizes; do
  for route in plugin nvcc; do
    # shellcheck disable=SC2086
    verdict "$route $name $sizes" "$folder/$route/$name" $sizes
  done
done <test/gpu/sizes.txt

echo "== run-time programs"
for program in "$folder"/run/*; do
  [ -x "$program" ] && verdict "$(basename "$program")" "$program"
done

echo "== architectures and libraries"
for route in plugin fat ptx80; do
  verdict "matmul, $route" "$folder/architectures/$route" 256 128 192
done
# A round takes a second or two: the driver unloads a module when nothing runs.
for route in plugin nvcc; do
  cp "$folder/loading/$route-library" "$folder/loading/$route-library.2"
  verdict "launches while libraries are loaded, $route" "$folder/loading/$route-main" \
    "$folder/loading/$route-library" "$folder/loading/$route-library.2" -n 20
done

echo "== units compiled apart"
verdict "SIMT and tile files by -dc" "$folder/mixed/program"

echo "== images"
verdict "cubin, block 1" "$folder/images/main" "$folder/images/kernels.cubin" contract
verdict "cubin, as it says" "$folder/images/main" "$folder/images/kernels.cubin" constant
verdict "PTX, as it says" "$folder/images/main" "$folder/images/kernels.ptx" constant
verdict "PTX, block 1 is an error" "$folder/images/main" "$folder/images/kernels.ptx" wrong
if python3 -c 'import cuda.bindings.driver' 2>/dev/null; then
  for image in cubin ptx; do
    PYTHONPATH=runtime/python verdict "$image by Python" python3 test/gpu/images/launch.py \
      "$folder/images/kernels.$image"
  done
else
  echo "no cuda.bindings here"
fi

echo "== compute-sanitizer"
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -n "$sanitizer" ]; then
  for tool in memcheck racecheck; do
    sanitize $tool "$folder/plugin/vector_add" 4097
    sanitize $tool "$folder/plugin/transpose" 130 67
    sanitize $tool "$folder/plugin/softmax" 31 1000
    sanitize $tool "$folder/plugin/layer_norm" 31 1001
    sanitize $tool "$folder/plugin/layer_norm_backward" 31 1001
    sanitize $tool "$folder/plugin/cross_entropy" 7 9001
    sanitize $tool "$folder/plugin/matmul" 256 128 192
    sanitize $tool "$folder/plugin/matmul" 129 257 100
  done
else
  echo "no compute-sanitizer here"
fi

echo "== figures"
if python3 -c 'import torch, triton' 2>/dev/null; then
  python3 bench/compare.py "$folder" | tee "$out/bench.txt"
else
  echo "no torch and Triton here"
fi
python3 bench/cub/compare.py "$folder" | tee -a "$out/bench.txt"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
