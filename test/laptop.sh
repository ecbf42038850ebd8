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
passed=0 failed=0

check() { # WHAT EXPECTED COMMAND
  local said
  said=$(inside "$3" 2>&1 || true)
  if grep -qE "$2" <<<"$said"; then
    passed=$((passed + 1))
    echo "passed: $1"
  else
    failed=$((failed + 1))
    printf 'FAILED: %s\n%s\n' "$1" "$said"
  fi
}
inside() {
  chroot "$folder" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 bash -c "cd /laptop && $1"
}
install() {
  inside "apt-get -q install -y --no-install-recommends $*" >>"$folder/laptop/log" 2>&1
}

command -v debootstrap >/dev/null || apt-get -q install -y debootstrap >/dev/null
ninja -C "$build" tileiras-static >/dev/null
"$build/python/bin/python" -m pip wheel "$PWD" --no-build-isolation --no-deps -q \
  -w "$build/laptop" "-Ccmake.define.TESSERA_BUILD=$build" "-Cbuild-dir=$build/wheel"

[ ! -e "$folder/dev/null" ] || umount "$folder/dev" "$folder/proc" 2>/dev/null || true
rm -rf --one-file-system "$folder"
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
debootstrap --variant=minbase bookworm "$folder" "$mirror" >/dev/null
# What lets the package clients reach what they reach here.
cp -L /etc/resolv.conf /etc/hosts "$folder/etc/"
cp /etc/apt/sources.list.d/debian.sources "$folder/etc/apt/sources.list.d/"
rm -f "$folder/etc/apt/sources.list"
mkdir -p "$folder/laptop" "$folder/usr/local/share/ca-certificates"
cp /usr/local/share/ca-certificates/*.crt "$folder/usr/local/share/ca-certificates/" 2>/dev/null ||
  true
if [ -e /etc/pip.conf ]; then cp /etc/pip.conf "$folder/etc/"; fi
mount -t proc proc "$folder/proc"
mount --bind /dev "$folder/dev"
trap 'umount "$folder/dev" "$folder/proc"' EXIT

cp "$build"/laptop/tessera-*.whl test/cutile/samples.py "$folder/laptop/"
sed -n '/^```python$/,/^```$/p' docs/user/cutile.md | sed '1d;$d' >"$folder/laptop/softmax.py"
inside "apt-get -q update" >"$folder/laptop/log" 2>&1
install ca-certificates python3 python3-venv
inside "python3 -m venv venv && venv/bin/pip install -q cuda-tile numpy tessera-*.whl" \
  >>"$folder/laptop/log" 2>&1

run="venv/bin/python -m tessera.cutile"
check "says that Clang is missing" "apt install clang-22 lld-22" "$run softmax.py"
install clang-22 lld-22
check "softmax" "^True" "$run softmax.py"
check "softmax by the emulator" "^True" "$run --target=emulate softmax.py"
check "a product" "^product True" "$run samples.py"
check "attention" "^attention True" "$run samples.py"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
