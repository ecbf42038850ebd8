#!/bin/sh
# Compiles a text that begins with a header of the runtime's; the header is precompiled for all
# texts of a run, by who comes first.
#
# usage: precompiled.sh FILE.pch HEADER COMPILER FLAGS... -- FILES...
set -e
pch=$1 header=$2
shift 2
flags=
while [ "$1" != -- ]; do
  flags="$flags $1"
  shift
done
shift
if [ ! -e "$pch" ]; then
  mkdir -p "$(dirname "$pch")"
  (
    flock 9
    if [ ! -e "$pch" ]; then
      echo "#include <$header>" >"$pch.h"
      $flags -fpch-instantiate-templates -x c++-header "$pch.h" -o "$pch.part"
      mv "$pch.part" "$pch"
    fi
  ) 9>"$pch.lock"
fi
exec $flags -include-pch "$pch" -x c++ "$@"
