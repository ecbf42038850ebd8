#!/usr/bin/env python3
"""The corpus of Tile IR bytecode through Tessera.

Reads and prints every module, and compares with what decode.py prints of it. Translates, plans and
emits every module. Makes an image of each kernel by NVRTC, where the toolkit has it. Runs the
kernels' newest versions under the emulator and as kernels of the CPU, against what their manifests
expect. Then reads mutated modules, none of which may end the reader but by an error. With --turn it
takes of each module the newest version and an older one, and makes a third of the images: others
each day.

usage: run.py --build FOLDER --cuda FOLDER [--jobs N] [--only NAME[,NAME...]] [--mutants N]
              [--turn]
Prints a line for each failure, and last 'N passed, N failed'.
"""

import argparse
import base64
import concurrent.futures
import ctypes
import datetime
import hashlib
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import arrays  # noqa: E402
import decode  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

PROLOGUE = """#define TESSERA_IMAGE 1
#include <tessera/simt.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
"""
PARTS = 6  # libraries of a form of the kernels, which are compiled side by side
# What Clang is told of the kernels.
FORMS = {
    "under the emulator": [],
    "on the CPU": ["-DTESSERA_WHOLE_TILES=1", "-fno-strict-aliasing"],
}
NUMBER = re.compile(r"-?\d+\.\d+(?:[eE][-+]?\d+)?")


class Failures(list):
    def __init__(self):
        super().__init__()
        self.passed = 0

    def add(self, name, problem):
        """Counts a test; a problem is None or what is wrong."""
        if problem is None:
            self.passed += 1
        else:
            self.append(name)
            print(f"FAILED {name}: {problem}", flush=True)


# ---- reading ----


def same_text(ours, theirs):
    """Decimal numbers may be written in several ways: they are compared as floats of 32 bits."""

    def plain(line):
        def number(found):
            value = float(found[0])
            is_large = abs(value) > 1e38
            return "large" if is_large else struct.pack("<f", value).hex()

        return NUMBER.sub(number, line)

    ours, theirs = ours.splitlines(), theirs.splitlines()
    for number, (x, y) in enumerate(zip(ours, theirs), 1):
        if x != y and plain(x) != plain(y):
            return f"line {number}: '{x}', but decode.py has '{y}'"
    return None if len(ours) == len(theirs) else f"{len(ours)} lines, not {len(theirs)}"


def check_text(tessera, path):
    run = subprocess.run([tessera, "tileir-dump", path], capture_output=True, text=True)
    if run.returncode:
        return run.stderr.strip()
    return same_text(run.stdout, decode.text(decode.read(path.read_bytes())) + "\n")


# ---- translating ----


def emit(tileiras, path, product):
    environment = os.environ | {"TESSERA_VERIFY": "1"}
    return subprocess.run(
        [tileiras, path, f"--emit={product}", "-o", "-", "--gpu-name", "sm_90"],
        capture_output=True, text=True, env=environment,
    )  # fmt: skip


def is_emitted(run):
    """What is wrong with a translation, or None."""
    if run.returncode or "undefined" in run.stdout:
        return f"status {run.returncode}: {run.stderr[:300].strip()}"
    return None


# ---- images ----


def runtime_compiler(options):
    """NVRTC 13 of the toolkit, or nothing: nvcc would take minutes for all kernels."""
    library = pathlib.Path(options.cuda) / "lib64/libnvrtc.so.13"
    return library if library.exists() else None


def check_image(options, library, path, symbol):
    environment = os.environ | {"CUDA_HOME": str(options.cuda), "TESSERA_NVRTC": str(library)}
    with tempfile.TemporaryDirectory() as folder:
        image = pathlib.Path(folder) / "image.cubin"
        run = subprocess.run(
            [options.build / "bin/tileiras", path, "-o", image, "--gpu-name", "sm_90"],
            capture_output=True, text=True, env=environment,
        )  # fmt: skip
        if run.returncode:
            return run.stderr[:400]
        has_symbol = symbol.encode() in image.read_bytes()
        return None if has_symbol else f"the image has no {symbol}"


def check_images(options, records, paths, failures):
    """Kernels that translate become images by NVRTC."""
    library = runtime_compiler(options)
    if options.turn:
        paths = dict(list(paths.items())[datetime.date.today().toordinal() % 3 :: 3])
    if not library:
        print("no NVRTC 13 in the toolkit: no images are made", flush=True)
        return
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        problems = pool.map(
            lambda case: check_image(options, library, paths[case], records[case]["symbol"]), paths
        )
        for case, problem in zip(paths, problems):
            failures.add(f"image of {case}", problem)


# ---- running ----


