#!/usr/bin/env bash
# What a package shows of the tree in ROOT/lib/tessera, which `cmake --install` or the bundle has
# filled: programs in ROOT/bin, manual pages and completions in ROOT/share, and the package for
# CMake where find_package looks. The tree stays together, since the programs find headers and
# libraries beside their own folder; its clang++ and ld.lld, which would hide the machine's, are not
# shown.
#
#   cmake/package/layout.sh ROOT      the Debian package's is /usr, in its staging folder
set -euo pipefail
root=$1 tree=$1/lib/tessera

mkdir -p "$root/bin" "$root/share" "$root/lib/cmake/TesseraTile"
for program in tessera tessera-nvcc tessera-clangd; do
  [ ! -e "$tree/bin/$program" ] || ln -s "../lib/tessera/bin/$program" "$root/bin/$program"
done
for shown in man bash-completion zsh fish; do
  mv "$tree/share/$shown" "$root/share/"
done
config=lib/cmake/TesseraTile/TesseraTileConfig
for part in '' Version; do
  # shellcheck disable=SC2016
  printf 'include("${CMAKE_CURRENT_LIST_DIR}/../../tessera/%s%s.cmake")\n' "$config" "$part" \
    >"$root/$config$part.cmake"
done
