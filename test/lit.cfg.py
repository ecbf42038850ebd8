# Tests with a RUN line: one rule each, in a comment above the smallest program that shows it.
#
# %tessera, %tessera-opt, %tessera-nvcc, %tileiras
#                          the tools
# %clang_tile              device pass of stock Clang over a .cu file with our header
# %clang_plugin            the same with the plugin
# %clang_host              host pass with the plugin
# %clang_passes            every pass with the plugin
# %clang_emulate           builds emitted kernels for the emulator: %clang_emulate TEXT %emulator -o
#                          PROGRAM
# %clang_cpu               builds the text of a CPU's program
# %clang_threads           builds the text of a CPU's program for ThreadSanitizer
# %clang_c                 builds a C program that runs with the libraries of %libraries
# %cuda, %src, %build      the toolkit; the roots of the source tree and of the build tree
# FileCheck, not, split-file, count are LLVM's.
#
# Only `lit -Dlong=1`, which test/nightly.sh starts, runs what is long: tests with REQUIRES: long,
# and lines with %if long %{ %}. Such a line shows in another way what a shorter one of its test
# does.
import os
import shutil
import subprocess

import lit.formats

config.name = "tessera"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".mlir", ".ll", ".test"]
config.excludes = ["Inputs", "bench", "cccl", "faults", "fuzz", "gpu", "gym", "numerics", "probes"]
config.excludes += ["mistakes", "run"]
config.test_source_root = os.path.join(config.source_root, "test")
config.test_exec_root = os.path.join(config.build_root, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.build_root, "bin"), config.llvm_tools, os.environ["PATH"]]
)
config.environment["TESSERA_VERIFY"] = "1"
# Precompiled headers of this run alone: most are asked for once, and a form is made when that
# happens again.
cache = os.path.join(config.test_exec_root, "cache")
shutil.rmtree(cache, ignore_errors=True)
config.environment["TESSERA_CACHE_DIR"] = cache
for variable in ("HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CCACHE_DIR"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

include = os.path.join(config.source_root, "runtime", "include")
language = (
    f"-std=c++20 --cuda-path={config.cuda} -Wno-unknown-cuda-version -Wno-unknown-attributes "
    f"-Wno-ignored-attributes -I{include}"
)
library = os.path.join(config.build_root, "lib")
clang = f"{config.llvm_tools}/clang++ -x cuda {language}"
plugin = f"-fplugin={config.build_root}/lib/libtessera.so"
sanitizer = ""
if config.is_sanitized:
    # The plugin is instrumented, Clang is not: see plugin/driver/Sanitizers.cpp.
    runtime = subprocess.check_output(
        [f"{config.llvm_tools}/clang++", "-print-file-name=libclang_rt.asan-x86_64.so"], text=True
    ).strip()
    sanitizer = f"env LD_PRELOAD={runtime} ASAN_OPTIONS=allow_user_poisoning=0:detect_leaks=0 "
config.substitutions += [
    ("%tessera-opt", f"{config.build_root}/bin/tessera-opt"),
    ("%tessera-nvcc", f"{config.build_root}/bin/tessera-nvcc"),
    ("%tileiras", f"{config.build_root}/bin/tileiras"),
    ("%tessera", f"{config.build_root}/bin/tessera"),
    ("%clang_tile", f"{clang} --cuda-device-only --cuda-gpu-arch=sm_90a"),
    ("%clang_plugin", f"{sanitizer}{clang} --cuda-device-only --cuda-gpu-arch=sm_90a {plugin}"),
    ("%clang_passes", f"{sanitizer}{clang} {plugin}"),
    ("%clang_host", f"{sanitizer}{clang} --cuda-host-only --cuda-gpu-arch=sm_90a {plugin}"),
    (
        "%clang_emulate",
        f"sh {config.source_root}/test/precompiled.sh {cache}/emulate.pch tessera/simt.cuh "
        f"{config.llvm_tools}/clang++ -std=c++20 -O0 -w -ffp-contract=off -DTESSERA_EMULATE "
        f"-DTESSERA_SIMT=1 -isystem {include} -isystem {config.cuda}/include --",
    ),
    (
        "%clang_cpu",
        f"{config.llvm_tools}/clang++ -std=c++20 -w -ffp-contract=off -isystem {include} "
        f"-isystem {config.cuda}/include -x c++",
    ),
    (
        "%clang_threads",
        f"{config.llvm_tools}/clang++ -std=c++20 -O1 -g -w -fsanitize=thread -isystem {include} "
        f"-isystem {config.cuda}/include -x c++",
    ),
    (
        "%clang_c",
        f"{config.llvm_tools}/clang -std=c11 -Wall -Wextra -Werror -pedantic -D_GNU_SOURCE "
        f"-pthread -Wl,-rpath,{library}",
    ),
    ("%libraries", library),
    (
        "%emulator",
        f"-x none {library}/libtessera_emulate.a {library}/libtessera_cpu.a "
        f"-lboost_context -lpthread -ldl",
    ),
    ("%build", config.build_root),
    ("%cuda", config.cuda),
    ("%src", config.source_root),
]
config.available_features.add(
    "cuda" if os.path.exists(os.path.join(config.cuda, "bin", "ptxas")) else "no-cuda"
)
if os.path.exists(os.path.join(config.cuda, "bin", "nvcc")):
    config.available_features.add("nvcc")
if shutil.which("cmake") and shutil.which("ninja"):
    config.available_features.add("cmake")
if any(name[6:].isdigit() for name in os.listdir("/dev") if name.startswith("nvidia")):
    config.available_features.add("gpu")
if lit_config.params.get("long"):
    config.available_features.add("long")
if config.is_sanitized:
    config.available_features.add("sanitized")
