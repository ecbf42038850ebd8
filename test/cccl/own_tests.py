#!/usr/bin/env python3
"""CCCL's own test of its transform of tiles, compiled by tessera-nvcc as CCCL's build would.

usage: own_tests.py CCCL CATCH2 OUTPUT [--arch sm_90a] [--launchers 0,1,2]

CCCL, CATCH2: checkouts. The test's source, its helpers (c2h) and Catch2 are compiled into OUTPUT,
which need not be empty: what lies there is not made again. OUTPUT/cub.test.device.transform_tile.*
are the programs, one for each launcher: 0 calls on the host, 1 on the device, 2 captures a graph.
They need a GPU and nothing else, and end as programs of Catch2 do.
"""

import argparse
import pathlib
import subprocess
import sys

from transform import flags_of, nvcc

HELPERS = ["catch2_runner", "catch2_runner_helper", "generators", "generators_gen_values"]
HELPERS += ["generators_uniform_offsets", "generators_vector"]
TEST = "cub/test/catch2_test_device_transform_tile.cu"


def build_catch2(source, output):
    library = output / "src/libCatch2.a"
    if library.exists():
        return library
    configure = ["cmake", "-S", source, "-B", output, "-DCMAKE_CXX_STANDARD=20"]
    configure += ["-DCATCH_INSTALL_DOCS=OFF"]
    subprocess.run([*map(str, configure)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(output), "--target", "Catch2"], check=True)
    return library


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cccl", type=pathlib.Path)
    parser.add_argument("catch2", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--launchers", default="0,1,2", type=lambda text: text.split(","))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    catch2 = options.output / "catch2"
    library = build_catch2(options.catch2, catch2)
    folders = [options.cccl / "c2h/include", options.cccl / "c2h", options.cccl / "cub/test"]
    folders += [options.catch2 / "src", catch2 / "generated-includes"]
    flags = [*flags_of(options.cccl), *(f"-I{folder}" for folder in folders)]
    flags += ["-DCATCH_CONFIG_PREFIX_ALL", "-DC2H_HAS_CURAND=0"]

    def compile_to(target, *words):
        if not target.exists() and nvcc(options.arch, *flags, *words, "-c", "-o", target):
            sys.exit(f"{target.name} does not compile")
        return target

    helpers = []
    for name in HELPERS:
        helpers.append(compile_to(options.output / f"{name}.o", options.cccl / f"c2h/{name}.cu"))
    for launcher in options.launchers:
        name = f"cub.test.device.transform_tile.lid_{launcher}"
        relocatable = ["-rdc=true"] if launcher == "1" else []
        words = ["--enable-tile", "-DCCCL_ENABLE_ASSERTIONS", f"-DTEST_LAUNCH={launcher}"]
        test = compile_to(options.output / f"{name}.o", *words, *relocatable, options.cccl / TEST)
        link = [*relocatable, test, *helpers, library, "-o", options.output / name]
        if nvcc(options.arch, *link):
            sys.exit(f"{name} does not link")
    return 0


if __name__ == "__main__":
    sys.exit(main())