def launchers(text):
    """A C function NAME_launch for each kernel, as in a library for the emulator's driver."""
    names = re.findall(r"(\w+)_tessera\[\] = TESSERA_IMAGE_LAUNCH", text)
    return "".join(f'TESSERA_IMAGE_ENTRY({name}, "{name}")\n' for name in names)


def wrapped(case, text):
    """The text of a case in a namespace of its own, with its launchers."""
    start = text.index("namespace tessera::kernels {")
    body = text[start:].replace("namespace tessera::kernels {", "", 1)
    body = body[: body.rindex("} // namespace tessera::kernels")]
    return f"namespace tessera::kernels::case_{case} {{\n{body}\n{launchers(text)}}}\n"


def compile_part(options, folder, part, texts, flags):
    source, output = folder / f"part{part}.cpp", folder / f"part{part}.so"
    source.write_text(PROLOGUE + "".join(wrapped(case, text) for case, text in texts.items()))
    library = options.build / "lib"
    return output, subprocess.run(
        ["/usr/lib/llvm-22/bin/clang++", "-std=c++20", "-x", "c++", "-O1", *flags, "-w", "-fPIC",
         "-ffp-contract=off", "-DTESSERA_EMULATE", "-DTESSERA_SIMT=1",
         "-include", "tessera/emulate/cuda.h", "-isystem", f"{ROOT}/runtime/include",
         "-isystem", f"{options.cuda}/include", "-shared", "-Wl,-Bsymbolic", "-o", output, source,
         "-x", "none", library / "libtessera_emulate.a", library / "libtessera_cpu.a",
         "-lboost_context", "-lpthread", "-ldl"], capture_output=True, text=True,
    )  # fmt: skip


class Memory:
    """Buffers with the alignment that a manifest asks for."""

    def __init__(self):
        self.kept = []

    def put(self, data, alignment):
        raw = ctypes.create_string_buffer(len(data) + 512)
        at = -ctypes.addressof(raw) % 256 + (0 if alignment >= 16 else alignment)
        ctypes.memmove(ctypes.addressof(raw) + at, data, len(data))
        self.kept.append(raw)
        return ctypes.addressof(raw) + at


def parameter_bytes(parameter, record, memory, at):
    if parameter["kind"] == "pointer":
        return struct.pack("<Q", at[parameter["array"]])
    if parameter["kind"] == "list":
        by_name = {array["name"]: array for array in record["arrays"]}
        words = []
        for one in parameter["arrays"]:
            array = by_name.get(one["array"], one)
            words += [at[one["array"]], *one.get("shape", array["shape"])]
            words += one.get("strides", array["strides"])
        return struct.pack("<Q", memory.put(struct.pack(f"<{len(words)}q", *words), 16))
    return arrays.encode([parameter["value"]], parameter["kind"])


def difference(array, got, want, record):
    if got == want:
        return None
    pairs = zip(arrays.decode(got, array["type"]), arrays.decode(want, array["type"]))
    wrong = [
        (i, x, y)
        for i, (x, y) in enumerate(pairs)
        if not arrays.is_close(x, y, record["rtol"], record["atol"])
    ]
    if not wrong:
        return None
    i, x, y = wrong[0]
    return f"{array['name']}[{i}] is {x}, not {y}; {len(wrong)} are wrong"


def launch(library, record):
    """Runs in a process of its own: a kernel may end it."""
    memory, at, before = Memory(), {}, {}
    for array in record["arrays"]:
        data = arrays.encode(arrays.values(array["recipe"], array["elements"]), array["type"])
        if hashlib.sha256(data).hexdigest()[:16] != array["sha256"]:
            return f"the contents of {array['name']} are not those of the manifest"
        before[array["name"]] = data
        at[array["name"]] = memory.put(data, array["aligned"])
    places = [
        memory.put(parameter_bytes(parameter, record, memory, at), 16)
        for parameter in record["parameters"]
    ]
    pointers = (ctypes.c_void_p * len(places))(*places)
    os.environ["TESSERA_EMULATE_HOST_MEMORY"] = "1"  # that of this process
    run = getattr(ctypes.CDLL(str(library)), record["symbol"] + "_launch")
    run.restype = ctypes.c_bool
    if not run(*map(ctypes.c_uint, record["grid"]), pointers):
        return "stopped by the emulator"
    for array in record["arrays"]:
        name = array["name"]
        want = base64.b64decode(array["expected"]) if "expected" in array else before[name]
        got = ctypes.string_at(at[name], len(want))
        if problem := difference(array, got, want, record):
            return problem
    return None


