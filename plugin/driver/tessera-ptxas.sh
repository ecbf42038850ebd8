#!/bin/sh
# ptxas without its advice about generated kernels, on which no user can act. Clang's driver starts
# ptxas itself, so the plugin cannot filter it: clang++ -fplugin=libtessera.so
# --ptxas-path=tessera-ptxas. All arguments are ptxas's. CompilerReport.cpp defines advice and
# generated kernels.
set -u

# The message if there is none; wording as in plugin/support/Messages.def.
no_ptxas="no ptxas found by TESSERA_PTXAS, CUDA_HOME, CUDA_PATH or PATH, or in /usr/local/cuda"

if [ -n "${TESSERA_PTXAS-}" ]; then
  candidates=$TESSERA_PTXAS
else
  candidates="${CUDA_HOME:+$CUDA_HOME/bin/ptxas} ${CUDA_PATH:+$CUDA_PATH/bin/ptxas} ptxas
              /usr/local/cuda/bin/ptxas"
fi
ptxas=
for candidate in $candidates; do
  [ -n "$ptxas" ] || ptxas=$(command -v "$candidate")
done
if [ -z "$ptxas" ]; then
  echo "tessera-ptxas: $no_ptxas" >&2
  exit 2
fi

exec 3>&1
said=$("$ptxas" "$@" 2>&1 >&3)
status=$?
printf '%s\n' "$said" | sed '/^$/d; /^ptxas .*(C[0-9].*7tessera7kernels/d' >&2
exit "$status"
