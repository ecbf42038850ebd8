"""Precompiles the runtime's headers for the usual GPUs into the bundle, so that the first kernel
after an installation does not wait for them: frontend/parse/ShippedHeaders.cpp unpacks them. Each
GPU more takes 4 MB, as its form is compressed together with the others'.

usage: precompile.py BUNDLE CUDA
"""

import os
import pathlib
import subprocess
import sys
import tempfile

# What an A100 has, an RTX 3090, an RTX 4090, an H100, a B200, and an RTX 5090.
ARCHITECTURES = "sm_80,sm_86,sm_89,sm_90a,sm_100a,sm_120a"

bundle, cuda = map(pathlib.Path, sys.argv[1:])
target = bundle / "share/tessera/precompiled"
target.mkdir(parents=True, exist_ok=True)

environment = {**os.environ, "CUDA_HOME": str(cuda)}
environment.pop("SOURCE_DATE_EPOCH", None)  # an option of Clang's, which a user's kernel lacks

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name).resolve()
    program = folder / "program.cu"
    program.write_text("#include <cuda_tile.h>\n__tile_global__ void kernel(int *p) { *p = 1; }\n")
    subprocess.run(
        [bundle / "bin/tessera", "build", "--target=gpu", f"--arch={ARCHITECTURES}", program]
        + ["-o", folder / "program.so"],
        env={**environment, "TESSERA_SHIPPED_HEADERS": str(folder)},
        check=True,
    )
    packs = {"gpu": [], "host": []}
    for facts in sorted(folder.glob("*.facts")):
        files, names, _ = facts.read_text().split("\n\n", 2)
        if "tessera/simt.cuh" in names.splitlines():
            roots = {line.split()[2].split("/")[0] for line in files.splitlines()}
            assert roots == {"tessera", "cuda"}, roots
            packs[facts.stem.split("-")[0]].append(facts)
    assert len(packs["gpu"]) == len(ARCHITECTURES.split(",")) and len(packs["host"]) == 1
    index = []
    for pack, forms in packs.items():
        parts, rows = [], []
        for facts in forms:
            sizes = [file.stat().st_size for file in (facts, facts.with_suffix(".pch"))]
            rows.append([facts.stem.split("-")[1], pack, sum(map(len, parts)), *sizes])
            parts += [facts.read_bytes(), facts.with_suffix(".pch").read_bytes()]
        whole = b"".join(parts)
        index += [[*row, len(whole)] for row in rows]
        (target / pack).write_bytes(
            subprocess.run(
                ["zstd", "-q", "-9", "--long=27", "--single-thread", "-c"],
                input=whole,
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
        )
(target / "index").write_text("".join(" ".join(map(str, row)) + "\n" for row in index))
