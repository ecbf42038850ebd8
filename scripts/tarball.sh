#!/usr/bin/env bash
# Makes the archive that can be unpacked anywhere, tessera-VERSION-linux-x86_64.tar.xz: the bundle
# (plugin/bundle) with the package for CMake, manual pages and completions. Where scripts/setup.sh
# has run:
#
#   scripts/tarball.sh [FOLDER]      into build/packages unless a folder is named
#
# Files have the time of SOURCE_DATE_EPOCH, else of the commit.
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../build/packages}")
cd "$(dirname "$0")/.."
build=$PWD/build
version=$(sed -n 's/.*_VERSION_STRING "\(.*\)"/\1/p' runtime/include/tessera/version.h)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

ninja -C "$build" all bundle
name=tessera-$version root=$build/tarball/tessera-$version
rm -rf "$build/tarball"
mkdir -p "$root/lib" "$folder"
cp -a "$build/bundle" "$root/lib/tessera"
rm "$root"/lib/tessera/_tessera.*.so 2>/dev/null || true # of the wheel
mv "$root/lib/tessera/licenses" "$root/"
# What belongs to the programs of the bundle, too, is made with the others.
cmake -DCMAKE_INSTALL_PREFIX="$build/tarball/installed" -P "$build/cmake_install.cmake" >/dev/null
cp -r "$build/tarball/installed/lib/cmake" "$root/lib/tessera/lib/"
cp -r "$build"/tarball/installed/share/{man,bash-completion,zsh,fish} "$root/lib/tessera/share/"
bash cmake/package/layout.sh "$root"
cp LICENSE README.md CHANGELOG.md "$root/"
chmod -R u+rwX,go+rX,go-w "$root"

tar -C "$build/tarball" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" \
  --format=gnu -c "$name" | xz -T1 -6 >"$folder/$name-linux-x86_64.tar.xz.part"
mv "$folder/$name-linux-x86_64.tar.xz.part" "$folder/$name-linux-x86_64.tar.xz"
ls -l "$folder/$name-linux-x86_64.tar.xz"
