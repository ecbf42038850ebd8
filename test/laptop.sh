#!/usr/bin/env bash
# Programs of cuTile Python on a laptop: a bare Debian 12 in a folder, without a driver, a toolkit,
# a compiler or LLVM. The wheel of this build with its packages of PyPI, `pip install cuda-tile
# numpy`, and Clang 22 of Debian when the message has asked for it: softmax of docs/user/cutile.md,
# a product and attention. Needs root, the registries of packages and 1.5 GB; takes minutes.
#
#   test/laptop.sh FOLDER      (made anew)
#
# Ends with 'N passed, N failed'.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:?usage: test/laptop.sh FOLDER}
build=$PWD/build
source test/bare_machine.sh

install() {
  inside "apt-get -q install -y --no-install-recommends $*" >>"$folder/trial/log" 2>&1
}

ninja -C "$build" tileiras-static >/dev/null
"$build/python/bin/python" -m pip wheel "$PWD" --no-build-isolation --no-deps -q \
  -w "$build/laptop" "-Ccmake.define.TESSERA_BUILD=$build" "-Cbuild-dir=$build/wheel"

[ ! -e "$folder/dev/null" ] || umount "$folder/dev" "$folder/proc" 2>/dev/null || true
rm -rf --one-file-system "$folder"
make_machine "$folder" bookworm ca-certificates,python3,python3-venv
trap leave_machine EXIT
cp /etc/apt/sources.list.d/debian.sources "$folder/etc/apt/sources.list.d/"
rm -f "$folder/etc/apt/sources.list"

cp "$build"/laptop/tessera_tile-*.whl test/cutile/samples.py "$folder/trial/"
sed -n '/^```python$/,/^```$/p' docs/user/cutile.md | sed '1d;$d' >"$folder/trial/softmax.py"
inside "apt-get -q update" >"$folder/trial/log" 2>&1
inside "python3 -m venv venv && venv/bin/pip install -q cuda-tile numpy tessera_tile-*.whl" \
  >>"$folder/trial/log" 2>&1

run="venv/bin/python -m tessera.cutile"
check "says that Clang is missing" "apt install clang-22 lld-22" "$run softmax.py"
install clang-22 lld-22
check "softmax" "^True" "$run softmax.py"
check "softmax by the emulator" "^True" "$run --target=emulate softmax.py"
check "a product" "^product True" "$run samples.py"
check "attention" "^attention True" "$run samples.py"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
