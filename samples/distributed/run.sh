#!/usr/bin/env bash
# Runs the samples for several GPUs, and prints a table: the time of all ranks, of one, and of
# torch's own kernels and collectives in the same run. In Python by torchrun, with NCCL, or where
# there is no GPU on the CPU with Gloo; in C++ where there is a GPU, as one process and as one for
# each GPU. Ends with 'N passed, N failed'.
#
# usage: samples/distributed/run.sh [N]      ranks; by default all GPUs, or 2 on the CPU
#   PYTHON     the Python that has torch and tessera (python3)
#   PROGRAMS   the folder of the C++ samples (build/distributed); those that are not there are
#              compiled by build.sh
# Of the machine this needs Tessera's package and torch alone; the C++ samples, where they are to be
# compiled, also nvcc.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
python=${PYTHON:-python3}
gpus=$(find /dev -maxdepth 1 -name 'nvidia[0-9]*' | wc -l)
count=${1:-$((gpus > 0 ? gpus : 2))}
if ! [[ $count =~ ^[1-9][0-9]*$ ]]; then
  echo "run.sh: '$count' is no number of ranks" >&2
  exit 2
fi
export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
passed=0 failed=0 rows=()

verdict() { # NAME COMMAND...
  local name=$1 output status
  shift
  output=$(timeout 400 "$@" 2>&1)
  status=$?
  if [ $status = 0 ] && grep -q ' us   one rank ' <<<"$output"; then
    passed=$((passed + 1))
    echo "passed  $name"
    grep -v ' us   one rank ' <<<"$output" | grep '^    '
    while read -r row; do rows+=("$row"); done < <(grep ' us   one rank ' <<<"$output")
  else
    failed=$((failed + 1))
    echo "FAILED  $name: exit status $status"
    grep -m 1 '^error: ' <<<"$output" # torchrun lists all ranks behind it
    tail -n 30 <<<"$output"
  fi
}

echo "== $count ranks on $([ "$gpus" -gt 0 ] && echo GPUs || echo the CPU)"
torchrun=("$python" -m torch.distributed.run --standalone --nproc-per-node "$count")
for run in tensor_parallel ring_attention 'ring_attention full' data_parallel; do
  read -r name words <<<"$run"
  # shellcheck disable=SC2086
  verdict "$name.py${words:+ $words}" "${torchrun[@]}" "samples/distributed/$name.py" $words
done

if [ "$gpus" -gt 0 ]; then
  programs=${PROGRAMS:-build/distributed}
  of_python='import nvidia.nccl; print(*nvidia.nccl.__path__)'
  nccl=${NCCL_HOME:-$("$python" -c "$of_python" 2>/dev/null)}
  export LD_LIBRARY_PATH=${nccl:+$nccl/lib:}${LD_LIBRARY_PATH-}
  if [ ! -x "$programs/data_parallel" ]; then bash samples/distributed/build.sh "$programs"; fi
  for name in tensor_parallel ring_attention data_parallel; do
    verdict "$name, one process" "$programs/$name" --gpus="$count"
    verdict "$name, a process for each GPU" "$programs/$name" --gpus="$count" --processes
  done
else
  echo "left out: the C++ samples, which need a GPU"
fi

echo
printf '%s\n' "${rows[@]}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
