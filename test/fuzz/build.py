"""Commands: translates, compiles and runs one file of kernels, and says what went wrong.

A target is one of cpu, emulate, gpu; a translation is for several at once. What goes wrong is a
Fault: a kind (refused, silent, crash, text, report, timeout, difference), the target, and a message
with everything that varies taken out, so that two programs with the same fault have equal faults.
"""

import copy
import dataclasses
import os
import pathlib
import re
import resource
import signal
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Generated arithmetic is full of comparisons that are always true.
QUIET = "-Wno-everything"
# How the emulator's reports begin.
REPORT = re.compile(
    r"race in \w+ memory|read of uninitialised \w+|\w+ memory out of range|misaligned access"
    r"|tessera emulator: |tessera check: .*"
)
WHOLE = ["-DTESSERA_WHOLE_TILES=1", "-fno-strict-aliasing"]
# What tells on a generated program that is not valid.
SANITIZERS = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all"]


@dataclasses.dataclass(frozen=True)
class Fault:
    kind: str
    target: str
    message: str
    line: int = dataclasses.field(default=0, compare=False)  # of the file of kernels
    detail: str = dataclasses.field(default="", compare=False)

    def __str__(self):
        return f"{self.kind} ({self.target}): {self.message}"


def general(message):
    """A message without names, numbers and types of one program."""
    message = re.sub(r"0x[0-9a-f]+|[-\d.]*\d[uUlLf]*", "#", message)
    message = re.sub(r"'[^']{30,}'", "'...'", message)
    return message.strip()[:160]


def errors_of(text, name, kind, target):
    """The faults that a compiler's messages tell of, with the lines of file `name` they lead to."""
    faults = []
    for part in re.split(r"^(?=\S.*?(?:fatal )?error: )", text, flags=re.M):
        message = re.match(r"(.*?)(?:fatal )?error: (.*)", part)
        if message:
            line = re.search(rf"{re.escape(name)}:(\d+)", part)
            faults.append(
                Fault(kind, target, general(message[2]), int(line[1]) if line else 0, part[:3000])
            )
    return faults or [
        Fault(kind, target, general(text.strip().splitlines()[0]), detail=text[:3000])
    ]


