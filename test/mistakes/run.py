#!/usr/bin/env python3
"""Programs with mistakes, and what is said of each: one error or warning at its line and column, in
our words.

usage: run.py [--tessera PROGRAM] [--plugin LIBRARY] [--clang PROGRAM] [--cuda FOLDER] [--write]
              [FILE...]

A file is a program with several mistakes. Under the line of one stands what is expected:

    auto c = a * 2.0;
    //         ^ error: '*' of tile<float, 4x8> and double: ...
    //         and its second line
    // fix: auto c = a * 2.0f;

The caret is at the error's column; `fix` is the line once the error's edits are made, `right` a
line that says what was meant where no edit is sure. docs/diagnostics.md shows them. Notes have
carets under their own lines, at most three for an error; `.cu:*` in a text is any line.

All files go through `tessera check`; the same must come, for all files in one program, of the
plugin with -fsyntax-only and with -c; those of alone/ are programs by themselves. What stages after
the parse refuse is in refused/: `tessera` and -c say it. Then the edits are made, and what had some
must be gone. The files of valid/ must give nothing. nvidia.txt has what NVIDIA's compiler prints.
--write puts what is said into the files, to be read by you.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAID = re.compile(r"^(.*?\.cu):(\d+):(\d+): (error|warning|note|fatal error): (.*)$")
EDIT = re.compile(r'^fix-it:"(.*?)":\{(\d+):(\d+)-(\d+):(\d+)\}:"(.*)"$')
EXPECTED = re.compile(r"^(\s*//\s*)\^ (error|warning|note): (.*)$")
SWITCH = re.compile(r" \[-W[^\]]*\]$")  # by which Clang turns a warning off
FIX = re.compile(r"^\s*// fix: (.*)$")
RIGHT = re.compile(r"^\s*// right: (.*)$")
COMMENT = re.compile(r"^\s*// (.*)$")
INCLUDE = re.compile(r'^#include <.*$', re.M)
FEWEST_FIXES = 35
Message = collections.namedtuple("Message", "line column kind text")


def plain(text):
    """Without line numbers, and without the namespaces of a program of all files."""
    return re.sub(r"\bm\d+::", "", re.sub(r"\.cu:\d+", ".cu:*", text))


def read(path):
    """The lines of a file without expectations by number, the messages, the lines once fixed, and
    the right lines."""
    code, messages, fixes, rights = {}, [], {}, {}
    line, is_open = 0, False
    for number, text in enumerate(path.read_text().split("\n"), 1):
        if found := EXPECTED.match(text):
            messages.append(Message(line, len(found[1]) + 1, found[2], found[3]))
            is_open = True
        elif found := FIX.match(text):
            fixes[line] = found[1]
            is_open = False
        elif found := RIGHT.match(text):
            rights[line] = found[1]
            is_open = False
        elif is_open and (found := COMMENT.match(text)):
            messages[-1] = messages[-1]._replace(text=messages[-1].text + " " + found[1].strip())
        else:
            code[number] = text
            line, is_open = number, False
    return code, messages, fixes, rights


def messages_of(output):
    """What was said of each file, and the edits that were offered."""
    said, edits = collections.defaultdict(list), collections.defaultdict(list)
    for text in output.split("\n"):
        if found := SAID.match(text):
            name = os.path.basename(found[1])
            text = plain(SWITCH.sub("", found[5]))
            said[name].append(Message(int(found[2]), int(found[3]), found[4], text))
        elif found := EDIT.match(text):
            edits[os.path.basename(found[1])].append((*map(int, found.groups()[1:5]), found[6]))
    return said, edits


def differences(name, said, expected):
    for one in sorted(set(said) - set(expected)):
        yield f"{name}:{one.line}:{one.column}: {one.kind} that is not expected: {one.text}"
    for one in sorted(set(expected) - set(said)):
        yield f"{name}:{one.line}:{one.column}: {one.kind} that is not there: {one.text}"
    if len(said) > len(set(said)):
        yield f"{name}: something is said twice"
    notes = 0
    for one in said:
        notes = notes + 1 if one.kind == "note" else 0
        if notes > 3:
            yield f"{name}:{one.line}: more than three notes"
        if one.kind in ("error", "warning") and "[tile:" not in one.text:
            yield f"{name}:{one.line}: {one.kind} of Clang's"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def together(files, folder):
    """One program out of all files, each in a namespace of its own."""
    texts = [path.read_text() for path in files]
    headers = sorted({line for text in texts for line in INCLUDE.findall(text)})
    lines = headers + [
        f'namespace m{number} {{\n#include "{path}"\n}}' for number, path in enumerate(files)
    ]
    program = pathlib.Path(folder) / "together.cu"
    program.write_text("\n".join(lines) + "\n")
    return program


def compiler(options, *more):
    return [
        options.clang, "-x", "cuda", "-std=c++20", f"--cuda-path={options.cuda}",
        "-Wno-unknown-cuda-version", "--cuda-gpu-arch=sm_90a", f"-fplugin={options.plugin}",
        f"-I{ROOT}/runtime/include", "-ferror-limit=0",
        "-fdiagnostics-parseable-fixits", *more,
    ]  # fmt: skip


def fixed(text, edits):
    """A text with edits made, and the lines that have some."""
    lines = text.split("\n")
    for first, begin, last, end, new in sorted(edits, reverse=True):
        tail = lines[last - 1].encode()[end - 1 :].decode()
        lines[first - 1] = lines[first - 1].encode()[: begin - 1].decode() + new + tail
        del lines[first:last]
    return "\n".join(lines)


def is_refused(path):
    return path.parent.name == "refused"


def check_file(options, path):
    command = [path, "-o", os.devnull] if is_refused(path) else ["check", path]
    code, output = run([options.tessera, *command])
    said, expected = messages_of(output)[0][path.name], read(path)[1]
    wrong = list(differences(path.name, said, expected))
    has_errors = any(one.kind == "error" for one in expected)
    if code != has_errors and not wrong:
        wrong.append(f"{path.name}: exit {code}")
    return wrong


def check_door(options, files, program, *mode):
    said, edits = messages_of(run(compiler(options, *mode, program))[1])
    wrong = [
        f"{mode[0]}: {line}"
        for path in files
        for line in differences(path.name, said[path.name], read(path)[1])
    ]
    return wrong, edits


def check_alone(options, path, folder):
    """A file that is a program by itself, through the plugin; its right lines are right."""
    wrong, edits = check_door(options, [path], path, "-c", "-o", os.devnull)
    mode = ["-c", "-o", os.devnull] if is_refused(path) else ["-fsyntax-only"]
    own = pathlib.Path(folder) / path.parent.name
    own.mkdir(exist_ok=True)
    return wrong + check_fixes(options, [path], edits, own, *mode)


def check_fixes(options, files, edits, folder, *mode):
    """The edits give the lines that are expected; with them and the right lines, what these are for
    is gone."""
    wrong, copies = [], []
    mode = mode or ["-fsyntax-only"]
    for path in files:
        text = fixed(path.read_text(), edits[path.name])
        lines = text.split("\n")
        for line, right in read(path)[3].items():
            lines[line - 1] = right
        text = "\n".join(lines)
        for line, expected in read(path)[2].items():
            if (got := text.split("\n")[line - 1].strip()) != expected:
                wrong.append(f"{path.name}:{line}: fixed to '{got}', not to '{expected}'")
        changed = {edit[0] for edit in edits[path.name]}
        for line in changed - set(read(path)[2]):
            wrong.append(f"{path.name}:{line}: an edit that is not expected")
        copies.append(pathlib.Path(folder) / path.name)
        copies[-1].write_text(text)
    program = together(copies, folder) if len(copies) > 1 else copies[0]
    said, _ = messages_of(run(compiler(options, *mode, program))[1])
    for path in files:
        fixes = read(path)[2] | read(path)[3]
        left = [one for one in read(path)[1] if one.kind != "note" and one.line not in fixes]
        errors = [one for one in said[path.name] if one.kind != "note"]
        if is_refused(path):  # of a kernel that is right at one place, others may be, too
            left = [one for one in left if one in errors]
        wrong += [f"after the edits: {line}" for line in differences(path.name, errors, left)]
    return wrong


def check_valid(options, files):
    wrong = []
    for path in files:
        code, output = run([options.tessera, "check", path])
        if code or output:
            wrong.append(f"valid/{path.name}: {output.strip() or code}")
    return wrong


def write(options, path):
    """The file with what is said of it now."""
    code = list(read(path)[0].values())
    rights = {read(path)[0][line]: right for line, right in read(path)[3].items()}
    fixes = {}
    path.write_text("\n".join(code))
    command = [path, "-o", os.devnull] if is_refused(path) else ["check", path]
    said, _ = messages_of(run([options.tessera, *command])[1])
    _, edits = messages_of(run(compiler(options, "-fsyntax-only", path))[1])
    for line in {edit[0] for edit in edits[path.name]}:
        fixes[line] = fixed("\n".join(code), edits[path.name]).split("\n")[line - 1].strip()
    lines = []
    for number, text in enumerate(code, 1):
        lines.append(text)
        for one in sorted(set(said[path.name])):
            if one.line == number:
                head = " " * min(len(text) - len(text.lstrip()), max(0, one.column - 4)) + "//"
                lead = head.ljust(one.column - 1) + "^ "
                rest = head.ljust(min(one.column + 1, 20))
                lines += textwrap.wrap(
                    f"{one.kind}: {one.text}", 100, initial_indent=lead, subsequent_indent=rest,
                    break_long_words=False, break_on_hyphens=False,
                )  # fmt: skip
        if number in fixes:
            lines.append(" " * (len(text) - len(text.lstrip())) + "// fix: " + fixes[number])
        elif text in rights:
            lines.append(" " * (len(text) - len(text.lstrip())) + "// right: " + rights[text])
    path.write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--plugin", default=ROOT / "build/lib/libtessera.so")
    parser.add_argument("--clang", default="/usr/lib/llvm-22/bin/clang++")
    parser.add_argument("--cuda", default="/usr/local/cuda")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = [path.resolve() for path in options.files] or sorted(HERE.glob("*.cu"))
    alone = [] if options.files else sorted([*HERE.glob("alone/*.cu"), *HERE.glob("refused/*.cu")])
    if options.write:
        for path in files:
            write(options, path)
        return 0
    wrong = []
    mistakes = sum(one.kind != "note" for path in files + alone for one in read(path)[1])
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        program = together(files, folder)
        checks = [pool.submit(check_door, options, files, program, "-fsyntax-only")]
        checks += [pool.submit(check_door, options, files, program, "-c", "-o", "/dev/null")]
        single = [pool.submit(check_file, options, path) for path in files + alone]
        single += [pool.submit(check_alone, options, path, folder) for path in alone]
        if not options.files:
            single.append(pool.submit(check_valid, options, sorted(HERE.glob("valid/*.cu"))))
        wrong, edits = checks[0].result()
        wrong += checks[1].result()[0]
        fixes = pool.submit(check_fixes, options, files, edits, folder)
        for one in single:
            wrong += one.result()
        wrong += fixes.result()
    fixable = sum(len(read(path)[2]) for path in files)
    if not options.files and fixable < FEWEST_FIXES:
        wrong.append(f"{fixable} mistakes have a fix-it, not {FEWEST_FIXES}")
    for line in wrong:
        print("FAIL", line)
    failed = min(len(wrong), mistakes)
    print(f"{mistakes - failed} passed, {len(wrong)} failed")
    return failed != 0 or bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
