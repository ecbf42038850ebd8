#!/usr/bin/env python3
"""Makes a folder of generated kernels that a machine with a GPU and the CUDA toolkit can judge.

usage: gpu.py FOLDER [--seed NAME] [--first I] [--kernels N] [--batch N] [--compile] [--tessera ...]

Kernels that the CPU cannot run, or that are refused, are left out and told. The folder holds the
emitted text, the headers it includes, what the CPU printed, and gpu_run.py, which compiles the text
(unless --compile did so here, with nvcc for sm_90a) and compares. It needs Python and nothing else
of this tree:

    python3 FOLDER/gpu_run.py [--jobs N] [--minutes M]
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import sys
import tempfile

import gpu_run
from build import HERE, ROOT, Tools
from grammar.program import make_kernel
from run import Batch, language_of, parser_of


# nvcc's own text for the host has unsigned char where a kernel has char8_t, and does not compile:
# kernels with such pointers are left out, instances of templates too.
PARAMETER_OF_CHAR8 = re.compile(r"__tile_global__ void \w+\([^)]*char8_t|\bk\d+<[^<>]*char8_t")


class Maker(Batch):
    """A batch whose text for the GPU and output of the CPU are kept."""

    def make(self, folder):
        """Kernels that were left out, with their faults."""
        for programs, part in self.stage(list(self.kernels), self.build):
            outputs = self.compare(programs, part)
            text = programs["cpu"].with_suffix(".gpu.cu")
            shutil.copy(text, folder / "texts" / f"{text.name.split('.')[0]}.cu")
            expected = "\n".join(line for n in part if n in outputs for line in outputs[n])
            (folder / "expected" / f"{text.name.split('.')[0]}.out").write_text(expected + "\n")
        for file in self.tools.scratch.glob(f"{self.name}_*"):
            file.unlink()
        return self.faults


def main():
    parser = parser_of(__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", default="gpu")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kernels", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    for part in ("texts", "expected"):
        (options.folder / part).mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "runtime/include", options.folder / "include", dirs_exist_ok=True)
    shutil.copy(HERE / "fuzz.h", options.folder / "include")
    shutil.copy(HERE / "gpu_run.py", options.folder)
    made, language = 0, language_of(options)
    with tempfile.TemporaryDirectory(prefix="tessera-fuzz") as scratch:
        tools = Tools(options, scratch)
        tools.precompiled("cpu", tools.host_flags("cpu"))

        def one(first):
            last = min(first + options.batch, options.first + options.kernels)
            kernels = [make_kernel(options.seed, i, language) for i in range(first, last)]
            taken = [(k.name, k) for k in kernels if not PARAMETER_OF_CHAR8.search(k.text())]
            batch = Maker(f"b{first}", taken, tools, ["cpu", "gpu"])
            return len(taken), batch.make(options.folder)

        firsts = range(options.first, options.first + options.kernels, options.batch)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for count, faults in pool.map(one, firsts):
                made += count - len(faults)
                for name, fault in sorted(faults.items()):
                    print(f"left out {options.seed}/{name}: {fault}", flush=True)
    print(f"{made} kernels in {options.folder}")
    if options.compile:
        return gpu_run.compile_all(options.folder, options.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
