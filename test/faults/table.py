#!/usr/bin/env python3
"""The faults that a review found, before and after: each program of this folder with two tools.

A program's name starts with the fault's number; its first comment says what was wrong. Each runs
on the CPU and under the emulator and checks itself, and its text for a GPU is compiled by nvcc.

usage: table.py run [--tessera PROGRAM] [--nvcc PROGRAM] [--gpu FOLDER --name before] STATE.json
       table.py print BEFORE.json AFTER.json [GPU.txt]
`--gpu` keeps the executables that nvcc made, for a machine with a GPU. GPU.txt has the lines
'PROGRAM before|after VERDICT' that the folder's run.sh printed there.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import signal
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NUMBER = re.compile(r"(\d+)\.(\d+)-(.*)")
# The programs whose fault is one of several architectures in one program, or of newer ones.
ARCHITECTURES = {"1.03-fat-binary": ["sm_80", "sm_90a"], "1.05-small-floats": ["sm_100a"]}
SECONDS = 120


def programs():
    return sorted(HERE.glob("*.cu"))


def execute(command, seconds=SECONDS):
    try:
        return subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return None


def first_error(text):
    """The first line that says what is wrong, without the place."""
    lines = text.splitlines()
    at = next((i for i, line in enumerate(lines) if "error:" in line), None)
    if at is None:
        return (lines or ["?"])[0]
    return lines[at].partition("error:")[2].strip()


def verdict(process):
    """What became of a program that checks itself."""
    if process is None:
        return f"no answer in {SECONDS} s"
    text = process.stdout + process.stderr
    if process.returncode == 0:
        return "right"
    if wrong := next((line for line in text.splitlines() if line.startswith("wrong: ")), ""):
        return "wrong: " + wrong.partition("wrong: ")[2]
    if "did not compile" in text:
        return "the text does not compile: " + first_error(text)
    if crash := re.search(r"^tessera: \S+: (\w+ fault|Aborted.*)$", text, re.MULTILINE):
        return "crash: " + crash[1]
    if "race" in text or "outside" in text:
        return "reported: " + next(
            line for line in text.splitlines() if "race" in line or "outside" in line
        )
    if not text.strip():
        return f"exit status {process.returncode} without a message"
    if process.returncode < 0:
        return f"crash ({signal.Signals(-process.returncode).name})"
    return first_error(text)


def text_for_gpu(program, options):
    """Whether the text compiles for a GPU; its executable, if it is to be kept."""
    architectures = ARCHITECTURES.get(program.stem, ["sm_90a"])
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "text.cu"
        arch = ",".join(architectures)
        translated = execute([options.tessera, f"--arch={arch}", program, "-o", text])
        if translated is None:
            return f"no answer of tessera in {SECONDS} s"
        if translated.returncode:
            message = first_error(translated.stdout + translated.stderr)
            if message == "?":
                message = f"exit status {translated.returncode} without a message"
            return message
        command = [options.nvcc, "-std=c++20", "-w", f"-I{options.include}", f"-I{HERE}", text]
        for name in architectures:
            number = name.removeprefix("sm_")
            command += ["-gencode", f"arch=compute_{number},code={name}"]
        if options.gpu:
            output = options.gpu / f"{program.stem}_{options.name}"
            command += ["-O3", "-cudart", "shared", "-Xlinker", "-s", "-o", output]
        else:
            command += ["-c", "-o", text.with_suffix(".o")]
        compiled = execute(command, 600)
        if compiled is None:
            return "no answer of nvcc in 600 s"
        if compiled.returncode:
            return "does not compile: " + first_error(compiled.stderr + compiled.stdout)
        return "compiles"


def run(options):
    def judge(program):
        arch = ",".join(ARCHITECTURES.get(program.stem, ["sm_90a"]))
        command = [options.tessera, "run", f"--arch={arch}"]
        row = {
            target: verdict(execute([*command, f"--target={target}", program]))
            for target in ("cpu", "emulate")
        }
        row["text"] = text_for_gpu(program, options)
        print(program.stem, row, flush=True)
        return row

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = pool.map(judge, options.programs or programs())
        state = dict(zip([path.stem for path in options.programs or programs()], rows))
    options.state.write_text(json.dumps(state, indent=1))


def what_it_was(program):
    words = []
    for line in program.read_text().splitlines():
        if not line.startswith("//"):
            break
        words.append(line[2:].strip())
    return " ".join(words)


def print_table(options):
    before, after = (json.loads(path.read_text()) for path in (options.before, options.after))
    gpu = {}
    for line in options.gpu.read_text().splitlines() if options.gpu else []:
        name, side, what = line.split(None, 2)
        gpu[name, side] = what
    order = sorted(after, key=lambda name: [int(n) for n in NUMBER.match(name).groups()[:2]])
    for name in order:
        section, number, words = NUMBER.match(name).groups()
        print(f"{section}.{int(number)} {words}: {what_it_was(HERE / (name + '.cu'))}")
        for side, state in (("before", before), ("after", after)):
            row = state[name]
            columns = [f"cpu: {row['cpu']}", f"emulator: {row['emulate']}"]
            columns.append(f"gpu: text: {row['text']}")
            if (name, side) in gpu:
                columns[-1] += ", " + gpu[name, side]
            print(f"    {side:6}  " + f"\n{'':12}".join(columns))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    runs = commands.add_parser("run")
    runs.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/bin/tessera")
    runs.add_argument("--include", type=pathlib.Path, default=ROOT / "runtime/include")
    runs.add_argument("--nvcc", default=ROOT / "build/cuda/bin/nvcc")
    runs.add_argument("--gpu", type=pathlib.Path, help="keep executables there")
    runs.add_argument("--name", default="after", help="what they are named")
    runs.add_argument("state", type=pathlib.Path)
    runs.add_argument("programs", nargs="*", type=pathlib.Path)
    runs.set_defaults(do=run)
    prints = commands.add_parser("print")
    prints.add_argument("before", type=pathlib.Path)
    prints.add_argument("after", type=pathlib.Path)
    prints.add_argument("gpu", nargs="?", type=pathlib.Path)
    prints.set_defaults(do=print_table)
    options = parser.parse_args()
    options.do(options)


if __name__ == "__main__":
    main()
