"""Copies the C library's headers, and those of the kernel that they include, into a folder.

    plugin/bundle/c_headers.py FOLDER

They are those of Debian's packages libc6-dev and linux-libc-dev, unchanged.
"""

import pathlib
import re
import shutil
import subprocess
import sys

MACHINE = "x86_64-linux-gnu"


def headers_of(package):
    """Below /usr/include, by that name."""
    listed = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True, check=True)
    root = pathlib.Path("/usr/include")
    files = (pathlib.Path(line) for line in listed.stdout.splitlines())
    return {
        str(file.relative_to(root)): file
        for file in files
        if root in file.parents and file.is_file()
    }


def main(folder):
    chosen = headers_of("libc6-dev")
    kernels = headers_of("linux-libc-dev")
    waiting = list(chosen.values())
    while waiting:
        text = waiting.pop().read_text(errors="replace")
        for name in re.findall(r'#\s*include\s*[<"]([^>"]+)[>"]', text):
            for key in (name, f"{MACHINE}/{name}"):
                if key in kernels and key not in chosen:
                    chosen[key] = kernels[key]
                    waiting.append(kernels[key])
    for name, file in chosen.items():
        copy = pathlib.Path(folder) / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, copy)


main(sys.argv[1])
