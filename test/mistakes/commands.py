#!/usr/bin/env python3
"""Command lines: a wrong one that gets the message, and a right one.

The rows are those of plugin/support/Messages.def; test/diagnostics.py shows the pairs in
docs/user/diagnostics.md and holds that each row has one or a reason why not. A line runs in a
folder with program.cu (a tile kernel and main), plain.cu (no tile code), a folder sources, and
files of options: options, and endless, which names itself. clang-tile is Clang with the plugin. In
a message ... is anything.

usage: commands.py --build FOLDER --cuda FOLDER [--right]
--right: every right line, and not only those that are right for several mistakes.
"""
import argparse
import collections
import functools
import os
import pathlib
import subprocess
import sys
import tempfile

from projects import Pair, failures

COMMANDS = [
    Pair(
        "NoInput", "tessera: no input file; try --help",
        "tessera check", "tessera check program.cu",
    ),
    Pair(
        "CannotRead", "tessera: cannot read 'programm.cu': ...",
        "tessera check programm.cu", "tessera check program.cu",
    ),
    Pair(
        "IsFolder", "tessera: 'sources' is a folder, not a program",
        "tessera check sources", "tessera check program.cu",
    ),
    Pair(
        "CannotWrite", "tessera: cannot write 'none/x.cu': ...",
        "tessera --target=cpu program.cu -o none/x.cu", "tessera --target=cpu program.cu -o x.cu",
    ),
    Pair(
        "OutputIsProgram", "tessera: the output 'program.cu' is the program itself",
        "tessera --target=cpu program.cu -o program.cu", "tessera --target=cpu program.cu -o x.cu",
    ),
    Pair(
        "OutputOfTwoTargets", "tessera: two targets cannot both be written to 'x.cu'",
        "tessera --target=cpu,gpu program.cu -o x.cu -o x.cu",
        "tessera --target=cpu,gpu program.cu -o x.cu -o y.cu",
    ),
    Pair(
        "OutputForEachTarget",
        "tessera: -o is given 1 time for 2 targets; give one -o for each target",
        "tessera --target=cpu,gpu program.cu -o x.cu",
        "tessera --target=cpu,gpu program.cu -o x.cu -o y.cu",
    ),
    Pair(
        "OneProgram", "tessera: expected one program, but 'plain.cu' follows 'program.cu'",
        "tessera check program.cu plain.cu", "tessera check program.cu",
    ),
    Pair(
        "ProgramArguments", "tessera: arguments of the program must follow --; write -- 1024 2",
        "tessera run --target=cpu program.cu 1024 2",
        "tessera run --target=cpu program.cu -- 1024 2",
    ),
    Pair(
        "CommandStandsFirst", "tessera: the command 'check' must precede all options",
        "tessera --arch=sm_90a check program.cu", "tessera check --arch=sm_90a program.cu",
    ),
    Pair(
        "UnknownCommand", "tessera: 'chek' is not a command; did you mean check?",
        "tessera chek program.cu", "tessera check program.cu",
    ),
    Pair(
        "OlderArchitecture",
        "tessera: --arch=sm_75 cannot run tile code; tile code needs sm_80 or newer, for instance "
        "sm_90a",
        "tessera --arch=sm_75 program.cu -o x.cu", "tessera --arch=sm_80 program.cu -o x.cu",
    ),
    Pair(
        "UnknownArchitecture",
        "tessera: unknown architecture --arch=sm_91 (the closest: sm_90, sm_90a); the "
        "architectures are sm_80, ...",
        "tessera --arch=sm_91 program.cu -o x.cu", "tessera --arch=sm_90 program.cu -o x.cu",
    ),
    Pair(
        "OneOfTwoArchitectures",
        "tessera: --arch=sm_90,sm_90a: a program is compiled for sm_90 or for sm_90a, not for both",
        "tessera --arch=sm_90,sm_90a program.cu -o x.cu",
        "tessera --arch=sm_80,sm_90a program.cu -o x.cu",
    ),
    Pair(
        "TargetTwice", "tessera: --target names cpu twice",
        "tessera --target=cpu,cpu program.cu", "tessera --target=cpu,gpu program.cu",
    ),
    Pair(
        "OneTarget", "tessera: run takes one target",
        "tessera run --target=cpu,emulate program.cu", "tessera run --target=cpu program.cu",
    ),
    Pair(
        "OneArchitecture", "tessera: --ptx takes one architecture",
        "tessera build --ptx --arch=sm_80,sm_90a program.cu -o x.ptx",
        "tessera build --ptx --arch=sm_90a program.cu -o x.ptx",
    ),
    Pair(
        "PtxOfGpu", "tessera: --ptx compiles for a GPU; it takes no other target",
        "tessera build --ptx --target=cpu program.cu -o x.ptx",
        "tessera build --ptx --target=gpu program.cu -o x.ptx",
    ),
    Pair(
        "VerifiesOthers",
        "tessera: --verify compares other targets with the CPU; leave --target=cpu out",
        "tessera run --verify --target=cpu program.cu",
        "tessera run --verify --target=emulate program.cu",
    ),
    Pair(
        "ProfilesGpu", "tessera: profile measures kernels on a GPU; it takes no other target",
        "tessera profile --target=cpu program.cu",
        "tessera profile --from=$SOURCE/test/driver/Inputs/ncu.csv "
        "$SOURCE/test/driver/profile.cu",
    ),
    Pair(
        "IsBytecode", "tessera: 'x.tilebc' is Tile IR bytecode: tileiras compiles it; tessera "
        "explain, without -o, and tessera tileir-dump say what is in it",
        r"printf '\177TileIR\000' > x.tilebc; tessera x.tilebc -o x.cu",
        "tessera program.cu -o x.cu",
    ),
    Pair(
        "ExplainsGpu", "tessera: explain describes the kernels of a GPU; it takes no target cpu",
        "tessera explain --target=cpu program.cu", "tessera explain program.cu",
    ),
    Pair(
        "NotAnOptimizationLevel", "tessera: -O4 is not a level; the levels are 0, 1, 2 and 3",
        "tessera run --target=cpu -O4 program.cu", "tessera run --target=cpu -O3 program.cu",
    ),
    Pair(
        "NotAStage", "tessera: --dump=ast is not a stage; the stages are llvm, tile, plan, simt",
        "tessera --dump=ast program.cu", "tessera --dump=tile program.cu",
    ),
    Pair(
        "NotAPass",
        "tessera: --dump-after=pipeline: the plan has no such pass; did you mean "
        "tile-pipeline-loops?",
        "tessera --dump-after=pipeline program.cu -o x.cu",
        "tessera --dump-after=tile-pipeline-loops program.cu -o x.cu",
    ),
    Pair(
        "NotATarget",
        "tessera: for the --target option: 'emulator' is not a target; did you mean emulate?",
        "tessera --target=emulator program.cu", "tessera --target=emulate program.cu",
    ),
    Pair(
        "NotAShell",
        "tessera: --print-completion=tcsh is not a shell; the shells are bash, zsh and fish",
        "tessera --print-completion=tcsh", "tessera --print-completion=bash",
    ),
    Pair(
        "DepfileOfStream", "tessera: --depfile needs an output file; name one with -o",
        "tessera program.cu -o - --depfile=x.d", "tessera program.cu -o x.cu --depfile=x.d",
    ),
    Pair(
        "DepfileIsOutput", "tessera: --depfile and -o both name 'x.cu'",
        "tessera program.cu -o x.cu --depfile=x.cu", "tessera program.cu -o x.cu --depfile=x.d",
    ),
    Pair(
        "DepfileOfDump", "tessera: --dump writes no file; leave --depfile out",
        "tessera --dump=plan program.cu --depfile=x.d", "tessera --dump=plan program.cu",
    ),
    Pair(
        "UnknownCheck",
        "tessera: --check=bound: 'bound' is not a check; the checks are bounds, nan, inf",
        "tessera --check=bound program.cu -o x.cu", "tessera --check=bounds program.cu -o x.cu",
    ),
    Pair(
        "UnknownTechnique", "tessera: TESSERA_PLAN_WITHOUT=coarse: 'coarse' is not a "
        "technique; the techniques are narrow, coarsen, specialize, bulk, bulk_stores, rings, "
        "in_flight, unroll_k, unroll_loops, split_blocks, trim_warps, shared_sm, swizzle",
        "TESSERA_PLAN_WITHOUT=coarse tessera program.cu -o x.cu",
        "TESSERA_PLAN_WITHOUT=coarsen tessera program.cu -o x.cu",
    ),
    Pair(
        "UnknownPluginArgument", "unknown argument 'dumps' of the plugin tessera; the "
        "arguments are check=LIST, dump=STAGE, explain and extensions",
        "clang-tile -fplugin-arg-tessera-dumps -fsyntax-only program.cu",
        "clang-tile -fplugin-arg-tessera-extensions -fsyntax-only program.cu",
    ),
    Pair(
        "Preprocessed",
        "'program...' is preprocessed, but tile code is compiled from the original source; "
        "leave -save-temps out",
        "clang-tile -save-temps -c program.cu -o x.o", "clang-tile -c program.cu -o x.o",
    ),
    Pair(
        "NotAToolkit", "tessera: '/opt/empty' is not a CUDA toolkit",
        "tessera --cuda-path=/opt/empty program.cu -o x.cu",
        "tessera --cuda-path=$CUDA program.cu -o x.cu",
    ),
    Pair(
        "NoTemporaryFolder",
        "tessera: cannot create a temporary folder in '/nowhere': ...; set TMPDIR to another "
        "folder",
        "TMPDIR=/nowhere tessera run --target=cpu program.cu",
        "TMPDIR=/tmp tessera run --target=cpu program.cu",
    ),
    Pair(
        "NoGpu", "tessera: this machine has no GPU; --target=cpu runs the program here",
        "CUDA_VISIBLE_DEVICES= tessera run --target=gpu program.cu",
        "tessera run --target=cpu program.cu",
    ),
    Pair(
        "NeedsValue", "tessera-nvcc: '-arch' needs a value",
        "tessera-nvcc -arch", "tessera-nvcc -arch sm_90a -c program.cu",
    ),
    Pair(
        "CannotReadOptions", "tessera-nvcc: cannot read the options file 'none': ...",
        "tessera-nvcc --options-file=none -c program.cu",
        "tessera-nvcc --options-file=options -c program.cu",
    ),
    Pair(
        "NoCommandLine", "tessera-nvcc: cannot read a command line from 'endless'",
        "tessera-nvcc --options-file=endless -c program.cu",
        "tessera-nvcc --options-file=options -c program.cu",
    ),
    Pair(
        "NotMadeOfTileCode", "tessera-nvcc: tile code cannot be compiled with '--tilebc'",
        "tessera-nvcc --tilebc -arch=sm_90a program.cu",
        "tessera-nvcc --tilecubin -arch=sm_90a program.cu -o x.cubin",
    ),
    Pair(
        "NeedsArchitecture", "tessera-nvcc: 'program.cu' has tile code, which needs -arch=sm_80 or "
        "newer; --simt-only leaves the tile code out",
        "tessera-nvcc -c program.cu", "tessera-nvcc -arch=sm_90a -c program.cu",
    ),
    Pair(
        "ImageNeedsArchitecture",
        "tessera-nvcc: a cubin needs an architecture, for instance -arch=sm_90a",
        "tessera-nvcc --tilecubin -arch=compute_90a program.cu",
        "tessera-nvcc --tilecubin -arch=sm_90a program.cu -o x.cubin",
    ),
    Pair(
        "ImageOfOneArchitecture",
        "tessera-nvcc: a cubin is for one architecture, but the options name sm_80, sm_90a",
        "tessera-nvcc --tilecubin -gencode arch=compute_80,code=sm_80 "
        "-gencode arch=compute_90a,code=sm_90a program.cu",
        "tessera-nvcc --tilecubin -arch=sm_90a program.cu -o x.cubin",
    ),
    Pair(
        "ImageIsWhole",
        "tessera-nvcc: the tile kernels of an image are compiled as a whole; leave -rdc=true and "
        "-dc out",
        "tessera-nvcc --tilecubin -rdc=true -arch=sm_90a program.cu",
        "tessera-nvcc --tilecubin -arch=sm_90a program.cu -o x.cubin",
    ),
    Pair(
        "NothingLeft", "tessera-nvcc: --simt-only leaves no code for the requested output",
        "tessera-nvcc --simt-only --tilecubin -arch=sm_90a program.cu",
        "tessera-nvcc --simt-only -arch=sm_90a -c program.cu",
    ),
    Pair(
        "OneInput", "tessera-nvcc: -o takes one input, but 2 inputs are given",
        "tessera-nvcc --tilecubin -arch=sm_90a program.cu program.cu -o x.cubin",
        "tessera-nvcc --tilecubin -arch=sm_90a program.cu -o x.cubin",
    ),
    Pair(
        "NoTileCode", "tessera-nvcc: 'plain.cu' has no tile code",
        "tessera-nvcc --tilecubin --tile-only -arch=sm_90a plain.cu program.cu",
        "tessera-nvcc --tilecubin --tile-only -arch=sm_90a program.cu",
    ),
    Pair(
        "NoInputWithTileCode", "tessera-nvcc: no input has tile code",
        "tessera-nvcc --tilecubin -arch=sm_90a plain.cu",
        "tessera-nvcc --tilecubin -arch=sm_90a program.cu",
    ),
    Pair(
        "NotACompiler",
        "tessera-nvcc: TESSERA_NVCC is '/opt/empty', which cannot be run",
        "TESSERA_NVCC=/opt/empty tessera-nvcc -arch=sm_90a -c program.cu",
        "TESSERA_NVCC=$CUDA/bin/nvcc tessera-nvcc -arch=sm_90a -c program.cu",
    ),
]  # fmt: skip
# Rows without a pair of lines, and why.
OF_A_MACHINE = "of what the machine has, not of the line"
OF_NVCC = "of what NVIDIA's tools leave behind, not of the line"
OF_LIBRARY = "of a call of libtessera_compile"
EXEMPT = {
    "NoToolkit": OF_A_MACHINE, "NoToolkitOfCompiler": OF_A_MACHINE, "NoCompiler": OF_A_MACHINE,
    "OnGpu": "no mistake", "OnCpu": "no mistake", "CannotRun": OF_A_MACHINE,
    "NoWayToCompile": "said when Clang has not said what is wrong",
    "NotCompiled": "said behind Clang's own messages", "WrongText": "a bug in tessera",
    "NotLinked": "said behind the linker's own messages", "NoSpace": OF_A_MACHINE,
    "NoTimeKeeper": OF_A_MACHINE, "TimedOut": "of a program that runs",
    "NoMain": "of a program: main is missing", "EndedBySignal": OF_A_MACHINE,
    "ProgramEndedBySignal": "of a program that runs", "CompilerLeadsBack": OF_A_MACHINE,
    "UnknownToNvcc": OF_A_MACHINE, "NothingByNvcc": OF_NVCC, "UnexpectedCubin": OF_NVCC,
    "NothingByFatbinary": OF_NVCC,
    "NoTileKernel": "of a program: a kernel is missing", "NoName": OF_LIBRARY,
    "MakesNoCubin": OF_LIBRARY, "NoToolkitForCubin": OF_LIBRARY, "NoCompilerForCubin": OF_LIBRARY,
    "OneCubin": OF_LIBRARY,
    "NoCompilerForImage": OF_A_MACHINE,
    "UnusableRuntimeCompiler": "of tileiras: test/tileir/cubin.test",
    **dict.fromkeys(
        ("NoBytecode", "NoPreview", "NotAGpuName", "UnsupportedGpu", "NotARemarkFormat",
         "NoImageFile", "NoToolkitForLibrary", "NoClangForLibrary"),
        "of tileiras: test/tileir/command.test",
    ),
    **dict.fromkeys(
        ("PythonOnCpu", "PythonOption", "PythonWithoutGpu", "NoPython"),
        "of programs that need the package cuda-tile: test/driver/python.test",
    ),
    **dict.fromkeys(
        ("Verified", "VerifyFound", "VerifiedNothing", "VerifyOtherStatus", "VerifyWithoutGpu"),
        "of programs that are compared: test/driver/verify.cu",
    ),
    **dict.fromkeys(
        ("NoNcu", "NotNcu", "NoGpuToProfile", "NcuFailed", "NoNcuTable", "NoNcuColumn",
         "NothingProfiled", "NotAProfile"),
        "of Nsight Compute, and of what it prints: test/driver/profile.cu",
    ),
    **dict.fromkeys(
        ("PlannedAgain", "PtxasSpills", "PtxasSerialises", "PtxasIsContent", "FirstPlanStays"),
        "of a program's registers",
    ),
}  # fmt: skip
ROOT = pathlib.Path(__file__).resolve().parents[2]
STAND_IN = {"TESSERA_NVCC": str(ROOT / "test/nvcc/Inputs/echo-nvcc")}
FILES = {
    "program.cu": "#include <cuda_tile.h>\n__tile_global__ void kernel(int *p) { *p = 1; }\n"
    "int main() {}\n",
    "plain.cu": "__global__ void simt() {}\nint main() {}\n",
    "options": "-arch=sm_90a\n",
    "endless": "--options-file=endless\n",
    "clang-tile": "#!/bin/sh\nexec clang++-22 -std=c++20 -x cuda --cuda-gpu-arch=sm_90a "
    '--cuda-path="$CUDA" -Wno-unknown-cuda-version -fplugin="$BUILD/lib/libtessera.so" '
    '-I"$SOURCE/runtime/include" "$@"\n',
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--cuda", type=pathlib.Path, required=True)
    parser.add_argument("--right", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sources").mkdir()
        for file, text in FILES.items():
            (folder / file).write_text(text)
        (folder / "clang-tile").chmod(0o755)
        environment = {
            **os.environ, "CUDA": str(options.cuda), "BUILD": str(build), "SOURCE": str(ROOT),
            "PATH": f"{build / 'bin'}:{folder}:{os.environ['PATH']}",
        }  # fmt: skip

        @functools.cache  # many pairs have one right line
        def start(line):
            # NVIDIA's compiler has the same to compile each time: once is enough.
            stand_in = {} if "TESSERA_NVCC=" in line or " -c " not in line else STAND_IN
            done = subprocess.run(
                line, cwd=folder, shell=True, env={**stand_in, **environment}, capture_output=True,
                text=True, timeout=120, check=False,
            )  # fmt: skip
            return done.returncode, " ".join((done.stdout + done.stderr).split())

        uses = collections.Counter(pair.right for pair in COMMANDS)
        wrong = list(
            failures(COMMANDS, start, lambda pair: options.right or uses[pair.right] > 1)
        )
    for line in wrong:
        print("FAIL", line)
    print(f"{max(0, len(COMMANDS) - len(wrong))} passed, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
