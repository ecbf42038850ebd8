#!/usr/bin/env python3
"""Runs programs on the CPU, under the emulator and, where there is one, on the GPU; all must
succeed and agree.

A program that includes run.h prints lines `NAME ~TOLERANCE: NUMBERS`; the numbers of two
targets may differ by the tolerance, relative to the largest of the line. Every other line must
be equal. A first line `// targets: emulate,gpu` leaves the others out, `// arch: sm_100a` behind
it names the architecture; a first line `// options: --extensions` has what the program needs of
tessera. The samples check themselves; samples.txt says with which sizes they run, and only their
exit status counts.

The texts for CPU and emulator are translated together, and compiled as `tessera run` compiles them,
each once, without lines for reports. The header that programs begin with is precompiled with the
runtime's. For GPUs `tessera run` does all of it; the lit tests run it for the others.

With --without programs run under the emulator once more, planned without a technique of
plugin/support/Techniques.def (see docs/internals/debugging.md): `turn` takes one for each program,
by its name, `all` one after the other; else a list of them. The technique `plan` is all of the
plan: one thread computes a block of whole tiles, so that what differs is raise's. Programs are
translated without it; only where that makes another program for the emulator is it compiled and
run. Of programs whose text has no sign of any technique (SIGNS) `turn` takes a quarter, without the
plan, others each day.

A program may have more cases than every run needs, of a product of sizes, types and orders that
the compiler does not tell apart: with --all-cases ALL_CASES is defined, which asks for them.

With --together N up to N programs with short texts are one, each in a namespace of its own: most of
their time goes into what every program takes. What such a program refuses, or prints otherwise on
the targets, its programs are asked for alone. Its text for GPUs is together-run-I.cu of --texts,
beside which a .txt has the names of its programs.

--optimize is the level at which the texts are compiled, or one for CPUs and GPUs and one for the
emulator (2,0); most of the time goes into that. --texts is a folder in which the texts for GPUs are
left (test/emitted.py compiles them).

usage: run_three_ways.py [--tessera PROGRAM] [--clang PROGRAM] [--cuda FOLDER]
[--targets cpu,emulate,gpu] [--without turn|all|LIST] [--all-cases] [--together N]
[--optimize LEVEL[,LEVEL]] [--texts FOLDER] [--jobs N] [PROGRAM.cu...]
Prints a line for each failure, then 'N passed, N failed'.
"""

import argparse
import concurrent.futures
import dataclasses
import datetime
import math
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import threading
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BOUNDS = re.compile(r"__launch_bounds__\([^()]*\)")
PLAN = "plan"
# A text that a technique of the plan makes another one has one of these: techniques are for
# products, for what is copied ahead and for bulk copies.
SIGNS = re.compile(r"\b(?:copy_async|store_bulk|mma)")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]*)"|<)', re.M)
INCLUDES = re.compile(r'^#include (?:"(.*)"|<.*>)\n', re.M)
# What is not the same in a namespace, or lasts behind the end of it; and what says how it is run.
ALONE = re.compile(
    r'^\s*#\s*(?!include\b)|^// (?:targets|options|arch):|extern "C"|namespace (?:std|cuda)\b'
    r"|\bassert\b|\btessera\b|exit\(|[( ]::main\b|int main\(int|global__ \[\[",
    re.M,
)
RETURNS = re.compile(r"\breturn [^;]*;\n}\s*\Z")  # by itself main() may leave it out
SHORT = 6000  # letters of a program whose text is: what it takes by itself is most of its time
RESULT = re.compile(r"(?P<name>.*) ~(?P<tolerance>\S+): (?P<numbers>.*)")


@dataclasses.dataclass
class Case:
    """One run of a program on each of its targets."""

    source: pathlib.Path
    targets: list
    arguments: list = dataclasses.field(default_factory=list)
    compare: bool = True
    options: list = dataclasses.field(default_factory=list)

    def __str__(self):
        return " ".join([os.path.relpath(self.source, ROOT), *self.arguments])


def program_case(source, targets):
    first, second = (source.read_text().splitlines() + ["", ""])[:2]
    only = (
        first.removeprefix("// targets:").strip().split(",")
        if first.startswith("// targets:")
        else targets
    )
    options = []
    if second.startswith("// arch:"):
        options = ["--arch=" + second.removeprefix("// arch:").strip()]
    if first.startswith("// options:"):
        options = first.removeprefix("// options:").split()
    return Case(source, [target for target in targets if target in only], options=options)


