#!/usr/bin/env python3
"""usage: page.py --tessera TESSERA

Pages of `tessera explain`, without a browser: the markup is well-formed, names no other host, and
every id that it or the script refers to is there; the script runs in a small document (dom.mjs, by
Node) and does what page.mjs asks of it. browser.py does more, where there is a Chromium."""
import argparse
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EMPTY = "#include <cuda_tile.h>\n__tile__ int f() { return 1; }\nint main() { return 0; }\n"
# Kernels of one name in namespaces, some without tiles; letters in names that are no ASCII.
NAMES = """#include <cuda_tile.h>
namespace ct = cuda::tiles;
namespace a { __tile_global__ void run(float *p) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(p + i, ct::element_cast<float>(i));
} }
namespace b { namespace { __tile_global__ void run(int *größe) { *größe = 3; } }
void *all[] = {(void *)run, (void *)a::run}; }
"""
# A line that is in no file, bytes that are no text, lines that end in two letters, a long one.
ODD = ("#include <cuda_tile.h>\r\n// \xff\xe4\r\n__tile_global__ void k(int *p) { p[0] = 1"
       + " + 1" * 5000 + "; }\r\n#line 100 \"<b>none\"\n"
       "__tile_global__ void l(int *p) { p[0] = 1; }\n#line 0\n"
       "__tile_global__ void m(int *p) { p[0] = 1; }\n")
MANY = "#include <cuda_tile.h>\n" + "".join(
    f"__tile_global__ void k{i}(int *p) {{ p[cuda::tiles::bid().x] = {i}; }}\n"
    for i in range(60))


class Tree(html.parser.HTMLParser):
    """[name, attributes, children] of a page; faults are lines."""
    alone = {"meta", "link", "input", "br", "img", "hr"}

    def __init__(self, text):
        super().__init__()
        self.faults, self.top = [], ["", [], []]
        self.open = [self.top]
        self.feed(text)
        self.close()
        self.faults += [f"<{one[0]}> is not closed" for one in self.open[1:]]

    def handle_starttag(self, tag, attrs):
        element = [tag, attrs, []]
        self.open[-1][2].append(element)
        if tag not in self.alone:
            self.open.append(element)

    def handle_endtag(self, tag):
        if len(self.open) < 2 or self.open.pop()[0] != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        self.open[-1][2].append(data)

    def elements(self, tree=None):
        for child in (tree or self.top)[2]:
            if not isinstance(child, str):
                yield child
                yield from self.elements(child)


def faults_of(text):
    """What is wrong with a page as text, and its tree."""
    tree = Tree(text)
    elements = list(tree.elements())
    ids = [value for _, attributes, _ in elements for key, value in attributes if key == "id"]
    wanted = [word for _, attributes, _ in elements for key, value in attributes
              if key in ("for", "aria-labelledby", "aria-describedby") for word in value.split()]
    wanted += [value[1:] for _, attributes, _ in elements for key, value in attributes
               if key == "href" and value.startswith("#")]
    script = [one for one in elements if one[0] == "script"][-1][2][0]
    wanted += re.findall(r"""(?:byId|new Pane)\("([\w-]+)"\)""", script)
    faults = tree.faults + [f"id '{one}' is there twice" for one in set(ids) if ids.count(one) > 1]
    faults += [f"there is no id '{one}'" for one in set(wanted) - set(ids)]
    faults += [f"names another host: {value}" for tag, attributes, _ in elements
               for key, value in attributes
               if key in ("src", "href") and not value.startswith(("#", "data:"))]
    if len(text.encode()) > 2_000_000:
        faults.append(f"has {len(text.encode())} bytes")
    return faults, next(one for one in elements if one[0] == "html")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", type=pathlib.Path, required=True)
    options = parser.parse_args()
    node = shutil.which("node") or shutil.which("nodejs")
    if not node:
        print("page.py: no node on this machine: the page was not tested")
        return 77
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = [ROOT / "samples/matmul.cu", ROOT / "samples/layer_norm.cu",
                    HERE / "Inputs/letters.cu"]
        for title, text in (("empty", EMPTY), ("names", NAMES), ("many <b>'&", MANY)):
            programs.append(folder / f"{title}.cu")
            programs[-1].write_text(text)
        programs.append(folder / "odd.cu")
        programs[-1].write_bytes(ODD.encode("latin1"))
        trees, inputs = [], ROOT / "test/driver/Inputs"
        profiled = ROOT / "test/driver/profile.cu"
        programs.append(profiled)
        profile = folder / "profile.json"
        subprocess.run([options.tessera, "profile", f"--from={inputs / 'ncu.csv'}", profiled, "-o",
                        profile], check=True, stdout=subprocess.DEVNULL)
        for program in programs:
            page = folder / f"{program.stem}.html"
            more = [f"--profile={profile}"] if program == profiled else []
            subprocess.run([options.tessera, "explain", "--registers=false", *more, program, "-o",
                            page], check=True)
            faults, tree = faults_of(page.read_text())
            failures += [f"{program.name} {fault}" for fault in faults]
            trees.append(folder / f"{program.stem}.json")
            trees[-1].write_text(json.dumps({"name": program.name, "tree": tree}))
        done = subprocess.run([node, HERE / "page.mjs", *trees], capture_output=True, text=True,
                              check=False)
        failures += (done.stdout + done.stderr).splitlines()
    for failure in failures:
        print("page.py:", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
