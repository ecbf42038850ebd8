#!/usr/bin/env python3
"""What README.md and the other PAGES show is what happens: every block of code of theirs is
compiled and run, every output is compared. A block is known by its language and its first line:

cpp behind `<!-- FILE -->`       stands in that file of the project; behind `<!-- tessera FILE -->`
                                 in what tessera prints for it. #line and white space do not count.
cpp from `// NAME.cu`            a program. Those that are just run are compiled as one.
cpp otherwise                    a part of a program of the same page
console                          `$ tessera ...` and what is printed. Behind `$ tessera run NAME.cu`
                                 this is all of it, on every target; behind other commands these are
                                 lines of it in their order. `...` stands for anything.
python                           is run by test/cutile/run.py
sh, or none                      is not run

`<!-- spellings CODE -->` opens a tile function; each piece of code in the last column of the table
behind it must compile as a statement of it.

usage: run.py [--tessera PROGRAM] [--targets cpu,emulate,gpu] [PAGE.md...]
"""

import argparse
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/user/guide.md", "docs/user/arrays.md", "docs/user/cutile.md",
         "docs/internals/matrix.md")
BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```(\w*)\n(.*?)^```$", re.S | re.M)
SPELLINGS = re.compile(r"^<!-- spellings\n(.*?)-->\n((?:\|[^\n]*\n)+)", re.S | re.M)
PROGRAM = re.compile(r"// (\w+)\.cu\b")
COMMAND = re.compile(r"^\$ (.*)\n", re.M)


