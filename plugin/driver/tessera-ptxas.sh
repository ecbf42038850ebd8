#!/bin/sh
# ptxas without its advice about generated kernels, on which no user can act. Clang's driver starts
# ptxas itself, so the plugin cannot filter it: clang++ -fplugin=libtessera.so
# --ptxas-path=tessera-ptxas. All arguments are ptxas's. CompilerReport.cpp defines advice and
# generated kernels.
set -u

# The message if there is none; wording as in plugin/support/Messages.def.
no_ptxas="no ptxas found by TESSERA_PTXAS, CUDA_HOME, CUDA_PATH or PATH, or in /usr/local/cuda"

first_of() {
  for candidate; do
    command -v "$candidate" && return
  done
}
if [ -n "${TESSERA_PTXAS-}" ]; then
  ptxas=$(first_of "$TESSERA_PTXAS")
else
  # The toolkit of a build tree is beside this folder, where the compiler finds it, too.
  own=$(dirname "$(dirname "$(readlink -f "$0")")")/cuda
  ptxas=$(first_of "${CUDA_HOME:+$CUDA_HOME/bin/ptxas}" "${CUDA_PATH:+$CUDA_PATH/bin/ptxas}" \
    "$own/bin/ptxas" ptxas /usr/local/cuda/bin/ptxas)
fi
if [ -z "$ptxas" ]; then
  echo "tessera-ptxas: $no_ptxas" >&2
  exit 2
fi

exec 3>&1
said=$("$ptxas" "$@" 2>&1 >&3)
status=$?
printf '%s\n' "$said" | sed '/^$/d; /^ptxas .*(C[0-9].*7tessera7kernels/d' >&2
exit "$status"
