#!/usr/bin/env bash
# Makes a folder that runs the Python package on a machine with a GPU and no compiler (run.sh): the
# package as pip installs it there, the tests that are marked gpu, the samples, and every kernel of
# theirs, compiled.
#
#   test/gpu/python/build.sh [FOLDER]   default: build-gpu-python; PYTHON names one of the version
# there, TESSERA_BUILD the build folder
set -euo pipefail
cd "$(dirname "$0")/../../.."
folder=$(realpath -m "${1:-build-gpu-python}")
build=$(realpath "${TESSERA_BUILD:-build}")
python=${PYTHON:-python3}
rm -rf "$folder"
mkdir -p "$folder"/{bin,recorded}

"$python" -m pip wheel -q --disable-pip-version-check --no-deps -w "$folder" . \
  "-Ccmake.define.TESSERA_BUILD=$build" "-Cbuild-dir=$build/wheel-gpu"
"$python" -m zipfile -e "$folder"/tessera_tile-*.whl "$folder/site"
rm -r "$folder"/tessera_tile-*.whl "$folder"/site/tessera/{bin,lib,include}
cp test/gpu/python/recorded.py "$folder/bin/tessera"
cp test/gpu/python/run.sh "$folder/"
cp -r python/tests "$folder/tests"
cp -r samples/python "$folder/samples"
cp samples/attention.cu samples/attention_backward.cu samples/*.h "$folder/"

# Kernels that are operators of torch are compiled where their tests have torch.
bash test/libraries.sh "$build"

# Tests end where they launch; their kernels are compiled by then.
export RECORD_WITH=$build/bin/tessera TESSERA_PROGRAM=$folder/bin/tessera
export PYTHONPATH=$build/python-package PYTHONDONTWRITEBYTECODE=1
TESSERA_TEST_COMPILES_FOR_GPU=1 "$build/python/bin/python" -m pytest -q -p no:cacheprovider \
  -m gpu "$folder/tests" >"$folder/recorded.log" 2>&1 || true
"$build/python/bin/python" - "$folder/samples" <<'END'
import ast, pathlib, sys, tempfile, os
import tessera

folder = pathlib.Path(sys.argv[1]).parent

def constant(name, file):
    for node in ast.parse((pathlib.Path(sys.argv[1]) / file).read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return ast.literal_eval(node.value)

with tempfile.TemporaryDirectory() as cache:
    os.environ["TESSERA_PYTHON_CACHE_DIR"] = cache
    tiles = constant("CONFIGS", "matmul.py")["gpu"]
    names = {
        "softmax.py": ["softmax<1024>", "softmax<4096>"],
        "matmul.py": ["matmul<__half, %d, %d, %d>" % tile for tile in tiles],
        "layer_norm.py": ["forward<256>", "backward<256>", "forward<1024>", "backward<1024>"],
    }
    for file, kernels in names.items():
        for kernel in kernels:
            tessera.compile(constant("SOURCE", file), kernel, target="gpu")
    only = ("-DKERNELS_ONLY",)
    for depth, rows, step in ((64, 64, 128), (128, 128, 64)):
        kernel = f"attention<{rows}, 128, {depth}, form<true, true, false>>"
        tessera.compile(folder / "attention.cu", kernel, target="gpu", options=only)
        for kernel in (
            f"forward<128, 64, {depth}, true>",
            f"preprocess<128, {depth}>",
            f"gradients_of_keys<{step}, 128, {depth}, true>",
            f"gradients_of_queries<128, 64, {depth}, true>",
        ):
            tessera.compile(folder / "attention_backward.cu", kernel, target="gpu", options=only)
END

cuda=$(sed -n 's/^TESSERA_CUDA_PATH:[A-Z]*=//p' "$build/CMakeCache.txt")
clang++-22 -O3 -std=c++20 -x cuda --cuda-gpu-arch=sm_90a --cuda-path="$cuda" \
  -Wno-unknown-cuda-version -fplugin="$build/lib/libtessera.so" -Iruntime/include \
  test/numerics/complex.cu -o "$folder/complex" -L"$cuda/lib64" -lcudart_static -ldl -lrt \
  -lpthread -static-libstdc++ -static-libgcc
du -sh "$folder"