class Page:
    """The blocks of a page by their kinds; complains of what it cannot place."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.programs, self.quotes, self.commands, self.wrong = {}, [], [], []
        parts = []
        for block in BLOCK.finditer(self.text):
            origin, language, body = block.groups()
            line = self.text.count("\n", 0, block.start(3)) + 1
            if origin and language:
                self.quotes.append((line, origin, body))
            elif language == "cpp" and (name := PROGRAM.match(body)):
                self.programs[name[1]] = (line, body)
            elif language == "cpp":
                parts.append((line, body))
            elif language == "console":
                self.add_commands(line, body)
            elif language not in ("", "sh", "python"):
                self.complain(line, f"a block of '{language}' is not known to {sys.argv[0]}")
        for line, body in parts:
            if not any(contains(program, body) for _, program in self.programs.values()):
                self.complain(line, "this code is in no program of the page")

    def add_commands(self, line, body):
        words = COMMAND.split(body)
        if words[0]:
            self.complain(line, "a console block begins with `$ `")
        for command, output in zip(words[1::2], words[2::2]):
            self.commands.append((line, command, output))

    def complain(self, line, message):
        self.wrong.append(f"{self.path.name}:{line}: {message}")


def words(text):
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#line")]
    return " ".join(" ".join(lines).split())


def contains(text, part):
    return words(part) in words(text)


def is_shown(output, shown):
    """Are the lines of `shown` lines of `output`, in their order?"""
    rest = iter(output.splitlines())
    for line in shown.splitlines():
        pattern = re.compile(".*".join(re.escape(part) for part in line.split("...")))
        if line.strip() and line != "..." and not any(pattern.fullmatch(other) for other in rest):
            return False
    return True


class Machine:
    """A folder with the programs of a page, where its commands are executed."""

    def __init__(self, page, folder, tessera):
        self.page, self.folder, self.tessera = page, pathlib.Path(folder), tessera
        self.texts, self.turn = {}, threading.Lock()
        for name, (_, text) in page.programs.items() if page else ():
            (self.folder / f"{name}.cu").write_text(text)

    def tool(self, *arguments):
        return subprocess.run(
            [self.tessera, *arguments], cwd=self.folder, capture_output=True, text=True, check=False
        )

    def quote(self, quote):
        line, origin, body = quote
        name = origin.removeprefix("tessera ")
        file = ROOT / name
        text = file.read_text() if name == origin else self.translated(file)
        if not contains(text, body):
            self.page.complain(line, f"this is not in '{origin}' any more")

    def translated(self, file):
        with self.turn:  # once for all quotes of it
            if file not in self.texts:
                self.texts[file] = self.tool(file, "-o", "-").stdout
            return self.texts[file]

    def command(self, command):
        line, typed, shown = command
        program, *arguments = shlex.split(typed)
        if program != "tessera":
            self.page.complain(line, f"'{program}' is not run here; make it a block of sh")
            return
        if arguments[0] == "run":
            arguments.insert(1, "-O0")  # which computes the same, sooner
        result = self.tool(*arguments)
        if not is_shown(result.stdout + result.stderr, shown):
            self.page.complain(line, f"'{typed}' prints\n{result.stdout}{result.stderr}")

    def spellings(self, table):
        opening, rows = table.groups()
        first = self.page.text.count("\n", 0, table.start(2)) + 1
        text = f"#include <cuda_fp16.h>\n#include <cuda_tile.h>\n#include <cstdio>\n{opening}"
        for number, row in enumerate(rows.splitlines(), first):
            last = re.split(r"(?<!\\)\|", row)[-2] if number > first + 2 and "|" in row else ""
            for code in re.findall(r"`([^`]+)`", last.replace("\\|", "|")):
                text += f'#line {number} "{self.page.path.name}"\n{{ {code}; }}\n'
        name = f"spellings_{first}.cu"
        (self.folder / name).write_text(text + "}\n")
        result = self.tool("check", name)
        if result.returncode:
            self.page.complain(first, f"these spellings do not compile\n{result.stderr}")


def plain_run(command):
    match = re.fullmatch(r"tessera run (\w+)\.cu", command)
    return match and match[1]


def plain_runs(pages, target, options):
    """All programs that are just run as one, each in a namespace of its own."""
    includes, bodies, calls, runs = {}, "", "", []
    for number, page in enumerate(pages):
        for line, typed, shown in page.commands:
            if plain_run(typed) not in page.programs:
                continue
            start, text = page.programs[plain_run(typed)]
            name = f"page_{number}_{plain_run(typed)}"
            includes |= dict.fromkeys(re.findall(r"^#include .*$", text, re.M))
            text = re.sub(r"^#include .*$", "", text, flags=re.M)
            text = text.replace("int main()", "void run()")
            bodies += f'namespace {name} {{\n#line {start} "{page.path.name}"\n{text}}}\n'
            calls += f'  std::printf("== {name}\\n"), {name}::run();\n'
            runs.append((page, line, typed, shown, name))
    if not runs:
        return
    everything = "\n".join(includes) + f"\n{bodies}\nint main() {{\n{calls}}}\n"
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(None, folder, options.tessera)
        (machine.folder / "all_of_the_pages.cu").write_text(everything)
        result = machine.tool("run", "-O0", f"--target={target}", "all_of_the_pages.cu")
    printed = dict(re.findall(r"== (\w+)\n(.*?)(?=== |\Z)", result.stdout, re.S))
    for page, line, typed, shown, name in runs:
        if printed.get(name) != shown:
            got = printed.get(name, result.stderr)
            page.complain(line, f"'{typed}' on target {target} prints\n{got}")


def judge(page, options):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        machine = Machine(page, folder, options.tessera)
        runs = [row for row in page.commands if plain_run(row[1]) in page.programs]
        jobs = [pool.submit(machine.command, row) for row in page.commands if row not in runs]
        jobs += [pool.submit(machine.quote, row) for row in page.quotes]
        jobs += [pool.submit(machine.spellings, row) for row in SPELLINGS.finditer(page.text)]
        for job in jobs:
            job.result()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera", type=pathlib.Path)
    parser.add_argument(
        "--targets", default=["cpu", "emulate"], type=lambda text: text.split(",")
    )
    pages = [ROOT / name for name in PAGES]
    parser.add_argument("pages", nargs="*", type=pathlib.Path, default=pages)
    options = parser.parse_args()
    options.tessera = options.tessera.resolve()
    pages = [Page(path) for path in options.pages]
    for page in pages:
        judge(page, options)
    for target in options.targets:
        plain_runs(pages, target, options)
    wrong = [line for page in pages for line in page.wrong]
    for line in wrong:
        print(line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
