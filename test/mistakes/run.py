#!/usr/bin/env python3
"""Programs with mistakes, and what is said of each: one error or warning at its line and column, in
our words.

usage: run.py [--tessera PROGRAM] [--plugin LIBRARY] [--clang PROGRAM] [--cuda FOLDER] [--jobs N]
              [--turn] [--write] [FILE...]

A file is a program with several mistakes. Under the line of one stands what is expected:

    auto c = a * 2.0;
    //         ^ error: '*' of tile<float, 4x8> and double: ...
    //         and its second line
    // fix: auto c = a * 2.0f;

The caret is at the error's column; `fix` is the line once the error's edits are made, `right` a
line that says what was meant where no edit is sure. docs/user/diagnostics.md shows them. Notes have
carets under their own lines, at most three for an error; `.cu:*` in a text is any line.

All files go through `tessera check`; the same must come, for all files in one program, of the
plugin with -fsyntax-only and with -c; those of alone/ are programs by themselves. What stages after
the parse refuse is in refused/: `tessera` and -c say it. A line `// options: ...` there has options
of `tessera`; the plugin gets its own for them, and is no door to what is not for a GPU. One
`// of the plugin: ...` has options that `tessera` does not know. Nothing
else may be printed: what is said comes first, and nobody else's messages come beside it. Then the
edits are made, and the program that they and the right lines make of all files must compile. The
files of valid/ give nothing through any door. test/clangd has the same for the editor.
With --turn, files of alone/ go through the plugin with -fsyntax-only, which finds what they have,
and one of three, by its name, with -c; those of valid/ with -c alone, which parses them, too.
nvidia.txt has what NVIDIA's compiler prints. --write puts what is said into the files, to be read
by you.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAID = re.compile(r"^(\S.*?):(\d+):(\d+): (error|warning|note|fatal error): (.*)$")
EDIT = re.compile(r'^fix-it:"(.*?)":\{(\d+):(\d+)-(\d+):(\d+)\}:"(.*)"$')
EXPECTED = re.compile(r"^(\s*//\s*)\^ (error|warning|note): (.*)$")
SWITCH = re.compile(r" \[-W[^\]]*\]$")  # by which Clang turns a warning off
FIX = re.compile(r"^\s*// fix: (.*)$")
RIGHT = re.compile(r"^\s*// right: (.*)$")
COMMENT = re.compile(r"^\s*// (.*)$")
OPTIONS = re.compile(r"^// options: (.*)$", re.M)
OF_PLUGIN = re.compile(r"^// of the plugin: (.*)$", re.M)
# What is printed beside messages: the line with its caret and edit, and Clang's count at the end.
BESIDE = re.compile(r"^ *\d* *\|.*$|^\d+ (errors?|warnings?)( and \d+ errors?)? generated.*$|^$")
PLUGIN = {"--extensions": "-fplugin-arg-tessera-extensions"}
INCLUDE = re.compile(r'^#include <.*$', re.M)
FEWEST_FIXES = 35
MODES = (["-fsyntax-only"], ["-c", "-o", os.devnull])
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


def strays(output, files, program=None):
    """What was printed and is no message at a place in the files: `program` includes them."""
    names = {path.name for path in files}
    lines = [line for line in output.split("\n") if not BESIDE.match(line)]
    for line in lines:
        said = SAID.match(line)
        is_include = program and line.startswith(f"In file included from {program}:")
        if not (is_include or EDIT.match(line) or (said and os.path.basename(said[1]) in names)):
            yield f"printed beside messages: {line}"
    first = next((line for line in lines if not line.startswith("In file included")), None)
    if first and "[tile:" not in first:
        yield f"the first line is not ours: {first}"


def differences(name, said, expected):
    for one in sorted(set(said) - set(expected)):
        yield f"{name}:{one.line}:{one.column}: {one.kind} that is not expected: {one.text}"
    for one in sorted(set(expected) - set(said)):
        yield f"{name}:{one.line}:{one.column}: {one.kind} that is not there: {one.text}"
    if len(said) > len(set(said)):
        yield f"{name}: something is said twice"
    notes, lines = 0, collections.Counter(one.line for one in said if one.kind != "note")
    for line in (line for line, count in lines.items() if count > 1):
        yield f"{name}:{line}: several errors for one mistake"
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
        "-fdiagnostics-parseable-fixits", "-fspell-checking-limit=0", *more,
    ]  # fmt: skip


def options_of(path):
    found = OPTIONS.search(path.read_text())
    return found[1].split() if found else []


def plugin_options(path):
    """Those of the plugin for a file's options; None where it is no door to them."""
    own = OF_PLUGIN.search(path.read_text())
    words = own[1].split() if own else []
    for word in options_of(path):
        if word.startswith("--target"):
            return None
        words.append(PLUGIN.get(word, word))
    return words


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
    if OF_PLUGIN.search(path.read_text()):
        return []
    command = [path, "-o", os.devnull] if is_refused(path) else ["check", path]
    code, output = run([options.tessera, *command, *options_of(path)])
    said, expected = messages_of(output)[0][path.name], read(path)[1]
    wrong = [*differences(path.name, said, expected), *strays(output, [path])]
    has_errors = any(one.kind == "error" for one in expected)
    if code != has_errors and not wrong:
        wrong.append(f"{path.name}: exit {code}")
    return wrong


