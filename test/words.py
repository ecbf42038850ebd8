#!/usr/bin/env python3
"""Refuses words that the field does not know, where it has one of its own (docs/user/glossary.md).

It looks at identifiers and op names of plugin and runtime, at remarks, and at what the generated
code of the given programs is made of, comments included. A verb may look like an old noun:
WORDS says what is meant, ALLOWED which identifiers keep a word, and why.

usage: words.py [--tessera PROGRAM FILE.cu...] [--count FOLDER]
Prints a line for each word that is refused, and last 'N passed, N failed'. --count prints how often
each word stands in the identifiers, the comments and the pages of a tree instead.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# An old word, as a part of an identifier: what the field says, and where that holds.
WORDS = [
    ("factors?", "operand", "plugin/* runtime/*"),
    ("turns?|turned", "iteration; transposed", "plugin/* runtime/*"),
    ("places?", "location, coordinates, work tile, offset or index", "plugin/* runtime/*"),
    ("arrivals", "full and empty barriers", "plugin/* runtime/*"),
    ("boxmaps?", "tensor map", "plugin/* runtime/*"),
    ("copyingwarp", "producer warp, warp specialization", "plugin/* runtime/*"),
    ("(?:fewer|more)registers", "setmaxnreg", "runtime/*"),
    ("waitfree", "producer acquire", "plugin/* runtime/*"),
    ("bands?", "threadblock swizzle", "plugin/plan/* plugin/emit/* runtime/*"),
    ("merged", "coarsened; unrolled", "plugin/* runtime/*"),
    ("streams?", "pipelined load", "plugin/plan/* plugin/emit/*"),
    ("firstcopies", "prologue", "plugin/* runtime/*"),
    ("(?:most|least)[a-z]+", "maximum, minimum", "plugin/plan/* plugin/layout/*"),
    ("sums?", "accumulator", "plugin/plan/*"),
]
# Identifiers that keep such a word: files, the identifier, why.
ALLOWED = [
    ("plugin/plan/*", "factor|factorOf|maxFactor", "how many blocks one block does the work of"),
    ("plugin/*", "isInTurn", "one after the other"),
    ("plugin/tile/TileOps.td", "turn", "one after the other, in a description"),
    ("plugin/raise/*", "factor", "what an index is multiplied by"),
    ("*", r"\w*[iI]n_?[pP]lace\w*|TESSERA_IN_PLACE|\w*(?:[rR]e|[eE]m)place\w*", "where it is"),
    ("plugin/plan/*", "placeSharedTiles|findPlaced|placed", "the verb"),
    ("plugin/frontend/*", "placed", "the verb"),
    ("runtime/include/tessera/host/registry.h", "place", "a link of a list that may change"),
    ("runtime/python/*", "place", "coordinates, one for each dimension"),
    ("plugin/check/*", "Arrivals", "what arrives at a block of a graph"),
    ("runtime/include/tessera/ops/bulk_copy.cuh", "arrivals", "PTX's count of an mbarrier"),
    ("runtime/include/tessera/arch/*", "arrivals|PLACE", "PTX's count of an mbarrier; its state"),
    ("plugin/explain/page/*", "places?", "what a search finds"),
    ("plugin/*", "bands", "a row of Techniques.def, which users name"),
    ("plugin/plan/*", "isAtMost|isAtLeast", "a comparison"),
    ("plugin/plan/*", "sums?|isSum|isSumOfOthers", "what additions of integers give"),
    ("*", r"\w*[sS]tream(?:_t|ing)?\w*", "CUDA's and LLVM's streams"),
]
SOURCES = (".cpp", ".h", ".cuh", ".td", ".def", ".js", ".py")
GENERATED = ("macros_aside.h", "macros_back.h", "macros_begin.h")


def is_in(path, globs):
    return any(re.fullmatch(glob.replace("*", ".*"), path) for glob in globs.split())


def parts_of(identifier):
    """"makeBoxMap", "box_map": the parts in small letters, and neighbours as one."""
    parts = [p.lower() for p in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier)]
    return parts + ["".join(pair) for pair in zip(parts, parts[1:])]


def refusal_of(path, identifier):
    for word, said, globs in WORDS:
        if not is_in(path, globs) or not any(re.fullmatch(word, p) for p in parts_of(identifier)):
            continue
        if not any(is_in(path, g) and re.fullmatch(i, identifier) for g, i, _ in ALLOWED):
            return said
    return None


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/|^\s*#[^\n]*", "", text, flags=re.S | re.M)


def sources(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "plugin", "runtime"], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    return [name for name in listed if name.endswith(SOURCES) and not name.endswith(GENERATED)]


def refused_in_sources():
    for name in sources(ROOT):
        text = (ROOT / name).read_text()
        code = text if name.endswith((".py", ".js")) else without_comments(text)
        code = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code) if not name.endswith(".td") else code
        for identifier in sorted(set(re.findall(r"[A-Za-z_]\w*", code))):
            if said := refusal_of(name, identifier):
                yield f"{name}: '{identifier}': say {said}"


def refused_in_remarks():
    name = "plugin/explain/Remarks.def"
    for text in re.findall(r'"((?:\\.|[^"\\\n])*)"', without_comments((ROOT / name).read_text())):
        for word in re.findall(r"[a-z]+", text):
            if word in ("factor", "turn", "turns", "turned", "place", "arrivals"):
                yield f"{name}: \"{text}\": '{word}'"


def refused_in_generated_code(tessera, program):
    """Of the kernels: what a program itself calls so is the program's."""
    text = subprocess.run([tessera, "--arch=sm_90a", program, "-o", "-"], check=True,
                          capture_output=True, text=True).stdout
    own = set(re.findall(r"\w+", pathlib.Path(program).read_text()))
    kernels = text[text.find("#elif __CUDA_ARCH__"):]
    kernels = re.sub(r"^#[^\n]*", "", kernels, flags=re.M)
    for identifier in sorted(set(re.findall(r"[A-Za-z_]\w*", kernels)) - own):
        root = re.sub(r"_\d+$", "", identifier)
        if root not in own and (said := refusal_of("runtime/generated", root)):
            yield f"generated code of {program}: '{identifier}': say {said}"


def old_words(text):
    """Each word that a part of an identifier is, as often as it is."""
    for identifier in re.findall(r"[A-Za-z_]\w*", text):
        parts = parts_of(identifier)
        yield from (word for word, _, _ in WORDS if any(re.fullmatch(word, p) for p in parts))


def count(root):
    root = pathlib.Path(root)
    identifiers, comments, pages = (collections.Counter() for _ in range(3))
    for name in sources(root):
        text = (root / name).read_text()
        identifiers.update(old_words(without_comments(text)))
        comments.update(old_words(" ".join(re.findall(r"//([^\n]*)", text))))
    for page in [*root.glob("docs/**/*.md"), root / "README.md"]:
        if page.name not in ("diagnostics.md", "glossary.md"):
            pages.update(old_words(page.read_text()))
    for word, _, _ in WORDS:
        print(f"{word:24} {identifiers[word]:6} {comments[word]:6} {pages[word]:6}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera")
    parser.add_argument("--count")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    if options.count:
        return count(options.count)
    refused = [*refused_in_sources(), *refused_in_remarks()]
    for program in options.programs if options.tessera else []:
        refused += refused_in_generated_code(options.tessera, program)
    for line in refused:
        print(f"FAIL {line}")
    print(f"{len(sources(ROOT)) + 1 - min(len(refused), 1)} passed, {len(refused)} failed")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
