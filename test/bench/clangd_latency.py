#!/usr/bin/env python3
"""Time from an edit to its diagnostics in tessera-clangd, beside clangd without Tessera.

usage: clangd_latency.py [--build FOLDER] [--edits N] [--most RATIO] [FILE.cu]

Both servers have the same file open, with CUDA's headers and the same command; the edits, inside of
a kernel, alternate between them; clangd's wait for more typing is part of each. Prints the medians
and their ratio; with --most it fails where the ratio is greater.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "clangd"))
import client  # noqa: E402

OPTIONS = ["--background-index=false", "--clang-tidy=false", "--log=error"]
QUIET = "Index:\n  StandardLibrary: No\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--cuda", default=ROOT / "build/cuda")
    parser.add_argument("--edits", type=int, default=15)
    parser.add_argument("--most", type=float)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=ROOT / "samples/matmul.cu")
    options = parser.parse_args()
    text = options.file.read_text()
    with tempfile.TemporaryDirectory(prefix="tessera-latency-") as folder:
        folder = pathlib.Path(folder)
        file = folder / options.file.name
        command = (
            f"clang++-22 -x cuda -std=c++20 --cuda-path={options.cuda} --offload-arch=sm_90a "
            f"-Wno-unknown-cuda-version -Wno-unknown-attributes -Wno-ignored-attributes "
            f"-isystem {ROOT}/runtime/include -I{options.file.resolve().parent} -c {file}"
        )
        file.write_text(text)
        (folder / ".clangd").write_text(QUIET)
        entry = {"directory": str(folder), "file": str(file), "command": command}
        (folder / "compile_commands.json").write_text(json.dumps([entry]))
        programs = ["clangd-22", str(options.build.resolve() / "bin" / "tessera-clangd")]
        servers = [
            client.Server([program, *OPTIONS], folder, folder / f"{number}.log")
            for number, program in enumerate(programs)
        ]
        first, times = [], ([], [])
        for server in servers:
            start = time.monotonic()
            server.open(file)
            server.diagnostics(file)
            first.append(time.monotonic() - start)
        for number in range(options.edits):
            for server, column in zip(servers, times):
                start = time.monotonic()
                server.change(file, text.replace("int row", f"int unused{number} = 0;\n  int row"))
                server.diagnostics(file)
                column.append(time.monotonic() - start)
        for server in servers:
            server.close()
    medians = [statistics.median(column) for column in times]
    ratio = medians[1] / medians[0]
    print(f"first look: {first[0]:.2f} s clangd, {first[1]:.2f} s tessera-clangd")
    print(f"after an edit: {medians[0]:.3f} s clangd, {medians[1]:.3f} s tessera-clangd, "
          f"{ratio:.2f} times")
    return options.most is not None and ratio > options.most


if __name__ == "__main__":
    sys.exit(main())
