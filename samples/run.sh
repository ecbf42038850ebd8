#!/usr/bin/env bash
# Installs what is missing, builds, and runs every sample: on the GPU if there is one, else on the
# CPU. Prints a table.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh

if [ -e /dev/nvidia0 ]; then
  target=gpu
  runs=("vector_add 268435456" "transpose 8192" "softmax 16384 4096" "layer_norm 16384 4096"
    "rms_norm 16384 4096" "layer_norm_backward 16384 4096" "softmax_backward 16384 4096"
    "cross_entropy 4096 32000" "cross_entropy 1024 131072" "rope 8192 32 128"
    "activations 8192 11008" "dropout 134217728" "adamw 300 2000000" "quantize 16384 4096"
    "embedding 16384 4096 32000"
    "matmul 4096" "transposed_matmul 4096" "persistent_matmul 4096" "fp8_matmul 8192"
    "batched_matmul 64 1024" "grouped_matmul 64 4096" "linear 8192 4096 4096"
    "dequant_matmul 64 8192 8192" "attention 2 64 64 1024 1024" "attention 2 64 8 1000 1100 causal"
    "attention_backward 1 16 1024 1024 128" "fp8_attention 16 1024" "mla_prefill 1 16 1024 1024"
    "mla_decode 32 16 4096" "decode 32 8 8 8192" "paged_decode 32 8 8 8192 128 16"
    "sum 268435456" "scan 268435456" "histogram 268435456" "gather_scatter 65536 1024"
    "segmented_sum 1048576 100" "segmented_sum 65536 3000" "top_k 65536 1024" "top_k 16384 4096"
    "sort 268435456 65536 256")
else
  target=cpu
  runs=("vector_add 16777216" "transpose 2048" "softmax 4096 1024" "layer_norm 4096 1024"
    "rms_norm 4096 1024" "layer_norm_backward 4096 1024" "softmax_backward 4096 1024"
    "cross_entropy 128 32000" "rope 1024 32 128" "activations 4096 1024" "dropout 4194304" "adamw"
    "quantize 4096 1024" "embedding 4096 1024 1000"
    "matmul 512" "matmul 512 512 512 f32" "transposed_matmul 256" "persistent_matmul 512"
    "fp8_matmul 256" "batched_matmul 4 128" "grouped_matmul 4 128" "linear 256" "dequant_matmul"
    "attention" "attention_backward" "fp8_attention" "mla_prefill" "mla_decode" "decode"
    "paged_decode" "sum" "scan" "histogram" "gather_scatter 1024" "segmented_sum 4096" "top_k 512"
    "sort 262144 512")
fi

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
