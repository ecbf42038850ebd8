"""The program that is compiled for one kernel: the user's source, and what a host needs of it."""

import os
import pathlib
import re
import tempfile

from .errors import CompileError

_ENTRY = """#include "{source}"
#include <tessera/interop/export.h>
TESSERA_EXPORT_KERNEL(of_python, {kernel});
"""


# Numbers that an argument gives to a template, and that the user's source may not name. Programs
# without them do not parse what declares them.
_NUMBERS = re.compile(r"\b(__half|__nv_\w+|complex\w*|tessera::interop::)")

# The files around the user's.
_OURS = ("entry.cu", "export.h")


def is_path(source):
    """Is it the name of a file, and not a program?"""
    endings = (".cu", ".cuh", ".h", ".hpp", ".cpp")
    return isinstance(source, os.PathLike) or (
        isinstance(source, str) and "\n" not in source and source.endswith(endings)
    )


class Written:
    """A kernel of a program: of the file `place`, or where that is empty of the text."""

    def __init__(self, place, text, kernel):
        self.place, self.text, self.kernel = place, text, kernel

    def with_files(self, act, entry=_ENTRY):
        """act(program, source): the program for the kernel in a temporary folder, which `entry` is
        the form of, and what it includes. Messages name the source as the user does."""
        with tempfile.TemporaryDirectory(prefix="tessera-") as folder:
            source = self.place
            if not source:
                source = os.path.join(folder, "kernel.cu")
                pathlib.Path(source).write_text(f'#line 1 "kernel.cu"\n{self.text}')
            file = os.path.join(folder, "entry.cu")
            pathlib.Path(file).write_text(text(source, self.kernel, entry))
            try:
                return act(file, source)
            except CompileError as error:
                said = of_entry(str(error), self.kernel, source)
                raise CompileError(as_the_user_does(said, folder)) from None

    @staticmethod
    def others(listing, file):
        """The files of a rule of make that are not in the temporary folder of `file`."""
        temporary = os.path.dirname(file)
        names = _names(listing.read_text())
        return [name for name in names if os.path.dirname(name) != temporary]


def of_entry(messages, kernel, source):
    """Messages whose first error is in the program around the source: the kernel's name is at
    fault. They are that error, and what Clang says of it in the user's files."""
    first = re.search(r"(?m)^(\S.*?):\d+:\d+: error: (.*)$", messages)
    if not first or os.path.basename(first[1]) != "entry.cu":
        return messages
    notes, own = [], False
    for line in messages[first.end() :].split("\n"):
        if place := re.match(r"(\S.*?):\d+:\d+: (note|error|warning): ", line):
            if place[2] == "error":
                break
            own = place[2] == "note" and os.path.basename(place[1]) not in _OURS
        if own:
            notes.append(line)
    return "\n".join([f"{os.path.basename(source)}: kernel '{kernel}': {first[2]}", *notes])


def as_the_user_does(messages, folder):
    """Messages without the program around the source, and its folder."""
    messages = re.sub(r"(?m)^In file included from .*/entry\.cu:\d+:\n", "", messages)
    return messages.replace(folder + os.sep, "")


def _names(rule):
    """The files of a rule of make."""
    words = re.findall(r"(?:\\.|[^\s\\])+", rule.split(":", 1)[1])
    return [re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]


def text(source_path, kernel, entry=_ENTRY):
    """The program for a kernel of the file."""
    name = str(source_path).replace("\\", "\\\\").replace('"', '\\"')
    numbers = "#include <tessera/interop/types.h>\n" if _NUMBERS.search(kernel) else ""
    return numbers + entry.format(source=name, kernel=kernel)


def source_text(source):
    """The text of a path or of a program."""
    return pathlib.Path(source).read_text() if is_path(source) else source


def parameter_names(source, kernel):
    """The names of the kernel's parameters, where its definition is in the text; else nothing."""
    base = re.escape(kernel.split("<")[0].split("::")[-1].strip())
    source = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.S)
    match = re.search(rf"__tile_global__[^;{{}}()]*\b{base}\s*\(", source)
    if not match:
        return []
    names, depth, start = [], 0, match.end()
    for position in range(match.end(), len(source)):
        letter = source[position]
        if letter in "(<[{":
            depth += 1
        elif letter in ")>]}" and depth > 0:
            depth -= 1
        elif depth == 0 and letter in "),":
            parameter = source[start:position].split("=")[0]
            words = re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^\]]*\]\s*$", "", parameter))
            names += words[-1:]
            start = position + 1
            if letter == ")":
                break
    return names
