#!/usr/bin/env python3
"""No name or macro of a program means anything to the runtime, nor one of the runtime to it.

Every name in the runtime's headers that a program may have as a macro - template parameters,
locals, functions, members - is put aside by tessera/macros_begin.h and given back by
tessera/macros_end.h. All is made here, of the headers' own words, and so are two lists: those
words, for the front end, and what the namespace of the runtime declares, which no variable of an
emitted kernel may be called. Then the headers that texts and programs include are compiled where
all these names are macros that no compiler reads: all of one way at once, and each by itself where
that fails.

usage: runtime_names.py [--write] [--each] [--cuda FOLDER]
--write makes the six files anew. --each: each header by itself, which also sees a header of the
system that is included outside of the pair. Prints what is wrong, then 'N passed, N failed'.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "runtime/include"
BEGIN, END = INCLUDE / "tessera/macros_begin.h", INCLUDE / "tessera/macros_end.h"
PUT, BACK = INCLUDE / "tessera/macros_aside.h", INCLUDE / "tessera/macros_back.h"
C_API = INCLUDE / "tessera/c_api.h"
LIST = ROOT / "plugin/frontend/parse/HeaderNames.inc"
DECLARED = ROOT / "plugin/emit/RuntimeNames.inc"
CLANG = "clang++-22 -std=c++20 -w -Wno-error=c++11-narrowing"
DEVICE = "-x cuda --cuda-device-only --cuda-gpu-arch=sm_90a -Wno-unknown-cuda-version"

HEAD = """// {what}
// Made by test/runtime_names.py, which says more, of the names in the runtime's headers.
//
// Included once for each pair, so there is no #pragma once.
"""
WORDS = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|(?<![\w.])\.?\d[\w.\']*|'
    r"#\s*(?:include|error|pragma|if|elif|ifdef|ifndef)\b(?:\\\n|[^\n])*|[A-Za-z_]\w*", re.S)
RESERVED = re.compile(r"_[_A-Z]|TESSERA")
# What programs name the library by: none can have it as a macro, and the front end asks whether
# a text has this word.
OF_PROGRAMS = {"tiles"}
KEYWORDS = set("""alignas alignof and and_eq asm auto bitand bitor bool break case catch char
char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval
constexpr constinit continue decltype default defined delete do double dynamic_cast else enum
explicit export extern false float for friend goto if inline int long mutable namespace new noexcept
not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires
return short signed sizeof static static_assert static_cast struct switch template this thread_local
throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
xor_eq""".split())

# How headers are read: for the emulator, for the CPU, in the text for a GPU, and by the program.
EMULATE = "-x c++ -DTESSERA_EMULATE -DTESSERA_SIMT=1"
CPU = "-x c++"
GPU = f"{DEVICE} -DTESSERA_SIMT=1"
PROGRAM = f"{DEVICE} -DTESSERA_RAISE"
# Those that others include stand first: nothing of a header's own is left out where all are read.
HEADERS = {
    "tessera/simt.cuh": (EMULATE, GPU),
    "tessera/ops/check.cuh": (EMULATE, GPU),
    "tessera/host/tile.h": (EMULATE, GPU),
    "tessera/host/tensor_maps.h": (EMULATE, GPU),
    "tessera/host/tile_list.h": (EMULATE, GPU),
    "tessera/host/launched_warps.h": (EMULATE, GPU),
    "tessera/compile.h": (CPU,),
    "tessera/image.h": (CPU,),
    "tessera/tile/nvcc.h": (PROGRAM,),
    "cuda_tf32.h": (CPU, PROGRAM),
    "tessera/host/cpu.h": (CPU,),
    "cuda_tile.h": (CPU, PROGRAM),
    "tessera/interop/cuda_array_interface.h": (CPU,),
    "tessera/interop/dlpack.h": (CPU,),
    "tessera/interop/export.h": (CPU,),
    "tessera/interop/tensor_span.h": (CPU,),
}
WAYS = (EMULATE, GPU, CPU, PROGRAM)
# What has to stand in front: texts include the vocabulary first.
BEFORE = {name: "tessera/simt.cuh" for name in
          ("tessera/ops/check.cuh", "tessera/host/tile.h", "tessera/host/tensor_maps.h",
           "tessera/host/tile_list.h", "tessera/host/launched_warps.h")}


class Compiler:
    def __init__(self, cuda, folder):
        self.folder = pathlib.Path(folder)
        self.words = [*CLANG.split(), f"-I{INCLUDE}", f"--cuda-path={cuda}",
                      "-isystem", f"{cuda}/include", "-isystem", f"{cuda}/include/cccl"]

    def run(self, text, *options):
        file = self.folder / "case.cu"
        file.write_text(text)
        return subprocess.run([*self.words, *options, file], capture_output=True, text=True,
                              errors="replace")


def names():
    """The words of the headers that may be macros of a program. NVRTC, for which rtc/ stands in for
    a library, compiles nothing of a program; the C API's header is for programs without kernels."""
    found = set()
    for path in sorted(INCLUDE.rglob("*")):
        left_out = path.parent.name == "rtc" or path in (BEGIN, END, PUT, BACK, C_API)
        if path.is_file() and not left_out:
            found |= {word for word in WORDS.findall(path.read_text()) if word.isidentifier()}
    return {word for word in found - KEYWORDS - OF_PROGRAMS if not RESERVED.match(word)}


def read_by(way):
    return [header for header, ways in HEADERS.items() if way in ways]


