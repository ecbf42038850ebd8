#!/bin/sh
# Starts clangd 22 with Tessera in it. An editor runs this in place of clangd; all words are
# clangd's, but for --help.
set -u

program=$(readlink -f "$0")
library=${program%/*}/../lib/libtessera_clangd.so

# What it says where it cannot start; wording as in plugin/support/Messages.def, %s are arguments.
no_library="the library %s is missing; install Tessera again"
cannot_run="cannot run TESSERA_CLANGD=%s"
no_clangd="clangd 22 is required%s; on Debian: apt install clangd-22"
other_version="; %s is version %s"

fail() {
  text=$1
  shift
  # shellcheck disable=SC2059
  printf "tessera-clangd: $text\n" "$@" >&2
  exit 2
}

if [ "${1-}" = --help ]; then
  cat <<'END'
OVERVIEW: clangd 22 with the checks of CUDA Tile C++, for editors

USAGE: tessera-clangd [options of clangd]

Starts clangd 22 with Tessera's checks: it reports errors of tile code, with fixes, in the files of
compile_commands.json (with commands of CMake, Clang or nvcc). An editor runs it in place of clangd.
clangd --help lists the options.

ENVIRONMENT:

  TESSERA_CLANGD   the clangd to start (default: clangd-22, or a clangd of version 22)

EXIT STATUS:

  2 if clangd 22 was not found; otherwise the status of clangd
END
  exit 0
fi

[ -f "$library" ] || fail "$no_library" "$library"

# The plugin is for the Clang of one version.
version_of() {
  "$1" --version 2>/dev/null | sed -n 's/.*clangd version \([0-9]*\).*/\1/p'
}

if [ -n "${TESSERA_CLANGD-}" ]; then
  candidates=$TESSERA_CLANGD
else
  candidates="clangd-22 clangd /usr/lib/llvm-22/bin/clangd"
fi
seen=
for candidate in $candidates; do
  path=$(command -v "$candidate") || continue
  version=$(version_of "$path")
  if [ "$version" = 22 ]; then
    # The library takes itself out of the environment again.
    TESSERA_CLANGD_PRELOAD=${LD_PRELOAD-}
    LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD}
    export LD_PRELOAD TESSERA_CLANGD_PRELOAD
    exec "$path" "$@"
  fi
  # shellcheck disable=SC2059
  seen=$seen$(printf "$other_version" "$path" "${version:-unknown}")
done
if [ -n "${TESSERA_CLANGD-}" ] && [ -z "$seen" ]; then
  fail "$cannot_run" "$TESSERA_CLANGD"
fi
fail "$no_clangd" "$seen"
