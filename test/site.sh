#!/usr/bin/env bash
# Makes the site, with few pages of explain, and holds it against docs/site/check.py; then sees that
# the check finds faults that are planted. Takes Chromium from Debian where there is none.
#
# usage: site.sh BUILD      Ends with 'N passed, N failed'.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
if ! command -v chromium >/dev/null; then
  apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  [ "$(id -u)" = 0 ] || apt=(sudo "${apt[@]}")
  "${apt[@]}" install -y --no-install-recommends chromium >"$build/chromium.log" 2>&1
fi
TESSERA_BUILD=$build scripts/site.sh --few
site=$build/site/html python=$build/site-python/bin/python
status=0
said=$("$python" docs/site/check.py "$site") || status=$?

# A link that leads nowhere, and an error on the console of all pages.
cp "$site/index.html" "$site/_static/site.js" "$build/site"
echo '<a href="nowhere.html">' >>"$site/index.html"
echo 'console.error("planted");' >>"$site/_static/site.js"
found=$("$python" docs/site/check.py "$site" --pages index.html) || true
mv "$build/site/index.html" "$site"
mv "$build/site/site.js" "$site/_static"
echo "$said"
for fault in "index.html: 'nowhere.html' leads nowhere" "index.html at 390 pixels: ['planted']"; do
  if ! grep -qF "$fault" <<<"$found"; then
    echo "the check does not find what is planted: $fault"
    echo "$found"
    echo "0 passed, 1 failed"
    exit 1
  fi
done
tail -n 1 <<<"$said"
exit "$status"
