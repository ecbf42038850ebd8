#!/usr/bin/env python3
"""Tessera as Compiler Explorer runs it: integrations/compiler-explorer.

Each command runs in namespaces of its own: a file system that is read-only except for one empty
folder, no network, an environment of PATH alone (no HOME, no cache), and 10 seconds of one
processor. Asked are the version, the generated code with the lines of the program, the exit status
of a wrong program, and the tools. The properties name what they refer to.

usage: compiler_explorer.py --tessera PROGRAM --cuda FOLDER
Prints what is wrong, then 'N passed, N failed'.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from report import report

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "integrations/compiler-explorer"
SECONDS = 10  # of a processor; the machine may have other work

PROGRAM = """#include <cuda_tile.h>
#include <cstdio>
namespace ct = cuda::tiles;
__tile_global__ void twice(const float *from, float *to) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(to + i, ct::load(from + i) * 2.0f);
}
int main() {
  float *from, *to;
  cudaMallocManaged(&from, 256);
  cudaMallocManaged(&to, 256);
  for (int i = 0; i < 64; ++i)
    from[i] = i;
  twice<<<1, 1>>>(from, to);
  cudaDeviceSynchronize();
  std::printf("%g\\n", to[21]);
}
"""
WRONG = PROGRAM.replace("2.0f", "2.0")

# In the namespaces: everything is read-only, then one folder is new, and the rest is the command.
SANDBOX = r"""
set -eu
mount --make-rprivate /
folder=$1
shift
cut -d' ' -f5 /proc/self/mountinfo | while read -r place; do
  mount -o remount,bind,ro "$place" 2>/dev/null || :
done
mount -t tmpfs tmpfs "$folder"
cp -r "$folder.files/." "$folder"
cd "$folder"
if touch "$1/written" 2>/dev/null; then echo "the sandbox is writable" >&2; exit 99; fi
shift
ulimit -t "$1"
shift
status=0
"$@" || status=$?
echo "exit status $status"
for file in example.cpp; do if [ -e "$file" ]; then echo "== $file"; cat "$file"; fi; done
"""


class Sandbox:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        folder.mkdir()
        self.files = folder.with_name(folder.name + ".files")
        self.files.mkdir()
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        self.enter = ["unshare", *user, "--mount", "--net", "--ipc", "sh", "-c", SANDBOX, "sh"]

    def run(self, *words, program=PROGRAM):
        """(exit status, standard output and what was written, standard error)"""
        (self.files / "example.cu").write_text(program)
        explorer = [str(HERE / "tessera-explorer"), *words]
        command = [*self.enter, str(self.folder), str(ROOT), str(SECONDS)]
        environment = ["env", "-i", "PATH=/usr/bin:/bin", f"TESSERA_PROGRAM={self.options.tessera}"]
        done = subprocess.run(
            [*command, *environment, *explorer], capture_output=True, text=True, check=False
        )
        status = re.search(r"^exit status (\d+)$", done.stdout, re.M)
        if not status:
            raise SystemExit(f"the sandbox failed: {done.stdout}{done.stderr}")
        return int(status[1]), done.stdout, done.stderr


def properties(path):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    pairs = [line.partition("=") for line in lines]
    return {key: value for key, _, value in pairs}


def faults_of_properties(path):
    """What the file refers to and does not have; keys that stand twice."""
    known = properties(path)
    keys = re.findall(r"^([\w.]+)=", path.read_text(), re.M)
    yield from (f"{key} is there twice" for key in set(keys) if keys.count(key) > 1)
    compilers = []
    for group in known["compilers"].split(":"):
        compilers += known.get(f"group.{group.lstrip('&')}.compilers", "").split(":")
    wanted = [f"compiler.{one}.{key}" for one in compilers for key in ("exe", "name", "options")]
    of_tools = ("exe", "name", "type", "class", "exclude", "options", "stdinHint")
    wanted += [f"tools.{one}.{key}" for one in known["tools"].split(":") for key in of_tools]
    for one in known["libs"].split(":"):
        versions = known.get(f"libs.{one}.versions", "?").split(":")
        wanted += [f"libs.{one}.versions.{version}.path" for version in versions]
    yield from (f"{key} is missing" for key in wanted if key not in known)
    yield from (f"'{one}' ends with a blank" for one in known.values() if one != one.strip())


def checks(sandbox, cuda):
    """(what holds, does it?, what was seen)"""
    faults = list(faults_of_properties(HERE / "cuda.local.properties"))
    yield "the properties are whole", not faults, faults
    toolkit = f"--cuda-path={cuda}"

    status, out, err = sandbox.run("--version")
    yield "the version is printed", status == 0 and re.search(r"^tessera \d", out, re.M), out + err

    status, out, err = sandbox.run(toolkit, "--arch=sm_90a", "example.cu")
    text = out.partition("== example.cpp\n")[2]
    yield "the code is written beside the program", status == 0 and "__global__" in text, out + err
    lines = re.findall(r"^\s*#line.*", text, re.M)
    named = [line for line in lines if re.fullmatch(r'\s*#line \d+ "[^"]+"', line)]
    yield "each #line names a file", lines and lines == named, lines
    place = re.search(r'#line (\d+) "example.cu"\n[^#]*?store', text)
    yield "the store is of line 6", place and place[1] == "6", text

    status, out, err = sandbox.run("-g", "-o", "example.cpp", "-S", toolkit, "example.cu")
    yield "-g -o FILE -S is understood", status == 0 and "__global__" in out, out + err

    status, out, err = sandbox.run(toolkit, "example.cu", program=WRONG)
    place = "example.cu:6:40: error: '*' of tile<float, 64> and double"
    yield "a wrong program is refused", status == 1 and place in err, f"{status} {err}"
    yield "and leaves no code", "== example.cpp" not in out, out

    status, out, err = sandbox.run("--tool=explain", toolkit, "example.cu")
    yield "explain says decisions", status == 0 and "example.cu:4:22: remark: twice:" in err, err

    status, out, err = sandbox.run("--tool=emulate", toolkit, "example.cu")
    yield "the emulator runs the program", status == 0 and "42\n" in out, f"{status} {out}{err}"

    status, out, err = sandbox.run("--tool=sing", "example.cu")
    yield "another tool is refused", status == 2 and "explain and emulate" in err, err


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", required=True)
    parser.add_argument("--cuda", required=True)
    options = parser.parse_args()
    options.tessera = os.path.abspath(options.tessera)
    with tempfile.TemporaryDirectory(prefix="tessera-") as scratch:
        sandbox = Sandbox(options, pathlib.Path(scratch) / "box")
        return report("compiler_explorer.py", checks(sandbox, os.path.realpath(options.cuda)))


if __name__ == "__main__":
    sys.exit(main())
