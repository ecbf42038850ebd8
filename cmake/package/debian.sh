#!/usr/bin/env bash
# What Debian asks of a package besides its files (Debian Policy 12): copyright, change logs,
# compressed manual pages, the folders of its shells. Runs in the source tree. Files get the time of
# SOURCE_DATE_EPOCH, where that is set.
#
#   cmake/package/debian.sh ROOT VERSION MAINTAINER
set -euo pipefail
root=$1 version=$2 maintainer=$3
documents=$root/share/doc/tessera epoch=${SOURCE_DATE_EPOCH:-$(date +%s)}
umask 022

gzip -9n "$root"/share/man/man1/*.1
mv "$root/share/zsh/site-functions" "$root/share/zsh/vendor-completions"
mkdir -p "$documents" "$root/share/lintian/overrides"
cp cmake/package/copyright "$documents/copyright"
cp cmake/package/lintian-overrides "$root/share/lintian/overrides/tessera"
gzip -9n <CHANGELOG.md >"$documents/changelog.gz"
gzip -9n >"$documents/changelog.Debian.gz" <<END
tessera ($version) unstable; urgency=medium

  * Version ${version%-*}: changelog.gz says what is new.

 -- $maintainer  $(LC_ALL=C date -u -d "@$epoch" '+%a, %d %b %Y %H:%M:%S +0000')
END
# Headers are executable nowhere, and no Python file is a program.
find "$root" -type f \( -name '*.py' -o -path '*/include/*' \) -exec chmod 644 {} +
find "$root" -exec touch --no-dereference --date="@$epoch" {} +