def launch_apart(library, record):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = launch(library, record) or ""
        except Exception as error:  # noqa: BLE001: it is told to the parent
            answer = f"{type(error).__name__}: {error}"
        sys.stdout.flush()
        os.write(writer, answer.encode()[:4000])
        os._exit(0)
    os.close(writer)
    answer = os.fdopen(reader).read()
    status = os.waitpid(child, 0)[1]
    return answer or (f"the process ended with {status}" if status else None)


def run_kernels(options, records, texts, form, failures):
    flags = FORMS[form]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chosen = [dict(sorted(texts.items())[k::PARTS]) for k in range(PARTS)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            made = list(
                pool.map(
                    lambda k: chosen[k] and compile_part(options, folder, k, chosen[k], flags),
                    range(PARTS),
                )
            )
        for built, cases in zip(made, chosen):
            for case in cases:
                library, compiled = built
                problem = compiled.stderr[:400] if compiled.returncode else None
                problem = problem or launch_apart(library, records[case])
                failures.add(f"{case} {form}", problem)


# ---- mutated bytes ----


def mutants(paths, count):
    """Modules with a few bytes changed, cut or doubled; the same ones every time."""
    choice = random.Random(20261128)
    for _ in range(count):
        data = bytearray(choice.choice(paths).read_bytes())
        for _ in range(choice.randint(1, 4)):
            at = choice.randrange(12, len(data))
            kind = choice.randrange(4)
            if kind == 0:
                data[at] = choice.randrange(256)
            elif kind == 1:
                data[at] = choice.choice((0, 1, 0x7F, 0x80, 0xFF))
            elif kind == 2:
                del data[at : at + choice.randint(1, 8)]
            else:
                data[at:at] = data[at : at + choice.randint(1, 8)]
        yield bytes(data)


def check_mutants(options, paths, failures):
    """None ends a program but by an error, with the place of what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        file = pathlib.Path(name) / "mutant.tilebc"
        for number, data in enumerate(mutants(paths, options.mutants)):
            file.write_bytes(data)
            for command in (
                [options.build / "bin/tessera", "tileir-dump", file],
                [options.build / "bin/tileiras", file, "--emit=tile", "-o", "-"],
            ):
                run = subprocess.run(command, capture_output=True)
                is_right = run.returncode == 0 or (run.returncode == 1 and b"error: " in run.stderr)
                problem = None if is_right else f"status {run.returncode}, {run.stderr[-300:]}"
                failures.add(f"mutant {number} of {command[0].name}", problem)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--cuda", default=os.environ.get("CUDA_HOME", ROOT / "build/cuda"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--mutants", type=int, default=150)
    parser.add_argument("--turn", action="store_true", help="other versions and images each day")
    return parser.parse_args()


def versions_of(record, options):
    """All versions of a module, or the newest one and an older one, another each day."""
    *older, newest = record["versions"]
    if options.turn and older:
        older = [older[datetime.date.today().toordinal() % len(older)]]
    return [*older, newest]


def main():
    options, failures = parse_options(), Failures()
    records = {
        path.stem: json.loads(path.read_text())
        for path in sorted((HERE / "corpus").glob("*.json"))
        if not options.only or path.stem in options.only
    }
    paths = {
        (case, version): HERE / "corpus" / f"{case}.{version}.tilebc"
        for case, record in records.items()
        for version in versions_of(record, options)
    }
    tessera, tileiras = options.build / "bin/tessera", options.build / "bin/tileiras"
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        texts = pool.map(lambda path: check_text(tessera, path), paths.values())
        runs = pool.map(lambda path: emit(tileiras, path, "cuda"), paths.values())
        newest = {case: paths[case, record["versions"][-1]] for case, record in records.items()}
        whole = pool.map(lambda case: emit(tileiras, newest[case], "c++"), newest)
        for (case, version), problem in zip(paths, texts):
            failures.add(f"text of {case}.{version}", problem)
        emitted = {form: {} for form in FORMS}
        for (case, version), run in zip(paths, runs):
            failures.add(f"translation of {case}.{version}", is_emitted(run))
            if version == records[case]["versions"][-1] and not run.returncode:
                emitted["under the emulator"][case] = run.stdout
        for case, run in zip(newest, whole):
            failures.add(f"C++ of {case}", is_emitted(run))
            if not run.returncode:
                emitted["on the CPU"][case] = run.stdout
    planned = {case: newest[case] for case in emitted["under the emulator"]}
    check_images(options, records, planned, failures)
    for form, texts in emitted.items():
        print(f"{len(paths)} modules, {len(texts)} of {len(records)} kernels {form}", flush=True)
        run_kernels(options, records, texts, form, failures)
    check_mutants(options, list(paths.values()), failures)
    print(f"{failures.passed} passed, {len(failures)} failed")
    return len(failures) != 0


if __name__ == "__main__":
    sys.exit(main())