class Tools:
    """Where everything is, and the commands."""

    def __init__(self, options, scratch):
        """options: those of run.parser_of"""
        self.tessera = pathlib.Path(options.tessera).resolve()
        self.build = self.tessera.parents[1]
        self.scratch = pathlib.Path(scratch)
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.seconds = options.seconds
        self.architectures, self.arch = options.arch, options.arch[0]
        self.optimisation = options.optimise
        self.is_sanitized = options.sanitize
        self.has_extensions = options.extensions
        self.checks = options.check
        self.is_planted = options.plant
        self.toolkit = os.environ.get("CUDA_HOME", self.build / "cuda")
        self.headers = {}
        self.environment = {}  # of the compiler
        self.is_whole = options.whole
        if self.is_whole:
            self.environment["TESSERA_WHOLE_TILES"] = "1"
        self.run_environment = {}  # of programs

    def of(self, number):
        """The same for the architecture of this file."""
        tools = copy.copy(self)
        tools.arch = self.architectures[number % len(self.architectures)]
        return tools

    def execute(self, words, seconds=None, environment={}):
        """(status or None after the time limit, output, errors)

        The limit is of processor time, which a busy machine does not use up; ten times as long
        when nothing happens.
        """
        seconds = seconds or self.seconds
        process = subprocess.Popen(
            [str(w) for w in words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            env={**os.environ, **environment},
        )
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
        try:
            out, err = process.communicate(timeout=10 * seconds)
            is_late = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
            return None if is_late else process.returncode, out, err
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return (None, *process.communicate())

    def translate(self, source, targets):
        """({target: translated file}, []) or (None, faults)"""
        texts = {target: source.with_suffix(f".{target}.cu") for target in targets}
        outputs = [word for text in texts.values() for word in ("-o", text)]
        target = ",".join(targets)
        status, _, err = self.execute(
            [
                self.tessera,
                f"--target={target}",
                f"--arch={self.arch}",
                f"-I{HERE}",
                QUIET,
                *(["--extensions"] if self.has_extensions else []),
                *([f"--check={self.checks}"] if self.checks else []),
                source,
                *outputs,
            ],
            2 * self.seconds,
            self.environment,
        )
        if status == 0:
            return texts, []
        if status is None:
            return None, [Fault("timeout", target, "translation")]
        if status not in (1, 2) or "PLEASE submit" in err:
            where = re.search(r"Assertion `.*?' failed|UNREACHABLE executed.*|LLVM ERROR.*", err)
            what = general(where[0] if where else f"status {status}")
            return None, [Fault("crash", target, what, detail=err[-3000:])]
        if not err.strip():
            return None, [Fault("silent", target, "")]
        return None, errors_of(err, source.name, "refused", target)

    def precompiled(self, target, flags):
        """fuzz.h and everything that the target's text includes, parsed once."""
        if target not in self.headers:
            names = {
                "cpu": ["tessera/host/cpu.h", "fuzz.h", "cuda_tile.h"],
                "emulate": ["tessera/simt.cuh", "fuzz.h"],
            }[target]
            header, result = self.scratch / f"{target}.h", self.scratch / f"{target}.h.pch"
            header.write_text("".join(f"#include <{name}>\n" for name in names))
            status, _, err = self.execute(
                ["clang++-22", *flags, "-x", "c++-header", header, "-o", result]
            )
            if status != 0:
                raise SystemExit(f"the headers do not compile:\n{err[:2000]}")
            self.headers[target] = result
        return self.headers[target]

    def host_flags(self, target):
        flags = [
            "-std=c++20",
            self.optimisation,
            "-w",
            "-iquote",
            HERE,
            f"-I{HERE}",
            "-ferror-limit=0",
            "-isystem",
            ROOT / "runtime/include",
            "-isystem",
            f"{self.toolkit}/include",
        ]
        if target == "emulate":
            flags += ["-ffp-contract=off", "-DTESSERA_EMULATE", "-DTESSERA_SIMT=1"]
            return [*flags, *(WHOLE if self.is_whole else [])]
        flags += [f"-DTESSERA_CHECK_{c.upper()}" for c in self.checks.split(",") if c]
        flags += ["-ffp-contract=off", "-fopenmp-simd"]
        return [*flags, *(SANITIZERS if self.is_sanitized else [])]

    def compile(self, text, target):
        """(program, []) or (None, faults)"""
        program, flags = text.with_suffix(""), self.host_flags(target)
        libraries = [
            self.build / "lib/libtessera_emulate.a",
            self.build / "lib/libtessera_cpu.a",
            "-lboost_context",
            "-lpthread",
            "-ldl",
        ]
        status, _, err = self.execute(
            [
                "clang++-22",
                *flags,
                "-include-pch",
                self.precompiled(target, flags),
                "-x",
                "c++",
                text,
                "-o",
                program,
                "-x",
                "none",
                *libraries,
            ],
            4 * self.seconds,
        )
        if status == 0:
            return program, []
        if status is None:
            return None, [Fault("timeout", target, "compilation")]
        return None, errors_of(err, text.name.split(".")[0] + ".cu", "text", target)

    def black_box(self, source):
        """(None, faults): NVIDIA's verdict on the tile code; TILE_NVCC names its compiler."""
        nvcc = pathlib.Path(os.environ.get("TILE_NVCC", "nvcc"))
        arch = f"-arch={self.arch.rstrip('a')}"
        words = [nvcc, "-tilecubin", "--tile-only", "-std=c++20", arch, "-w", f"-I{HERE}"]
        path = {"PATH": f"{nvcc.parent}:{os.environ['PATH']}"}
        cubin = source.with_suffix(".cubin")
        status, out, err = self.execute([*words, source, "-o", cubin], environment=path)
        if status == 0:
            return None, []
        if status is None:
            return None, [Fault("timeout", "nvcc", "compilation")]
        text = re.sub(
            rf"{re.escape(source.name)}\((\d+)\): error", rf"{source.name}:\1: error", out + err
        )
        return None, errors_of(text or "silent", source.name, "refused", "nvcc")

    def run(self, program, target, kernels):
        """({kernel: lines}, {kernel: fault}); goes on behind a kernel that ends the program."""
        results, faults, left = {}, {}, list(kernels)
        while left:
            # Buffers are never freed.
            quiet = {"ASAN_OPTIONS": "detect_leaks=0", **self.run_environment}
            status, out, err = self.execute([program, *left], environment=quiet)
            seen = {}
            for line in out.splitlines():
                seen.setdefault(line.split(" ")[0], []).append(line)
            rest = [k for k in left if f"{k} done" not in seen.get(k, [])]
            if not rest and status == 0:
                results.update({k: seen[k] for k in left})
                break
            if len(left) == 1:
                faults[left[0]] = self.ending(status, out + err, target)
                break
            if REPORT.search(err):
                # The emulator goes on after a report, which does not name the kernel.
                for half in (left[: len(left) // 2], left[len(left) // 2 :]):
                    r, f = self.run(program, target, half)
                    results.update(r), faults.update(f)
                break
            # What goes wrong behind the last kernel is put down to it.
            guilty = rest[0] if rest else left[-1]
            results.update({k: seen[k] for k in left[: left.index(guilty)]})
            faults[guilty] = self.ending(status, out + err, target)
            left = left[left.index(guilty) + 1 :]
        return results, faults

    def reported(self, program, kernel):
        """What a check reports of a kernel: the operation. The CPU knows no more in each case."""
        _, _, err = self.execute([program, kernel])
        found = re.search(r"tessera check: (.*?) \[", re.sub(r"\[(?=-?\d)", "(", err))
        return found and found[1].split(" ")[0].rstrip(":")

    def ending(self, status, text, target):
        if status is None:
            return Fault("timeout", target, "run")
        if report := REPORT.search(text):
            return Fault("report", target, report[0], detail=text[:3000])
        error = re.search(r"^error: .*|.*(?:Assertion|runtime error|ERROR:|fault).*", text, re.M)
        name = signal.Signals(-status).name if status < 0 else f"status {status}"
        return Fault(
            "crash", target, general(f"{name}: {error[0] if error else ''}"), detail=text[-3000:]
        )