def sample_cases(targets, with_all):
    """Lines of samples.txt: NAME ARGUMENTS..., or TARGET,TARGET: NAME ARGUMENTS...; `all` among the
    targets: a line of --all-cases."""
    for line in (HERE / "samples.txt").read_text().splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        only, _, words = line.rpartition(":")
        name, *arguments = words.split()
        if "all" in only.split(",") and not with_all:
            continue
        chosen = [target for target in targets if not only or target in only.split(",")]
        yield Case(ROOT / "samples" / f"{name}.cu", chosen, arguments, compare=False)


def is_near(a, b, bound):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b):
        return a == b or (math.isnan(a) and math.isnan(b))
    return abs(a - b) <= bound


def is_same_line(a, b):
    left, right = RESULT.fullmatch(a), RESULT.fullmatch(b)
    if not left or not right or left["name"] != right["name"]:
        return a == b
    x, y = [float(n) for n in left["numbers"].split()], [float(n) for n in right["numbers"].split()]
    largest = max((abs(n) for n in x if math.isfinite(n)), default=0)
    # Each target may be off by the tolerance, in its own direction.
    return len(x) == len(y) and all(
        is_near(m, n, 2 * float(left["tolerance"]) * largest) for m, n in zip(x, y)
    )


def difference(a, b):
    a, b = a.splitlines(), b.splitlines()
    for left, right in zip(a, b):
        if not is_same_line(left, right):
            return f"{left[:100]!r} against {right[:100]!r}"
    return "" if len(a) == len(b) else f"{len(a)} lines against {len(b)}"


def techniques():
    return re.findall(
        r"^TESSERA_TECHNIQUE\((\w+)", (ROOT / "plugin/support/Techniques.def").read_text(), re.M
    )


class Wrong(Exception):
    """What went wrong with a command."""


def execute(command, options, without=""):
    """Standard output of a command that succeeds."""
    leaves_out = {"TESSERA_WHOLE_TILES": "1"} if without == PLAN else {}
    leaves_out["TESSERA_PLAN_WITHOUT"] = "" if without == PLAN else without
    try:
        process = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=options.seconds,
            env={**os.environ, **leaves_out},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Wrong(f"no answer in {options.seconds} s") from None
    if process.returncode == 0:
        return process.stdout
    lines = [
        line
        for line in (process.stdout + process.stderr).splitlines()
        if "wrong" in line or "error" in line
    ]
    lines = lines or process.stderr.splitlines()[-1:] or ["?"]
    raise Wrong(f"exit status {process.returncode}: {lines[0]}")


def beginning(source):
    """The header of its own that a program begins with: the one behind which no other is. None:
    it begins with a header of somebody else's, or has tile code there, which is in the text."""
    found, header = INCLUDE.search(source.read_text(errors="replace")), None
    while found and found[1] and (inner := source.parent / found[1]).exists():
        source, header = inner, inner
        found = INCLUDE.search(header.read_text(errors="replace"))
    return header if header and "cuda_tile.h" not in header.read_text() else None


def together(sources, head):
    """One program of several; its main() is theirs, one after the other, up to one that fails."""
    includes, parts, calls = dict.fromkeys([*head, "#include <cstdio>\n"]), [], []
    for number, source in enumerate(sources):
        text = source.read_text()
        for found in INCLUDES.finditer(text):
            path = (source.parent / found[1]).resolve() if found[1] else None
            includes[f'#include "{path}"\n' if path else found[0]] = None
        parts.append(f"namespace p{number} {{\n{INCLUDES.sub('', text)}}} // namespace p{number}\n")
        calls.append(f'  std::puts("== {number}");\n  if (p{number}::main())\n    return 1;\n')
    return "".join([*includes, *parts, "int main() {\n", *calls, "}\n"])


def may_be_together(text):
    return bool(RETURNS.search(text)) and not ALONE.search(text)


def keep_names(text, sources):
    """Says beside the text for GPUs of several programs, if it is kept, which they are."""
    if text:
        text.with_suffix(".txt").write_text("".join(f"{one}\n" for one in sources))


def give_up_together(text, wrong, sources):
    """The text of several programs is none that test/emitted.py compiles."""
    if text:
        text.unlink(missing_ok=True)
    print(f"alone after all, {wrong}: {', '.join(one.stem for one in sources)}", flush=True)


def outputs_of_each(output):
    """What each program of several printed."""
    return re.split(r"^== \d+\n", output, flags=re.M)[1:]


def kept_text(folder, source):
    """Where the text of a program is that is for GPUs; None: nowhere."""
    if not folder or not source.is_relative_to(ROOT):
        return None
    return folder / "-".join(source.relative_to(ROOT).parts)


WIDE_VECTORS = ["-mprefer-vector-width=512"] if platform.machine() == "x86_64" else []


