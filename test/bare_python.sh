#!/usr/bin/env bash
# The Python package as a user of a bare machine gets it, for test/chroot.sh:
#
#   test/chroot.sh FOLDER test/bare_python.sh
#
# builds, installs with `pip install .` into a fresh venv, and from there runs what
# docs/user/python.md shows, and the program of docs/user/cutile.md with cuda-tile of PyPI; then
# its wheel in another venv, with the checkout moved away. Ends with the time of a cold import,
# which is to be at most 0.3 s.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD
[ -x build/bin/tessera ] || bash scripts/setup.sh
work=$(mktemp -d)
moved=
cleanup() {
  if [ -n "$moved" ]; then mv "$moved" "$checkout"; fi
  rm -rf "$work"
}
trap cleanup EXIT

fresh_venv() { # VENV WHAT
  python3 -m venv "$1"
  "$1/bin/pip" install -q --disable-pip-version-check "$2" numpy cuda-tile
}
# The pages' lines, and what is said of where the package is.
shown() { # VENV
  cp python/tests/test_docs.py docs/user/python.md docs/user/cutile.md "$work/" 2>/dev/null || true
  (
    cd "$work"
    env -u PYTHONPATH "$1/bin/python" -c '
import pathlib, sys, tessera
package = pathlib.Path(tessera.__file__).parent
assert package.is_relative_to(sys.prefix), package
assert pathlib.Path(tessera.tool.program()).is_relative_to(sys.prefix), tessera.tool.program()
sys.path.insert(0, ".")
import test_docs
test_docs.PAGE = pathlib.Path("python.md")
test_docs.run_page()
print("docs/user/python.md: as it says, with", package)
page = pathlib.Path("cutile.md").read_text()
pathlib.Path("softmax.py").write_text(page.split("```python\n")[1].split("```")[0])'
    env -u PYTHONPATH "$1/bin/python" -m tessera.cutile --target=emulate softmax.py | grep True
  )
}

fresh_venv "$work/first" .
shown "$work/first"
"$work/first/bin/pip" wheel -q --no-deps -w "$work" .
moved=$checkout.moved
mv "$checkout" "$moved"
cd "$work"
fresh_venv "$work/second" "$work"/tessera_tile-*.whl
rm -rf "$work/first"
TESSERA_PYTHON_CACHE_DIR=$work/cache shown "$work/second"
"$work/second/bin/python" - <<'END'
import subprocess, sys, time
def seconds():
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import tessera"], check=True)
    return time.perf_counter() - start
times = sorted(seconds() for _ in range(5))
print(f"import tessera, with Python's own start: {times[0]:.2f} to {times[-1]:.2f} s")
assert times[0] <= 0.3, times
END
