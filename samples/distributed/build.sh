#!/usr/bin/env bash
# Compiles the C++ samples for several GPUs, on a machine with or without one, by tessera-nvcc.
#
# usage: samples/distributed/build.sh FOLDER      programs and logs go there
#   TESSERA_ARCH   the GPU (sm_90a)
#   NCCL_HOME      a folder with include/nccl.h and lib/libnccl.so.2; else that of the Python that
#                  PYTHON names (nvidia.nccl), else scripts/nccl.sh takes it from PyPI
set -euo pipefail
folder=$(realpath -m "${1:?usage: samples/distributed/build.sh FOLDER}")
cd "$(dirname "$0")"
root=$(realpath ../..)
export PATH=$root/build/bin:$PATH
of_python='import nvidia.nccl; print(*nvidia.nccl.__path__)'
nccl=${NCCL_HOME:-$("${PYTHON:-python3}" -c "$of_python" 2>/dev/null || "$root/scripts/nccl.sh")}
mkdir -p "$folder"
for program in tensor_parallel ring_attention data_parallel; do
  if ! tessera-nvcc -O3 -std=c++20 -arch="${TESSERA_ARCH:-sm_90a}" -I"$nccl/include" "$program.cu" \
    -o "$folder/$program" -L"$nccl/lib" -l:libnccl.so.2 -Xlinker "-rpath=$nccl/lib" \
    -Xcompiler -static-libstdc++,-static-libgcc >"$folder/$program.log" 2>&1; then
    cat "$folder/$program.log" >&2
    exit 1
  fi
done
