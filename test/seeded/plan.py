#!/usr/bin/env python3
"""Lets the plan make mistakes, and counts those that the programs of test/run see.

usage: plan.py [--tessera PROGRAM] [--only PATTERN] [--all] [--list | --check]

plan_mistakes.py has the mistakes. Copies of the files that make them ask at run time which one
they make (mistakes.h); they are compiled as the build does it, and linked with all other objects
of the build to a second compiler beside the first, tessera-seeded. The compiler that people use
knows nothing of it.

A mistake is caught if a program that is planned with it is refused, prints something else, fails,
is reported by the emulator or does not end: with tensor maps and without, as run.py judges.
Programs that are planned alike are not run. Those come first that the row names; where none of
them sees it, --all tries all others. Prints what became of each, and last 'N passed, N failed'.

--check makes no mistake: it asks whether each row has its text in the plan, as a statement or as an
expression, its programs in test/run, and each explained mistake its row.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from plan_mistakes import MISTAKES
from run import HERE, PROGRAMS, ROOT, Program, Tally, explained, precompiled


def place_of(mistake, text):
    words = r"\s+".join(re.escape(word) for word in mistake.right.split())
    found = list(re.finditer(words, text))
    if len(found) != 1:
        raise SystemExit(f"{mistake.file} has {len(found)} times what '{mistake.name}' replaces")
    return found[0].span()


def is_whole(mistake, text, first):
    """Is what is replaced, and what replaces it, an expression, or else a whole statement?"""
    is_statement = mistake.right.endswith(";")
    for part in (mistake.right, mistake.wrong):
        if any(part.count(x) != part.count(y) for x, y in ("()", "[]", "{}")):
            return False
        if is_statement:
            continue
        inner = part
        while inner != (inner := re.sub(r"\{[^{}]*\}", "", inner)):
            pass
        if ";" in inner or re.match(r"(if|for|while|switch|return|else)\b", inner):
            return False
        if not mistake.wrong or part.count("?") != part.replace("::", "").count(":"):
            return False
    if not is_statement:
        return True
    before = re.sub(r"//[^\n]*", "", text[:first]).rstrip()
    return before.endswith(("{", "}", ";", ")", ":", "else"))


def check(rows):
    """Says what is wrong with the table; how much there is."""
    wrong = []
    for mistake in MISTAKES:
        text = (ROOT / "plugin" / mistake.file).read_text()
        try:
            first, _ = place_of(mistake, text)
            if not is_whole(mistake, text, first):
                wrong.append(f"'{mistake.name}' replaces no expression and no statement")
        except SystemExit as error:
            wrong.append(str(error))
        for word in mistake.programs:
            if not (ROOT / "test/run" / f"{word.partition(':')[0]}.cu").exists():
                wrong.append(f"'{mistake.name}' names {word}, which is no program")
    for pattern in [p for k, p, _ in rows if k == "plan"]:
        if not any(re.fullmatch(pattern, mistake.name) for mistake in MISTAKES):
            wrong.append(f"equivalent.txt explains '{pattern}', which is no mistake")
    for line in wrong:
        print(line)
    return len(wrong)


def choice(mistake, right):
    made = f"::tessera::seeded::is({json.dumps(mistake.name)})"
    if mistake.right.endswith(";"):
        return f"if ({made}) {{ {mistake.wrong} }} else {{ {right} }}"
    return f"({made} ? ({mistake.wrong}) : ({right}))"


def with_mistakes(text, mistakes):
    """The text of a file with all of its mistakes as choices, one within the other."""
    places = sorted(
        ((m, *place_of(m, text)) for m in mistakes), key=lambda place: (place[1], -place[2])
    )

    def written(begin, end, inner):
        out = ""
        while inner:
            (mistake, first, last), *rest = inner
            count = next((i for i, place in enumerate(rest) if place[1] >= last), len(rest))
            out += text[begin:first] + choice(mistake, written(first, last, rest[:count]))
            begin, inner = last, rest[count:]
        return out + text[begin:end]

    return f'#include "mistakes.h"\n#line 1\n{written(0, len(text), places)}'


def build(build_folder):
    """The compiler that makes mistakes; what did not change is not compiled again."""
    folder = build_folder / "seeded"
    folder.mkdir(exist_ok=True)
    commands = json.loads((build_folder / "compile_commands.json").read_text())
    command_of = {entry["file"]: entry for entry in commands}
    files = collections.defaultdict(list)
    for mistake in MISTAKES:
        files[mistake.file].append(mistake)
    objects, failed = {}, []
    for file, mistakes in sorted(files.items()):
        source = ROOT / "plugin" / file
        words = shlex.split(command_of[str(source)]["command"])
        objects[words[words.index("-o") + 1]] = made = folder / (source.stem + ".o")
        copy, text = folder / source.name, with_mistakes(source.read_text(), mistakes)
        headers = [*(ROOT / "plugin/plan").rglob("*.h"), HERE / "mistakes.h"]
        newest = max(path.stat().st_mtime for path in headers)
        if copy.exists() and copy.read_text() == text and made.exists():
            if made.stat().st_mtime > newest:
                continue
        copy.write_text(text)
        words[words.index("-o") + 1] = str(made)
        words[words.index(str(source))] = str(copy)
        words += ["-iquote", str(HERE), "-w"]
        print(f"compiling {file}", flush=True)
        if subprocess.run(words, cwd=build_folder).returncode:
            copy.unlink()
            failed.append(file)
    if failed:
        raise SystemExit(f"with their mistakes do not compile: {' '.join(failed)}")
    ninja = ["ninja", "-C", build_folder, "-t", "commands", "tessera"]
    link = subprocess.run(ninja, check=True, capture_output=True, text=True).stdout.splitlines()
    line = next(x for x in reversed(link) if " -o bin/tessera " in x)
    words = [str(objects.get(word, word)) for word in shlex.split(line) if word not in (":", "&&")]
    result = build_folder / "bin/tessera-seeded"
    words[words.index("bin/tessera")] = str(result)
    subprocess.run(words, cwd=build_folder, check=True)
    return result


class Planned(Program):
    """A program, as the plan has it with a mistake or without."""

    def __init__(self, word, options, scratch, header):
        super().__init__(word, options, scratch)
        self.header, self.ways = header, None
        self.right, said = self.translated_with("")
        if self.right is None:
            raise SystemExit(f"{self.name} is refused without a mistake:\n{said}")

    def translated_with(self, mistake):
        """The text, or nothing and what was said."""
        text = self.scratch / f"{self.program.name}.plain.cu"
        words = [self.options.tessera, "--target=emulate", f"--arch={self.arch}", "--extensions"]
        environment = {"TESSERA_SEEDED": mistake, "TESSERA_VERIFY": "1"}
        status, _, err = self.command([*words, self.source, "-o", text], 100, environment)
        return (None, err) if status else (text.read_text(), "")

    def compiled(self, text):
        file = self.scratch / f"{self.program.name}.cu"
        file.write_text(text)
        return self.compile(self.header, file) is None

    def verdict_of(self, mistake):
        """How it was caught; "same" if the plan is; nothing if the program sees nothing."""
        text, _ = self.translated_with(mistake)
        if text is None:
            return "refused"
        if text == self.right:
            return "same"
        if self.ways is None:
            if not self.compiled(self.right):
                raise SystemExit(f"{self.name} does not compile:\n{self.errors}")
            self.faults = []
            self.begin()
        if not self.compiled(text):
            return "does not compile"
        return self.judged({way: {} for way in range(len(self.ways))})


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/bin/tessera")
    parser.add_argument("--only", default="", help="mistakes whose names have this expression")
    parser.add_argument("--all", action="store_true", help="try other programs, too")
    parser.add_argument("--list", action="store_true", help="say what there is, and do nothing")
    parser.add_argument("--check", action="store_true", help="hold the table to the plan")
    options = parser.parse_args()
    chosen = [m for m in MISTAKES if re.search(options.only, f"{m.file}: {m.name}")]
    if options.check:
        return check(explained()) != 0
    if options.list:
        for mistake in chosen:
            print(f"{mistake.file}: {mistake.name}")
        return 0
    options.tessera = build(options.tessera.resolve().parents[1])
    rows, tally, programs = explained(), Tally(), {}
    with tempfile.TemporaryDirectory(prefix="tessera-seeded") as folder:
        scratch = pathlib.Path(folder)
        header = precompiled(scratch)

        def program(word):
            if word not in programs:
                programs[word] = Planned(word, options, scratch, header)
            return programs[word]

        for mistake in chosen:
            others = [word for word in PROGRAMS if word not in mistake.programs]
            how, seen = "", []
            for word in mistake.programs + (others if options.all else []):
                how = program(word).verdict_of(mistake.name)
                if how not in ("", "same"):
                    how += f" by {program(word).name}"
                    break
                seen += [word] if how == "" else []
                how = ""
            found = (r for k, p, r in rows if k == "plan" and re.fullmatch(p, mistake.name))
            reason = "" if how else next(found, "")
            where = f" [planned otherwise: {' '.join(seen) or 'nothing'}]"
            tally.say(f"{mistake.file}: {mistake.name}", how, reason, where)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
