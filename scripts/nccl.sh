#!/usr/bin/env bash
# Puts NCCL (header and library) from PyPI into the build's folder, for the C++ samples of
# samples/distributed on a machine that has none (194 MB to download). Prints its folder; does
# nothing where it is there.
#
# usage: scripts/nccl.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath -m "${1:-build}")
version=2.28.9
folder=$build/nccl/$version/nvidia/nccl
exec 9>"$build/nccl.lock"
flock 9 # of two that ask at once, one takes it
if [ ! -e "$folder/lib/libnccl.so.2" ]; then
  rm -rf "$build/nccl" "$build/nccl.part"
  "$build/python/bin/python" -m pip install -q --disable-pip-version-check --no-deps \
    --target "$build/nccl.part" "nvidia-nccl-cu13==$version" >&2
  mkdir "$build/nccl"
  mv "$build/nccl.part" "$build/nccl/$version"
fi
echo "$folder"
