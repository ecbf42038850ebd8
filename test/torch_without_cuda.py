#!/usr/bin/env python3
"""Lets PyPI's torch for Linux be imported without the CUDA libraries that it names, which are 2 GB
more to download than it is: in their place are libraries with the functions that torch's own refer
to. Each returns 100, which CUDA's runtime calls cudaErrorNoDevice; so torch sees no GPU, and what
it does on the CPU calls none of them.

    python torch_without_cuda.py COMPILER      of C; the Python is that whose torch it is
"""

import collections
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

# The driver's library is asked for later, by parts that are for GPUs.
ABSENT = re.compile(r"lib(cu(?!da\.)|nv|nccl)")


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Needs:
    """What libraries refer to: other libraries, their symbols, the versions of these."""

    def __init__(self, libraries):
        self.libraries, self.versions = set(), {}
        self.symbols = collections.defaultdict(set)  # of a version
        own = set()
        for library in libraries:
            needed = re.findall(r"\(NEEDED\).*\[(.*)\]", said("readelf", "-d", library))
            self.libraries |= {name for name in needed if ABSENT.match(name)}
            needs = said("readelf", "-V", library).partition("'.gnu.version_r'")[2]
            for name, rest in re.findall(r"File: (\S+) .*((?:\n.*Name: .*)+)", needs):
                self.versions[name] = re.search(r"Name: (\S+)", rest)[1]
            for line in said("nm", "-D", library).splitlines():
                kind, symbol = line.split()[-2:]
                name, _, version = symbol.partition("@")
                if kind == "U":
                    self.symbols[version].add(name)
                else:
                    own.add(name)
        self.symbols[""] -= own

    def of(self, library):
        """The library's symbols. Those without a version may be of any library."""
        if version := self.versions.get(library):
            return self.symbols[version]
        return {name for name in self.symbols[""] if re.match("cu|nv|nccl", name)}


def main(compiler):
    (folder,) = importlib.util.find_spec("torch").submodule_search_locations
    folder = pathlib.Path(folder) / "lib"
    needs = Needs([file for file in folder.glob("*.so") if not ABSENT.match(file.name)])
    with tempfile.TemporaryDirectory() as temporary:
        script = pathlib.Path(temporary) / "versions"
        for library in needs.libraries:
            script.write_text(f"{needs.versions.get(library, '')} {{ global: *; }};")
            text = "".join(f"int {name}(void) {{ return 100; }}\n" for name in needs.of(library))
            command = [compiler, "-shared", "-fPIC", "-w", "-fno-builtin", "-nostdlib"]
            command += ["-x", "c", "-", "-o", folder / library]
            command += [f"-Wl,-soname,{library},--version-script={script}"]
            subprocess.run(command, input=text, text=True, check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
