#!/usr/bin/env python3
"""Every file of the tree that a page or a source names is there.

Looked at are paths that begin with docs/, bench/, test/, plugin/, samples/ or scripts/, in all
pages and sources; in pages also names in backticks of sources (`plan/analysis/Accesses.h`,
`Passes.td`), links and pictures. A path may have * for a part of a name and {a,b} for several. Raw
results and probes are left as they were when they were made; each result has a row in
bench/results/README.md.

usage: paths.py
Prints a line for each name that leads nowhere, and last 'N passed, N failed'.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATH = re.compile(
    r"(?<![\w/.$}<*@-])((?:docs|bench|test|plugin|samples|scripts)/[\w.*{},/-]*[\w*}])"
)
SOURCE = re.compile(r"`([\w./*-]+\.(?:h|cpp|cuh|def|td|py|sh|md|txt|inc|js|mlir))`")
LINK = re.compile(r"(?<![\w\]])\[[^\]]*\]\(([^)#:\s]+)(?:#[^)]*)?\)|(?:src|srcset)=\"([^\":]+)\"")
# Where a page's short names of sources begin.
FOLDERS = ("", "plugin/", "plugin/plan/", "runtime/", "runtime/include/", "test/")
FOLDERS += ("runtime/include/tessera/", "bench/results/", "test/fuzz/", "plugin/explain/")
LEFT_OUT = re.compile(r"bench/results/.*\.txt|test/probes/.*")
# Names that are made up, or of what a command makes: the file, the name, why.
EXEMPT = [
    ("*.py", "*{*", "a part of the name is a value"),
    ("*", "*[Vv]erb*[Nn]oun*", "any pass"),
    ("*.py", "*.[*]*", "a regular expression"),
    ("test/numerics/page.py", "*TARGET.txt", "cpu, emulate and h200"),
    ("docs/internals/*", "cuda_fp?.h", "a header of CUDA"),
    ("docs/internals/fuzzing.md", "*/what_it_is.cu", "an example"),
    ("docs/site/check.py", "*.html", "a page of the site"),
    ("docs/site/build.py", "*/README", "the same, without its ending"),
    ("docs/site/build.py", "*/guide", "the same"),
    ("docs/site/build.py", "*/index*", "the same"),
    ("test/gpu/python/run.sh", "samples/*", "of the folder that is copied to the GPU's machine"),
]


def tracked():
    names = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    return [name for name in names if (ROOT / name).is_file()]


def alternatives(path):
    """test/{a,b}.py: each of them."""
    if match := re.search(r"\{([^{}]*)\}", path):
        for one in match[1].split(","):
            yield from alternatives(path[: match.start()] + one + path[match.end() :])
    else:
        yield path


class Tree:
    def __init__(self, names):
        self.names = set(names)
        for name in names:
            self.names.update(str(parent) for parent in pathlib.PurePath(name).parents)
        self.last = {name.rpartition("/")[2] for name in self.names}

    def has(self, path):
        path = path.rstrip("/.")
        if "*" in path:
            return any(fnmatch.fnmatch(name, path) for name in self.names)
        return path in self.names

    def has_all(self, path):
        return all(self.has(one) for one in alternatives(path))

    def has_source(self, name):
        """A source by a short name: from a folder of FOLDERS, or by its last part."""
        if "*" in name or any(self.has(folder + name) for folder in FOLDERS):
            return True
        return "/" not in name and name in self.last


def named(name, text, tree):
    """(line, what leads nowhere)"""
    is_page = name.endswith(".md")
    for number, line in enumerate(text.splitlines(), 1):
        for path in PATH.findall(line):
            if not tree.has_all(path):
                yield number, path
        if not is_page:
            continue
        for source in SOURCE.findall(line):
            if not tree.has_source(source):
                yield number, source
        for link in LINK.findall(line):
            target = (ROOT / name).parent / (link[0] or link[1])
            if re.search(r"\.\w+$", link[0] or link[1]) and not target.resolve().is_file():
                yield number, link[0] or link[1]


def unlisted(names):
    """Results that the index does not name."""
    index = "bench/results/README.md"
    text = (ROOT / index).read_text()
    for name in names:
        if fnmatch.fnmatch(name, "bench/results/*.txt") and pathlib.Path(name).name not in text:
            yield f"FAIL {index}: it does not name {name}"


def main():
    names = tracked()
    tree = Tree(names)
    failed = count = 0
    for name in names:
        if LEFT_OUT.fullmatch(name):
            continue
        try:
            text = (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue
        count += 1
        wrong = [
            (line, path)
            for line, path in named(name, text, tree)
            if not any(fnmatch.fnmatch(name, f) and fnmatch.fnmatch(path, p) for f, p, _ in EXEMPT)
        ]
        failed += bool(wrong)
        for line, path in wrong:
            print(f"FAIL {name}:{line}: there is no {path}")
    for line in unlisted(names):
        failed, count = failed + 1, count + 1
        print(line)
    print(f"{count - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