def check_door(options, files, program, *mode):
    code, output = run(compiler(options, *mode, program))
    said, edits = messages_of(output)
    wrong = [
        f"{mode[0]}: {line}"
        for path in files
        for line in differences(path.name, said[path.name], read(path)[1])
    ]
    wrong += [f"{mode[0]}: {line}" for line in strays(output, files, program)]
    has_errors = any(one.kind == "error" for path in files for one in read(path)[1])
    if code != has_errors and not wrong:
        wrong.append(f"{mode[0]}: exit {code}")
    return wrong, edits


def check_alone(options, path, folder):
    """A file that is a program by itself, through the plugin; its right lines are right."""
    words = plugin_options(path)
    if words is None:
        right = right_copy(path, {}, folder)
        code, output = run([options.tessera, right, "-o", os.devnull, *options_of(path)])
        return [f"after the edits: {output or code}"] if code or output else []
    mode = [*(MODES[0] if is_parse_enough(options, path) else MODES[1]), *words]
    wrong, edits = check_door(options, [path], path, *mode)
    return wrong + check_fixes(options, [path], edits, folder, *mode)


def is_parse_enough(options, path):
    """With --turn: is it another's turn to go through the whole compiler?"""
    return options.turn and not is_refused(path) and zlib.crc32(path.stem.encode()) % 3 != 1


def right_copy(path, edits, folder):
    """A file with edits and right lines, in a folder of its own; a line that has neither goes."""
    code, messages, fixes, rights = read(path)
    lines = fixed(path.read_text(), edits).split("\n")
    for one in messages:
        if one.kind != "note" and one.line not in fixes:
            lines[one.line - 1] = rights.get(one.line, "")
    copy = pathlib.Path(folder) / path.parent.name / path.name
    copy.parent.mkdir(exist_ok=True)
    copy.write_text("\n".join(lines))
    for header in path.parent.glob("*.cuh"):
        shutil.copy(header, copy.parent)
    return copy


def check_fixes(options, files, edits, folder, *mode):
    """The edits give the lines that are expected; the program that is right compiles."""
    wrong, copies = [], []
    for path in files:
        lines = fixed(path.read_text(), edits[path.name]).split("\n")
        for line, expected in read(path)[2].items():
            if (got := lines[line - 1].strip()) != expected:
                wrong.append(f"{path.name}:{line}: fixed to '{got}', not to '{expected}'")
        for line in {edit[0] for edit in edits[path.name]} - set(read(path)[2]):
            wrong.append(f"{path.name}:{line}: an edit that is not expected")
        copies.append(right_copy(path, edits[path.name], folder))
    program = together(copies, folder) if len(copies) > 1 else copies[0]
    code, output = run(compiler(options, *(mode or ["-c", "-o", os.devnull]), program))
    said = [line for line in output.split("\n") if SAID.match(line)]
    if code or said:
        wrong.append(f"after the edits, {program.name}: {' / '.join(said) or output or code}")
    return wrong


def check_valid(options, files, folder):
    """Each by itself, and through the plugin as one program."""
    (pathlib.Path(folder) / "valid").mkdir()
    program = together(files, pathlib.Path(folder) / "valid")
    commands = {f"{path.name}: tessera check": [options.tessera, "check", path] for path in files}
    for mode in MODES[1:] if options.turn else MODES:
        commands[f"{program.name}: {mode[0]}"] = compiler(options, *mode, program)
    wrong = []
    for name, command in commands.items():
        code, output = run(command)
        if code or output:
            wrong.append(f"valid/{name}: {output.strip() or code}")
    return wrong


def write(options, path):
    """The file with what is said of it now."""
    code = list(read(path)[0].values())
    rights = {read(path)[0][line]: right for line, right in read(path)[3].items()}
    fixes = {}
    path.write_text("\n".join(code))
    command = [path, "-o", os.devnull] if is_refused(path) else ["check", path]
    words = plugin_options(path) or []
    of_plugin = compiler(options, "-fsyntax-only", *words, path)
    command = [options.tessera, *command, *options_of(path)]
    said, _ = messages_of(run(of_plugin if OF_PLUGIN.search(path.read_text()) else command)[1])
    _, edits = messages_of(run(compiler(options, "-fsyntax-only", *words, path))[1])
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
    parser.add_argument("--cuda", default=ROOT / "build/cuda")
    parser.add_argument("--turn", action="store_true", help="not all through the whole compiler")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    given = [path.resolve() for path in options.files]
    given = given or sorted(one for one in HERE.glob("**/*.cu") if one.parent.name != "valid")
    files = [path for path in given if path.parent == HERE]
    alone = [path for path in given if path.parent != HERE]
    if options.write:
        for path in given:
            write(options, path)
        return 0
    wrong = []
    mistakes = sum(one.kind != "note" for path in files + alone for one in read(path)[1])
    threads = concurrent.futures.ThreadPoolExecutor(options.jobs)
    with tempfile.TemporaryDirectory() as folder, threads as pool:
        checks, fixes = [], []
        if files:
            program = together(files, folder)
            checks = [pool.submit(check_door, options, files, program, *mode) for mode in MODES]
        single = [pool.submit(check_file, options, path) for path in files + alone]
        single += [pool.submit(check_alone, options, path, folder) for path in alone]
        if not options.files:
            valid = sorted(HERE.glob("valid/*.cu"))
            single.append(pool.submit(check_valid, options, valid, folder))
        for one in checks:
            said, edits = one.result()
            wrong += said
            if not fixes:  # of the first door
                fixes = [pool.submit(check_fixes, options, files, edits, folder)]
        for one in single + fixes:
            wrong += one.result()
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
