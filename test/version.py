#!/usr/bin/env python3
"""The version stands in runtime/include/tessera/version.h alone (docs/internals/releasing.md): its
string is its numbers, the newest release in CHANGELOG.md has it, and so has a tag of this commit.
CMake, the tools, the extension module and the wheel take it from there; what those of a build
folder say is compared, too.

usage: version.py [BUILD]
Prints the places that differ, then 'N passed, N failed'.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "runtime/include/tessera/version.h"


def found(file, pattern):
    match = re.search(pattern, file.read_text(), re.M)
    return match.group(1) if match else "no version"


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def of_sources():
    """(place, version) of what people write."""
    numbers = [found(HEADER, rf"_{part} (\d+)$") for part in ("MAJOR", "MINOR", "PATCH")]
    yield "the numbers of version.h", ".".join(numbers)
    yield "the newest release of CHANGELOG.md", found(
        ROOT / "CHANGELOG.md", r"^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$"
    )
    if (ROOT / ".git").exists():
        tags = said("git", "-C", ROOT, "tag", "--points-at", "HEAD", "v[0-9]*").split()
        yield from ((f"the tag {tag}", tag.removeprefix("v")) for tag in tags)


def of_build(build):
    """(place, version) of what is built, which takes it from the header."""
    yield "CMake's package", found(build / "TesseraTileConfigVersion.cmake", r'_VERSION "(.*)"\)')
    for tool in ("tessera", "tessera-nvcc", "tileiras"):
        shown = said(build / "bin" / tool, "--version")
        match = re.search(r"[Tt]essera(?:-nvcc)? (\d+[.\d]*)", shown)
        yield f"{tool} --version", match.group(1) if match else "no version"
    if (build / "python-package").is_dir():
        sys.path.insert(0, str(build / "python-package"))
        import tessera

        yield "tessera.__version__", tessera.__version__
    manual = build / "share/man/man1/tessera.1"
    yield "the manual", found(manual, r"^\.TH.*Tessera (\d+[.\d]*)")


def main():
    version = found(HEADER, r'_STRING "(.*)"$')
    places = list(of_sources())
    if len(sys.argv) > 1:
        places += of_build(pathlib.Path(sys.argv[1]))
    wrong = [(place, has) for place, has in places if has != version]
    for place, has in wrong:
        print(f"{place}: {has}, but {HEADER.relative_to(ROOT)} says {version}")
    print(f"{len(places) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