def macros_of_others(compiler):
    """The macros that stay after the headers were read: those of the system and the toolkit."""
    found = set()
    for way in WAYS:
        text = "".join(f"#include <{header}>\n" for header in read_by(way))
        process = compiler.run(text, *way.split(), "-E", "-dD")
        if process.returncode:
            sys.exit(f"{way}: {process.stderr}")
        found |= set(re.findall(r"^#define (\w+)", process.stdout, re.M))
    return found


# Pairs within a pair: the outermost has put everything aside. A file of the runtime nests two.
DEPTHS = 4
ASIDE = "__tessera_aside"
TO_ASK = 64  # names in a condition


def beginning(words):
    """Almost no program has one of the names: to ask for all of them takes a hundredth of the time
    of two pragmas for each."""
    asked = "".join("#if " + " || \\\n    ".join(f"defined {word}" for word in words[i:i + TO_ASK])
                    + f"\n#define {ASIDE}\n#endif\n" for i in range(0, len(words), TO_ASK))
    deeper = "".join(f"#elif !defined {ASIDE}_{n}\n#define {ASIDE}_{n}\n"
                     for n in range(2, DEPTHS + 1))
    return (HEAD.format(what="Before the runtime's own text: what a program's macros may be called"
                             " means nothing in it.")
            + f'// clang-format off\n#ifndef {ASIDE}_1\n#define {ASIDE}_1\n{asked}#ifdef {ASIDE}\n'
            + f'#include "{PUT.name}"\n#endif\n{deeper}'
            + '#else\n#error "headers of the runtime are nested too deep"\n#endif\n')


def ending():
    depths = "".join(f"{'#elif' if n < DEPTHS else '#if'} defined {ASIDE}_{n}\n"
                     f"#undef {ASIDE}_{n}\n" for n in range(DEPTHS, 1, -1))
    return (HEAD.format(what="Behind the runtime's own text: gives back what macros_begin.h has put"
                             " aside.")
            + f'{depths}#else\n#undef {ASIDE}_1\n#ifdef {ASIDE}\n#undef {ASIDE}\n'
            + f'#include "{BACK.name}"\n#endif\n#endif\n')


def pushed(words):
    return (HEAD.format(what="Puts aside a program's macros of these names.")
            + "".join(f'#pragma push_macro("{word}")\n#undef {word}\n' for word in words))


def popped(words):
    return (HEAD.format(what="Gives back what macros_aside.h has put aside.")
            + "".join(f'#pragma pop_macro("{word}")\n' for word in words))


def declared(compiler):
    """What a kernel's text finds by its name alone: the members of namespace tessera."""
    includes = ["tessera/simt.cuh", *BEFORE]
    text = "".join(f"#include <{header}>\n" for header in includes)
    found = set()
    for way in (EMULATE, GPU, f"{GPU} -DTESSERA_IMAGE=1"):
        process = compiler.run(text, *way.split(), "-fsyntax-only", "-Xclang", "-ast-list")
        if process.returncode:
            sys.exit(process.stderr)
        found |= set(re.findall(r"^tessera::(\w+)$", process.stdout, re.M))
    # Of one letter: a template's parameter. What the printer calls variables of its own hides
    # something that no text names.
    wished = {name for path in (ROOT / "plugin/emit").glob("*.cpp")
              for name in re.findall(r'fresh\("(\w+)"', path.read_text())}
    return sorted(name for name in found - wished if len(name) > 1)


def listed(words, what):
    text = textwrap.fill(", ".join(f'"{word}"' for word in words), 100, break_long_words=False)
    return f"// {what}: made by\n// test/runtime_names.py.\n{text}\n"


def hostile(compiler, headers, way, words):
    """What a compiler says of the headers where every name is a macro that it cannot read."""
    macros = "".join(f"#define {word} @ @\n" for word in words)
    lines = [macros]
    if headers[0] in BEFORE:
        lines.append(f"#include <{BEFORE[headers[0]]}>\n")
    lines += [f"#include <{header}>\n" for header in headers]
    # They mean what they did.
    lines.append("#define AS_TEXT(...) #__VA_ARGS__\n#define TEXT_OF(x) AS_TEXT(x)\n"
                 f'static_assert(sizeof(TEXT_OF({words[0]})) == sizeof("@ @"));\n')
    process = compiler.run("".join(lines), *way.split(), "-fsyntax-only")
    return process.stderr if process.returncode else ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--cuda", default=ROOT / "build/cuda")
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(options.cuda, folder)
        words = sorted(names() - macros_of_others(compiler))
        lists = ((LIST, listed(words, "The names in the runtime's headers that a program's macros"
                                      " may have")),
                 (DECLARED, listed(declared(compiler), "What namespace tessera declares")))
        texts = ((BEGIN, beginning(words)), (END, ending()), (PUT, pushed(words)),
                 (BACK, popped(words)))
        for path, text in (*texts, *lists):
            if options.write:
                path.write_text(text)
            elif path.read_text() != text:
                failures.append(f"{path}: the headers have other names; runtime_names.py --write")
        count = len(texts) + len(lists)
        for way in WAYS:
            headers = read_by(way)
            count += len(headers)
            all_at_once = "" if options.each else hostile(compiler, headers, way, words)
            if not options.each and not all_at_once:
                continue
            errors = {header: hostile(compiler, [header], way, words) for header in headers}
            failures += [f"{header} ({way}):\n{error[:2000]}"
                         for header, error in errors.items() if error]
            if all_at_once and not any(errors.values()):
                failures.append(f"all headers ({way}):\n{all_at_once[:2000]}")
    for failure in failures:
        print(failure)
    print(f"{count - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
