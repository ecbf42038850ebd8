#!/usr/bin/env bash
# Makes the site, static pages in build/site/html, where scripts/setup.sh has run: docs, samples,
# the reference of the API, measurements with plots. Open index.html; nothing needs a server. Sphinx
# comes from PyPI into build/site-python, the first time alone.
#
# usage: scripts/site.sh [--few]      --few: pages of explain for few programs, which is quicker
set -euo pipefail
cd "$(dirname "$0")/.."
build=${TESSERA_BUILD:-build}
packages=(sphinx==9.0.4 myst-parser==5.2.0 furo==2025.12.19 websockets==15.0.1)
python=$build/site-python/bin/python
if [ "$(cat "$build/site-python/packages" 2>/dev/null)" != "${packages[*]}" ]; then
  rm -rf "$build/site-python"
  python3 -m venv "$build/site-python"
  "$python" -m pip install -q --disable-pip-version-check "${packages[@]}"
  echo "${packages[*]}" >"$build/site-python/packages"
fi
"$python" docs/site/build.py --output "$build/site" --tessera "$build/bin/tessera" "$@"
echo "the site is in $build/site/html"
