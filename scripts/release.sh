#!/usr/bin/env bash
# Makes a release of the commit that is checked out, from clean clones of it:
#
#   scripts/release.sh [OPTION...]
#
#   --output FOLDER    where the artefacts go (default: build/release/VERSION)
#   --work FOLDER      where clones are built (default: build/release/work); one that has this commit
#                      already is built on, an older one is made anew
#   --twice            builds a second clone in another folder, without ccache, and compares bytes
#   --skip-tests       does not try the artefacts on bare Debian 12 and Ubuntu 24.04, which needs root
#   --machines FOLDER  where these are kept (default: build/release/machines)
#   --key KEY          signs SHA256SUMS with this key of gpg (default: its first one, if it has one)
#
# Artefacts are the wheel, the Debian package, the archive, the source archive, the bill of
# materials (SPDX), the notes out of CHANGELOG.md, and SHA256SUMS. Their files have the time of the
# commit.
# Without the tag of the version on this commit the result is a rehearsal, whose notes are those of
# the section Unreleased. docs/internals/releasing.md has the rest.
#
# Exit status: 0; 1 when a step, a test or the comparison failed; 2 for wrong usage.
set -euo pipefail
cd -P "$(dirname "$0")/.."
repository=$PWD
version=$(sed -n 's/.*_VERSION_STRING "\(.*\)"/\1/p' runtime/include/tessera/version.h)
output=$repository/build/release/$version work=$repository/build/release/work
machines=$repository/build/release/machines
twice='' tests=1 key=''

say() { echo "== $*"; }
fail() {
  echo "release.sh: $2" >&2
  exit "$1"
}

while [ $# -gt 0 ]; do
  case $1 in
  --output | --work | --machines | --key)
    [ $# -gt 1 ] || fail 2 "$1 needs a word after it"
    if [ "$1" = --key ]; then key=$2; else printf -v "${1#--}" %s "$(realpath -m "$2")"; fi
    shift
    ;;
  --twice) twice=1 ;;
  --skip-tests) tests= ;;
  --help)
    sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//; p}' scripts/release.sh
    exit 0
    ;;
  *) fail 2 "'$1' is no option; --help lists them" ;;
  esac
  shift
done

[ -z "$(git status --porcelain --untracked-files=no)" ] ||
  fail 1 "files are changed; a release is of a commit"
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
# dpkg-shlibdeps drops dependencies that others imply, in the order of Perl's hashes.
export SOURCE_DATE_EPOCH LANG=C.UTF-8 TZ=UTC PERL_HASH_SEED=0
umask 022
is_release=
if [ -n "$(git tag --points-at HEAD "v$version")" ]; then is_release=1; fi
changes_of() { # SECTION
  awk -v section="$1" '/^## /{ inside = $2 == section; next } inside' CHANGELOG.md
}
if [ -n "$is_release" ] && [ -n "$(changes_of Unreleased | tr -d '[:space:]')" ]; then
  fail 1 "CHANGELOG.md has changes under Unreleased; those of a release stand under its version"
fi
python3 test/version.py >/dev/null || fail 1 "versions differ: python3 test/version.py says where"

# A clone of the commit in a folder, and all packages of it in FOLDER/build/packages.
build_in() { # FOLDER
  if [ "$(git -C "$1" rev-parse HEAD 2>/dev/null)" != "$commit" ]; then
    rm -rf "${1:?}"/* "${1:?}"/.git*
    mkdir -p "$1"
    git clone -q "$repository" "$1"
    git -C "$1" checkout -q --detach "$commit"
  fi
  (
    cd -P "$1"
    say "building $PWD"
    bash scripts/setup.sh
    rm -rf build/packages
    mkdir -p build/packages
    say "the archive"
    bash scripts/tarball.sh build/packages
    say "the wheel"
    bash scripts/wheel.sh build/packages
    say "the Debian package"
    (cd build && cpack -G DEB -B "$PWD/deb" >deb.log) || fail 1 "cpack failed: $PWD/build/deb.log"
    cp build/deb/*.deb build/packages/
    say "the source archive"
    git archive --format=tar --prefix="tessera-$version/" "$commit" | xz -T1 -6 \
      >"build/packages/tessera-$version-source.tar.xz"
    cd build/packages
    python3 ../../scripts/sbom.py "tessera-$version.spdx.json" ./*.{whl,deb,xz}
  )
}

# What people read: what is new, and how the artefacts are installed and checked.
write_notes() {
  local section=$version
  if [ -z "$is_release" ]; then section=Unreleased; fi
  echo "# Tessera $version"
  [ -n "$is_release" ] || printf '\nA rehearsal: commit %s has no tag v%s.\n' "$commit" "$version"
  cat <<END

## Install

| on | |
|---|---|
| Linux with glibc 2.28, Python 3.9 to 3.13 | \`pip install $(cd "$output" && echo *.whl)\` |
| Linux with glibc 2.28 | \`tar -xJf $(cd "$output" && echo *-linux-*.xz)\`, and its \`bin\` on PATH |
| Debian 12 with clang-22 | \`apt-get install ./$(cd "$output" && echo *.deb)\` |

\`sha256sum --check SHA256SUMS\` checks what was loaded.

## What is new
END
  changes_of "$section"
}

# SHA256SUMS of all, signed where there is a key.
sign() {
  (
    cd "$output"
    rm -f SHA256SUMS*
    sha256sum -- * >"$work/SHA256SUMS"
    mv "$work/SHA256SUMS" .
    if [ -z "$key" ] && command -v gpg >/dev/null; then
      key=$(gpg --list-secret-keys --with-colons 2>/dev/null | awk -F: '/^fpr/{ print $10; exit }')
    fi
    if [ -n "$key" ]; then
      gpg --batch --yes --local-user "$key" --armor --detach-sign SHA256SUMS
      say "SHA256SUMS is signed with $key"
    else
      say "SHA256SUMS is not signed: gpg has no secret key; --key names one"
    fi
  )
}

test_artefacts() {
  mkdir -p "$work/main/build/wheels"
  rm -f "$work"/main/build/wheels/*
  cp "$output"/*.whl "$work/main/build/wheels/"
  (
    cd "$work/main"
    bash test/bare_wheel.sh "$machines" bookworm noble
    bash test/packages.sh "$machines" "$output"
  )
}

say "Tessera $version of commit $commit${is_release:+, tag v$version}"
mkdir -p "$work" "$output"
build_in "$work/main"
rm -rf "${output:?}"/*
cp "$work"/main/build/packages/* "$output/"
if [ -n "$twice" ]; then
  CCACHE_DISABLE=1 build_in "$work/again/in-another-folder"
  for file in "$work"/main/build/packages/*; do
    cmp "$file" "$work/again/in-another-folder/build/packages/${file##*/}" ||
      fail 1 "two builds differ in ${file##*/}"
    say "equal bytes: ${file##*/}"
  done
fi
write_notes >"$output/NOTES.md"
sign
if [ -n "$tests" ]; then test_artefacts; else say "left out: the tests on bare machines"; fi
ls -l "$output"