class Compiler:
    """Clang for texts that run on this machine, as plugin/driver/Run.cpp calls it."""

    HEADERS = {"cpu": ["tessera/host/cpu.h", "cuda_tile.h"], "emulate": ["tessera/simt.cuh"]}
    FLAGS = {
        "cpu": ["-march=native", "-fopenmp-simd", *WIDE_VECTORS],
        "emulate": ["-DTESSERA_EMULATE", "-DTESSERA_SIMT=1"],
    }

    WHOLE = ["-DTESSERA_WHOLE_TILES=1", "-fno-strict-aliasing"]

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        levels = options.optimize.split(",")
        self.levels = {"cpu": f"-O{levels[0]}", "emulate": f"-O{levels[-1]}"}
        self.words = [options.clang, "-std=c++20", "-w"]
        self.words += ["-ffp-contract=off", "-Wno-register", "-Wno-error=c++11-narrowing"]
        self.words += options.definitions
        toolkit = f"{options.cuda}/include"
        for one in (ROOT / "runtime/include", f"{toolkit}/cccl", toolkit):
            self.words += ["-isystem", one]
        library = pathlib.Path(options.tessera).resolve().parents[1] / "lib"
        self.link = ["-x", "none", library / "libtessera_emulate.a", library / "libtessera_cpu.a"]
        self.link += ["-lboost_context", "-lpthread", "-ldl"]
        if (pathlib.Path(options.clang).resolve().parent / "ld.lld").exists():
            self.link.append("-fuse-ld=lld")
        self.precompiled, self.lock = {}, threading.Lock()

    def flags(self, target, macros):
        return [*self.words, self.levels[target], *self.FLAGS[target], *macros]

    def precompile(self, target, header, macros):
        """What texts begin with whose programs begin with this header of their own."""
        with self.lock:
            if (target, header, *macros) not in self.precompiled:
                name = self.folder / f"{len(self.precompiled)}.h"
                includes = [f"#include <{one}>\n" for one in self.HEADERS[target]]
                includes.insert(1, f'#include "{header}"\n' if header else "")
                name.write_text("".join(includes))
                made = name.with_suffix(".pch")
                command = [*self.flags(target, macros), "-fpch-instantiate-templates"]
                execute([*command, "-x", "c++-header", name, "-o", made], self.options)
                self.precompiled[target, header, *macros] = made
            return self.precompiled[target, header, *macros]

    def compile(self, case, target, without, text, program):
        macros = ["-DTESSERA_EXTENSIONS=1"] if "--extensions" in case.options else []
        macros += self.WHOLE if without == PLAN else []
        header = self.precompile(target, beginning(case.source), macros)
        command = [*self.flags(target, macros), "-include-pch", header]
        command += ["-iquote", case.source.parent]
        execute([*command, "-x", "c++", text, "-o", program, *self.link], self.options)
        return program


class Programs:
    """What a source becomes: texts, and programs of them, each made when it is asked for."""

    def __init__(self, case, compiler, folder, kept=None):
        """kept: where the text for GPUs is left, not where its name says."""
        self.case, self.compiler, self.options = case, compiler, compiler.options
        self.folder = pathlib.Path(folder)
        self.kept = kept or kept_text(self.options.texts, case.source)
        self.texts, self.made = {}, {}

    def text(self, target, without=""):
        if (target, without) not in self.texts:
            # One translation makes the texts of all targets.
            targets = ["emulate"] if without else [one for one in self.case.targets if one != "gpu"]
            files = {one: self.folder / f"{one}-{without}.cu" for one in targets}
            if self.kept and not without:
                files["gpu"] = self.kept
            outputs = [word for file in files.values() for word in ("-o", file)]
            command = [self.options.tessera, f"--target={','.join(files)}", *self.case.options]
            command += [*self.options.definitions, self.case.source, *outputs]
            execute(command, self.options, without)
            self.texts.update({(one, without): file for one, file in files.items()})
        return self.texts[target, without]

    def differs(self, without):
        """Is the emulator's program another one without a technique? The first line of a text
        says what it is planned without, and the emulator has no bounds of launches."""
        texts = (self.text("emulate", name).read_text() for name in (without, ""))
        one, other = (BOUNDS.sub("", text.split("\n", 1)[1]) for text in texts)
        return one != other

    def run(self, target, without, arguments):
        """Standard output."""
        if target == "gpu":
            command = [self.options.tessera, "run", "--target=gpu", self.compiler.levels["cpu"]]
            command += [*self.options.definitions, *self.case.options, self.case.source]
            command += ["--", *arguments]
            return execute(command, self.options)
        if (target, without) not in self.made:
            program = self.folder / f"{target}-{without}"
            text = self.text(target, without)
            self.made[target, without] = self.compiler.compile(
                self.case, target, without, text, program
            )
        return execute([self.made[target, without], *arguments], self.options)


def forbidden_of(case, programs):
    """What a program is planned without once more, each once: what makes another text."""
    without = programs.options.without
    if not without or "emulate" not in case.targets:
        return []
    names = without.split(",") if without not in ("turn", "all") else [*techniques(), PLAN]
    number = zlib.crc32(str(case).encode())
    if without == "turn" and not SIGNS.search(programs.text("emulate").read_text()):
        return [PLAN] if (number + datetime.date.today().toordinal()) % 4 == 0 else []
    if without == "turn":
        names = [names[number % len(names)]]
    return [name for name in names if name == PLAN or programs.differs(name)]


def judge(case, programs):
    """What is wrong with a case, or nothing."""
    first, name = None, "translation"
    try:
        runs = [(target, "") for target in case.targets]
        runs += [("emulate", name) for name in forbidden_of(case, programs)]
        for target, without in runs:
            name = target + (f" without {without}" if without else "")
            output = programs.run(target, without, case.arguments)
            if first is None:
                first = output
            elif case.compare and (unlike := difference(first, output)):
                return f"{case.targets[0]} and {name} disagree: {unlike}"
    except Wrong as wrong:
        return f"{name}: {wrong}"
    return ""


def judge_all(cases, compiler):
    """The same of the cases of one source."""
    with tempfile.TemporaryDirectory() as folder:
        everything = dataclasses.replace(cases[0], targets=targets_of(cases))
        programs = Programs(everything, compiler, folder)
        return [judge(case, programs) for case in cases]


def judge_together(number, group, compiler):
    """The same of cases of several sources that may be one program."""
    options = compiler.options
    sources = [case.source for case in group]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "together.cu"
        source.write_text(together(sources, [f'#include "{HERE / "run.h"}"\n']))
        text = options.texts and options.texts / f"together-run-{number}.cu"
        case = dataclasses.replace(group[0], source=source)
        if not (wrong := judge(case, Programs(case, compiler, folder, text))):
            keep_names(text, sources)
            return ["" for _ in group]
    give_up_together(text, wrong, sources)
    return [wrong for case in group for wrong in judge_all([case], compiler)]


def works_of(cases, options):
    """Lists of cases that are judged as one: those of one source, or of several."""
    sources, short = {}, []
    for case in cases:
        sources.setdefault(case.source, []).append(case)
    for source, group in sources.items():
        text = source.read_text()
        may_be = len(group) == 1 and len(text) < SHORT and '#include "run.h"\n' in text
        if options.together > 1 and may_be and may_be_together(text) and not SIGNS.search(text):
            short.append(group[0])
        else:
            yield group
    for first in range(0, len(short), options.together):
        yield short[first : first + options.together]


def targets_of(cases):
    return list(dict.fromkeys(target for case in cases for target in case.targets))


def parse_options():
    default_targets = "cpu,emulate" + (",gpu" if pathlib.Path("/dev/nvidia0").exists() else "")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--clang", default="/usr/lib/llvm-22/bin/clang++")
    parser.add_argument("--cuda", default=os.environ.get("CUDA_HOME", ROOT / "build/cuda"))
    parser.add_argument("--targets", default=default_targets, type=lambda text: text.split(","))
    parser.add_argument("--without", default="")
    parser.add_argument(
        "--all-cases", dest="definitions", action="store_const", const=["-DALL_CASES"], default=[]
    )
    parser.add_argument("--together", type=int, default=1, metavar="N", help="in one program")
    parser.add_argument("--texts", type=pathlib.Path, help="folder for the texts for GPUs")
    parser.add_argument("--optimize", default="2")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=300, help="limit for one command")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    return parser.parse_args()


def main():
    os.environ["TESSERA_VERIFY"] = "1"  # the rules of every stage of the plan
    options = parse_options()
    programs = [program.resolve() for program in options.programs] or sorted(HERE.glob("*.cu"))
    cases = [program_case(program, options.targets) for program in programs]
    if not options.programs:
        cases += sample_cases(options.targets, bool(options.definitions))
    # What has no target here (no GPU, say) is left out of the count, and said so.
    for case in cases:
        if not case.targets:
            print(f"left out {case}: none of its targets is here", flush=True)
    cases = [case for case in cases if case.targets]
    failed = 0
    threads = concurrent.futures.ThreadPoolExecutor(options.jobs)
    with tempfile.TemporaryDirectory() as folder, threads as pool:
        compiler = Compiler(options, folder)

        def judged(numbered):
            number, group = numbered
            if len({case.source for case in group}) > 1:
                return judge_together(number, group, compiler)
            return judge_all(group, compiler)

        works = list(works_of(cases, options))
        for group, wrongs in zip(works, pool.map(judged, enumerate(works))):
            for case, wrong in zip(group, wrongs):
                if wrong:
                    failed += 1
                    print(f"FAIL {case}: {wrong}", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
