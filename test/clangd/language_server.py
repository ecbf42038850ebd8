#!/usr/bin/env python3
"""tessera-clangd, spoken to as an editor speaks: what it says of tile code, and that it lives.

usage: language_server.py [--program TESSERA-CLANGD] [--cuda FOLDER] [--edits N] [--seed N] [--turn]
                          [CASE...]

A case is a function here whose name begins with `case_`. Some have a server of their own, the
others share one in which the samples are open. Ends with 'N passed, N failed'.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "mistakes")]
import client  # noqa: E402
import run as mistakes  # noqa: E402

# All errors are told, and all names that are near.
COMPILER = "clang++-22 -std=c++20 -ferror-limit=0 -fspell-checking-limit=0"
SAMPLES = ("vector_add.cu", "matmul.cu", "softmax.cu")
WORDS = ("--background-index=false", "--clang-tidy=false")
MOST = 1.5  # times the work of clangd without Tessera, from an edit to its diagnostics


class Failure(Exception):
    """What a case found wrong."""


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(str(word) for word in words))


class Project:
    """A folder with sources, their commands, and a server that reads them."""

    def __init__(self, options, folder, commands):
        """commands: of each file its compiler and options; the files are there."""
        self.folder = pathlib.Path(folder)
        database = [
            {"directory": str(folder), "file": name, "command": f"{words} -c {name} -o {name}.o"}
            for name, words in commands.items()
        ]
        (self.folder / "compile_commands.json").write_text(json.dumps(database))
        # Its index of the standard library is not what is tested.
        with open(self.folder / ".clangd", "a", encoding="utf-8") as configuration:
            configuration.write("Index:\n  StandardLibrary: No\n")
        self.before = set(self.folder.rglob("*"))
        self.server = client.Server(
            [options.program, *WORDS], folder, self.folder.with_suffix(".log")
        )

    def path(self, name):
        return self.folder / name

    def open(self, name):
        """Its diagnostics, once it is read."""
        self.server.open(self.path(name))
        return self.server.diagnostics(self.path(name))

    def change(self, name, text):
        """The diagnostics of another text. clangd is silent where it is the one that it read."""
        if text == self.server.read.get(self.path(name)):
            self.change(name, text + "\n")
        self.server.change(self.path(name), text)
        return self.server.diagnostics(self.path(name))

    def text(self, name):
        return self.server.texts[self.path(name)]

    def place(self, name, found, skip=0):
        """The position behind `skip` letters of a text that is there once."""
        text = self.text(name)
        expect(text.count(found) == 1, f"{name} has {found!r} {text.count(found)} times")
        return client.position(text, text.index(found) + skip)

    def close(self):
        status = self.server.close()
        expect(status == 0, f"the server ended with {status}")
        made = set(self.folder.rglob("*")) - self.before
        expect(not made, "the server made", *made)


def texts_of(diagnostics):
    return [f"{one['range']['start']['line'] + 1}: {one['message']}" for one in diagnostics]


def only(diagnostics):
    expect(len(diagnostics) == 1, "not one diagnostic:", texts_of(diagnostics))
    return diagnostics[0]


def make_project(options, folder, files, commands=None):
    for name, text in files.items():
        (folder / name).write_text(text)
    return Project(options, folder, commands or {name: "clang++-22" for name in files})


def samples(options, folder):
    headers = (path.name for path in (ROOT / "samples").glob("*.h"))
    for name in (*SAMPLES, *headers):
        shutil.copy(ROOT / "samples" / name, folder / name)
    headers = ROOT / "runtime" / "include"
    (folder / "objects.rsp").write_text(f"-isystem={headers}\n-DROWS=4\n")
    # As CMake writes them for a tile source, for CUDA with nvcc, and a bare one.
    commands = {
        SAMPLES[0]: f"/usr/lib/llvm-22/bin/clang++ -x cuda -std=c++20 --cuda-path={options.cuda} "
        f"--offload-arch=sm_90a -isystem {headers} -O2 -g",
        SAMPLES[1]: "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler --options-file "
        "objects.rsp -O3 -DNDEBUG -std=c++20 "
        '"--generate-code=arch=compute_90a,code=[compute_90a,sm_90a]" -Xcompiler=-fPIC,-Wall '
        "-Xptxas -v --expt-relaxed-constexpr -use_fast_math -lineinfo --threads 2 -ccbin g++ "
        f"-Xcudafe --diag_suppress=20012 -gencode arch=compute_80,code=sm_80 -I{headers} -x cu",
        SAMPLES[2]: "clang++-22",
    }
    return Project(options, folder, commands)


def shared(options):
    """The project with the samples open, as they were; nothing is said of them."""
    if options.shared and options.shared.server.is_alive():
        project = options.shared
        for name, text in project.first.items():
            if project.text(name) != text:
                project.change(name, text)
    else:
        folder = pathlib.Path(tempfile.mkdtemp(dir=options.base))
        project = options.shared = samples(options, folder)
        for name in SAMPLES:  # at once
            project.server.open(project.path(name))
        project.first = {name: project.text(name) for name in SAMPLES}
    for name in SAMPLES:
        said = project.server.diagnostics(project.path(name))
        expect(not said, name, texts_of(said))
    return project


def case_questions(options, _):
    """Two files at once, and a third: nothing is said of them, and what an editor asks is known."""
    project = shared(options)
    server = project.server
    name = SAMPLES[0]
    path = project.path(name)
    place = project.place(name, "ct::bid()", 5)
    hover = server.ask("hover", path, place)
    expect(hover and "bid" in hover["contents"]["value"], "hover:", hover)
    found = server.ask("definition", path, place)
    expect(found and found[0]["uri"].endswith(".h") and "/tessera/" in found[0]["uri"], found)
    hover = server.ask("hover", path, project.place(name, "auto tile =", 6))
    expect(hover and "shape" in hover["contents"]["value"], "hover:", hover)
    found = server.ask("references", path, project.place(name, "int block", 5),
                       context={"includeDeclaration": True})
    expect(len(found) == 4, "references:", found)
    document = {"textDocument": {"uri": path.as_uri()}}
    symbols = server.request("textDocument/documentSymbol", document)
    expect({"add", "main"} <= {one["name"] for one in symbols}, symbols)

    text = project.text(name)
    typed = """__tile__ auto f(ct::tensor_span<float, ct::extents<unsigned, 4>> x) {
  x.
  ;
  ct::redu
}
template"""
    half = text.replace("template", typed, 1)
    server.change(path, half)
    for end, wanted in (("  x.", "extents"), ("ct::redu", "reduce_max")):
        items = server.ask("completion", path, project.place(name, end + "\n", len(end)))["items"]
        labels = {one.get("filterText", one["label"]) for one in items}
        expect(wanted in labels, f"completion of {end}:", sorted(labels)[:20])
    said = project.change(name, text)
    expect(not said, "after completion:", texts_of(said))


def case_mistake(options, _):
    """A shape that breaks is said once, at its range and with its code; a fix makes it go."""
    project = shared(options)
    name = SAMPLES[0]
    text = project.text(name)
    broken = text.replace("ct::extents{n}}, tile};\n  auto c", "ct::extents{n}}, ct::shape<512>{}};"
                          "\n  auto c")
    one = only(project.change(name, broken))
    expect(one.get("code", "").startswith("tile:general_principles"), one)
    expect(one["source"] == "tessera" and one["severity"] == 1, one)
    expect("the shapes do not broadcast" in one["message"], one)
    plus = project.place(name, ") + b_tiles", 2)
    end = {**plus, "character": plus["character"] + 1}
    expect(one["range"] == {"start": plus, "end": end}, one)
    notes = [more["message"] for more in one["relatedInformation"]]
    expect(any("add<1024>" in note for note in notes), "notes:", notes)
    expect(not project.change(name, text), "the diagnostic stays")

    # A shape that is no longer the library's; its code action gives the text as it was.
    broken = text.replace("ct::shape<", "shape<", 1)
    expect(broken != text, "no shape to break")
    one = only(project.change(name, broken))
    place = project.place(name, "shape<")
    end = {**place, "character": place["character"] + len("shape")}
    expect(one["range"] == {"start": place, "end": end}, one)
    expect(one["code"] == "tile:header_and_namespace/not-qualified", one)
    actions = server_actions(project, name, one)
    expect(len(actions) == 1, actions)
    project.server.apply(actions[0]["edit"])
    said = project.server.diagnostics(project.path(name))
    expect(not said and project.text(name) == text, "after the fix:", texts_of(said))

    # In the function of a tile, a number that is too wide.
    twice = "__tile__ auto twice(ct::tile<float, ct::shape<8>> x) { return x * 2.0; }\n\ntemplate"
    wide = text.replace("template", twice, 1)
    one = only(project.change(name, wide))
    expect(one.get("code", "").startswith("tile:"), one)
    actions = server_actions(project, name, one)
    expect(len(actions) == 1, actions)
    project.server.apply(actions[0]["edit"])
    said = project.server.diagnostics(project.path(name))
    expect(not said, "after the fix:", texts_of(said))
    expect("x * 2.0f;" in project.text(name), project.text(name)[:900])


def server_actions(project, name, diagnostic):
    path = project.path(name)
    parameters = {
        "textDocument": {"uri": path.as_uri()},
        "range": diagnostic["range"],
        "context": {"diagnostics": [diagnostic]},
    }
    actions = project.server.request("textDocument/codeAction", parameters)
    return [one for one in actions if one.get("kind") == "quickfix"]


def said_of(project, name):
    """Errors and warnings, but what clangd has to say of includes."""
    return [one for one in project.open(name)
            if one["severity"] <= 2 and one.get("code") != "unused-includes"]  # fmt: skip


def words_of(message):
    """As the other doors print it."""
    text = mistakes.plain(message).replace(" (fix available)", "")
    return text[:1].lower() + text[1:]


def expect_mistakes(said, messages, name):
    """Each error and warning is said once, at its place, with its code and its notes; and nothing
    else is. The messages are those of test/mistakes, with the lines of the text that was opened."""
    plain = collections.defaultdict(list)
    for one in said:
        plain[words_of(one["message"])].append(one["range"])
        expect(one.get("code", "").startswith("tile:"), name, "without a code:", one["message"])
        expect(len(one.get("relatedInformation", [])) <= 3, name, "more than three notes:", one)
    errors = [one for one in messages if one.kind != "note"]
    for one in errors:
        place = (one.line - 1, one.column - 1)
        ranges = [each for each in plain[words_of(one.text)]
                  if (each["start"]["line"], each["start"]["character"]) <= place
                  <= (each["end"]["line"], each["end"]["character"])]  # fmt: skip
        expect(len(ranges) == 1, f"{name}:{one.line}: {len(ranges)} times: {one.text}")
    expect(len(said) == len(errors), f"{name}: {len(said)} diagnostics, not {len(errors)}:",
           *sorted(set(plain) - {words_of(one.text) for one in errors}))  # fmt: skip
    notes = collections.Counter(
        words_of(note["message"]) for one in said for note in one.get("relatedInformation", [])
    )
    wanted = collections.Counter(words_of(one.text) for one in messages if one.kind == "note")
    expect(not wanted - notes, name, "notes that are not there:", *(wanted - notes))
    expect(not notes - wanted, name, "notes that are not expected:", *(notes - wanted))


def case_mistakes(options, folder):
    """All of test/mistakes in one program: what the other doors say, at the same places."""
    files = sorted((HERE.parent / "mistakes").glob("*.cu"))
    texts = [path.read_text() for path in files]
    lines = sorted({line for text in texts for line in mistakes.INCLUDE.findall(text)})
    expected, fixes = [], 0
    for number, (path, text) in enumerate(zip(files, texts)):
        lines.append(f"namespace m{number} {{")
        _, messages, fixed, *_ = mistakes.read(path)
        fixes += len(fixed)
        for one in messages:
            text_of_all = re.sub(rf"\b{re.escape(path.name)}:", "together.cu:", one.text)
            expected.append(one._replace(line=len(lines) + one.line, text=text_of_all))
        lines += ["" if mistakes.INCLUDE.match(line) else line for line in text.split("\n")] + ["}"]
    project = make_project(options, folder, {"together.cu": "\n".join(lines) + "\n"},
                           {"together.cu": COMPILER})
    said = said_of(project, "together.cu")
    expect_mistakes(said, expected, "together.cu")
    fixable = sum(bool(one["codeActions"]) for one in said)
    expect(fixable >= fixes, f"{fixable} of {fixes} fixes are code actions")
    project.close()


def case_programs(options, folder):
    """The mistakes that are programs by themselves: those of a parse are said by themselves, those
    of the stages behind it where remarks are asked for. The near-misses of valid/ are silent. With
    --turn one of two, by its name: the parse is that of the other doors (test/mistakes/run.py)."""
    place = HERE.parent / "mistakes"
    files, commands = [], {}
    for path in sorted([*place.glob("alone/*.cu"), *place.glob("refused/*.cu"),
                        *place.glob("valid/*.cu")]):  # fmt: skip
        words = mistakes.plugin_options(path)
        is_in_turn = not options.turn or zlib.crc32(path.name.encode()) % 2 == 0
        if words is not None and is_in_turn:
            files.append(path)
            if path.parent.name == "refused":
                words.append("-fplugin-arg-tessera-explain")
            commands[path.name] = f"{COMPILER} {' '.join(words)}"
    texts = {path.name: path.read_text() for path in [*files, *place.glob("refused/*.cuh")]}
    expect(len(commands) == len(files), "files of one name")
    project = make_project(options, folder, texts, commands)
    for path in files:
        expected = [] if path.parent.name == "valid" else mistakes.read(path)[1]
        expect_mistakes(said_of(project, path.name), expected, path.name)
    project.close()


def case_launches(options, folder):
    """Launches that the device would run, in a parse for the host: not those that a directive or a
    macro may keep from it, nor those that only their arguments find."""
    text = """#include <cuda_tile.h>
#ifndef __CUDA_ARCH__
__host__ __device__ void under(int *p);
#endif
namespace ns {
enum value : int { one };
__tile_global__ void found(int *p, value) { p[0] = 1; }
}
__tile_global__ void kernel(int *p) { p[0] = 1; }
__global__ void simt(int *p) { p[0] = 1; }
void host(int *p) { kernel<<<1, 1>>>(p), found<<<1, 1>>>(p, ns::one); }
constexpr int computed(int *p) { return p ? kernel<<<1, 1>>>(p), 1 : 0; }
__host__ __device__ void guarded(int *p) {
#ifndef __CUDA_ARCH__
  simt<<<1, 1>>>(p);
#endif
}
#ifndef __CUDA_ARCH__
__host__ __device__ void under(int *p) { kernel<<<1, 1>>>(p); }
#define OF_HOST(...) __VA_ARGS__
#else
#define OF_HOST(...)
#endif
__host__ __device__ void chosen(int *p) { OF_HOST(simt<<<1, 1>>>(p);) }
"""
    wrong = [
        "__device__ void f(int *p) { simt<<<1, 1>>>(p); }",
        "__host__ __device__ void f(int *p) { simt<<<1, 1>>>(p); }",
        "__host__ __device__ void f(int *p) { kernel<<<1, 1>>>(p); }",
        "template <class T> __host__ __device__ void g(T *p) { simt<<<1, 1>>>(p); }"
        " void f(int *p) { g(p); }",
        "void f(int *p) { [] __host__ __device__(int *p) { simt<<<1, 1>>>(p); }(p); }",
        "__tile__ void f(int *p) { simt<<<1, 1>>>(p); }",
        "__host__ __device__ __tile__ void f(int *p) { kernel<<<1, 1>>>(p); }",
        "void f(int *p) { found<<<1, 1>>>(p, 1); }",
    ]
    project = make_project(options, folder, {"launches.cu": text},
                           {"launches.cu": f"{COMPILER} --cuda-host-only"})  # fmt: skip
    said = project.open("launches.cu")
    expect(not said, texts_of(said))
    line = text.count("\n")
    for each in wrong:
        said = project.change("launches.cu", text + each + "\n")
        errors = [one for one in said if one["severity"] == 1]
        expect(len(errors) == 1 and errors[0]["range"]["start"]["line"] == line, each,
               texts_of(said))  # fmt: skip
    project.close()


def case_header(options, folder):
    """Tile code in a header: what is wrong in its declarations is said once, at the include."""
    header = "#pragma once\n#include <cuda_tile.h>\n" + """
namespace ct = cuda::tiles;
using small = ct::tile<float, ct::shape<4>>;
__tile__ inline small good(small x) { return x + 1.0f; }
template <int N> __tile_global__ void fill(float *p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{64u}}, ct::shape<N>{}};
  view.store(ct::full<ct::tile<float, ct::shape<N>>>(1.0f), ct::bid().x);
}
"""
    bad = header + "__tile_global__ void wrong(small x);\n"
    user = '#include "kernels.cuh"\n\nvoid run(float *p) { fill<8><<<8, 1>>>(p); }\n'
    late = user.replace("void run", "__tile__ auto f(small x) { return good(x) + 2.0; }\nvoid run")
    files = {"kernels.cuh": header, "user.cu": user}
    files.update({"bad.cuh": bad, "other.cu": user.replace("kernels", "bad")})
    project = make_project(options, folder, files,
                           {"user.cu": "clang++-22", "other.cu": "clang++-22"})  # fmt: skip
    for name in ("other.cu", "user.cu", "bad.cuh"):
        project.server.open(project.path(name))
    said = project.server.diagnostics(project.path("user.cu"))
    expect(not said, texts_of(said))
    project.change("user.cu", late)
    one = only(project.server.some_diagnostics(project.path("user.cu")))
    expect(one.get("code", "").startswith("tile:"), one)
    one = only(project.server.some_diagnostics(project.path("other.cu")))
    expect(one["range"]["start"]["line"] == 0 and one["code"].startswith("tile:"), one)
    one = only(project.server.some_diagnostics(project.path("bad.cuh")))
    expect(one["range"]["start"]["line"] == 10 and one["code"].startswith("tile:"), one)
    project.close()


def case_commands(options, folder):
    """A header without any command, commands of nvcc that are broken, letters of all kinds."""
    wrong = "{ return x * 2.0; }\n"
    code = "#include <cuda_tile.h>\nnamespace ct = cuda::tiles;\n/* \u00e4\u20ac\U0001f600 */ " \
        "__tile__ auto f(ct::tile<float, ct::shape<8>> x) " + wrong
    files = {"cut.cu": code, "missing.cu": code, "bare.cu": code, "alone.cuh": code,
             "lines.cu": "\ufeff" + code.replace("\n", "\r\n")}
    commands = {"cut.cu": "nvcc -Xcompiler", "missing.cu": "nvcc --options-file none.rsp",
                "bare.cu": "nvcc"}
    project = make_project(options, folder, files, commands)
    for name in files:
        one = only(project.open(name))
        expect(one.get("code", "").startswith("tile:"), name, one)
    project.close()


def case_edits(options, _):
    """Edits at random in two files: each text is read, and in the end both are as they were."""
    project = shared(options)
    server, first = project.server, project.first
    choice = random.Random(options.seed)
    names = SAMPLES[:2]
    pieces = [
        "ct::", "<", ">", "(", ")", "{", "}", ";", "__tile__ ", "template <int N> ", ".", "->",
        "ct::tile<float, ct::shape<3>>", "requires ", "<<<1>>>", '"', "/*", "#if 0\n", "\n", "::",
        "auto [a, b] = ", "[&](auto x) { return x; }", "__tile_global__ void k(", "operator+", "0",
    ]  # fmt: skip
    for number in range(options.edits):
        name = choice.choice(names)
        text = project.text(name)
        # Now and then back to the whole, so that what is read goes beyond the first error.
        if number % 12 == 0:
            text = first[name]
        at = choice.randrange(len(text))
        end = min(len(text), at + choice.choice([0, 0, 1, 1, 3, 10, 60]))
        new = choice.choice([choice.choice(pieces), "", text[at:end] * 2, choice.choice(text)])
        text = text[:at] + new + text[end:]
        server.change(project.path(name), text)
        place = client.position(text, at + len(new))
        if number % 25 == 0:
            server.diagnostics(project.path(name))
        if number % 30 == 7:
            server.ask("completion", project.path(name), place)
        if number % 30 == 22:
            server.ask("hover", project.path(name), place)
    for name in names:
        said = project.change(name, first[name])
        expect(not said, name, "in the end:", texts_of(said))


def case_unclosed(options, folder):
    """A file that is typed: every prefix of it at the end of a word or so is read."""
    text = """#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <int N> __tile_global__ [[using cutile : hint(900, occupancy=2)]] void k(float *p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{64u}}, ct::shape<N>{}};
  for (auto i : ct::irange(0, 4)) view.store(view.load(i) + view.load(i), i);
}
int main() { k<8><<<8>>>(nullptr); }
"""
    project = make_project(options, folder, {"typed.cu": text})
    expect(not project.open("typed.cu"), "it is not clean")
    start = text.index("template")
    for at in range(start, len(text), 12):
        project.server.change(project.path("typed.cu"), text[:at])
        if at % 5 == 0:
            project.server.diagnostics(project.path("typed.cu"))
    expect(not project.change("typed.cu", text), "in the end it is not clean")
    project.close()


def case_remarks(options, folder):
    """What was decided comes where a .clangd file asks, at its lines, as hints; once without."""
    (folder / ".clangd").write_text("CompileFlags:\n  Add: [-fplugin-arg-tessera-explain]\n")
    project = samples(options, folder)
    said = project.open(SAMPLES[0])
    reads = [one for one in said if "Reads a tile of float" in one["message"]]
    expect(len(reads) == 2, "remarks:", texts_of(said))
    expect(reads[0]["range"]["start"] == project.place(SAMPLES[0], "load_masked(block) +"), reads)
    expect(all(one["severity"] == 4 and one["code"] == "tile:remark" for one in said), said)
    broken = project.text(SAMPLES[0]).replace("block);\n}", "block)\n}")
    said = project.change(SAMPLES[0], broken)
    expect(said and all(one["severity"] == 1 for one in said), texts_of(said))
    project.close()


def case_launcher(options, folder):
    """It says what it is and what it lacks."""

    def run(words, **environment):
        done = subprocess.run(
            [options.program, *words], capture_output=True, text=True, timeout=60, check=False,
            env={**os.environ, **environment}
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    code, out, err = run(["--help"])
    expect(code == 0 and "USAGE: tessera-clangd" in out and not err, code, out, err)
    code, out, err = run(["--version"])
    expect(code == 0 and "version 22" in out, code, out, err)
    code, out, err = run([], TESSERA_CLANGD="/nowhere/clangd")
    expect(code == 2 and "cannot run TESSERA_CLANGD=/nowhere/clangd" in err, code, err)
    other = folder / "clangd"
    other.write_text("#!/bin/sh\necho clangd version 17.0.6\n")
    other.chmod(0o755)
    code, out, err = run([], TESSERA_CLANGD=str(other))
    expect(code == 2 and "is version 17" in err and "apt install clangd-22" in err, code, err)


def work_of_edits(server, path, text, count=5):
    """Processor time from each of some edits in a kernel to its diagnostics."""
    start = server.processor_time()
    for _ in range(count):
        # Another text each time: of the same one clangd says nothing again.
        added = f"int unused{server.versions[path]} = 0;"
        server.change(path, text.replace("int row", f"{added}\n  int row"))
        said = server.diagnostics(path)
        expect(all(one["severity"] > 1 for one in said), texts_of(said))
    return server.processor_time() - start


def case_latency(options, folder):
    """An edit costs little more than with clangd alone. It is the processor's time that counts,
    which what else the machine does disturbs least, and the best of three rounds."""
    text = (ROOT / "samples" / "matmul.cu").read_text()
    command = (
        f"clang++-22 -x cuda -std=c++20 --cuda-path={options.cuda} --offload-arch=sm_90a "
        f"-Wno-unknown-cuda-version -I{ROOT / 'samples'} -isystem {ROOT / 'runtime' / 'include'}"
    )
    project = make_project(options, folder, {"matmul.cu": text}, {"matmul.cu": command})
    path = project.path("matmul.cu")
    plain = client.Server(
        [os.environ.get("TESSERA_CLANGD", "clangd-22"), *WORDS], folder, folder / "plain.log"
    )
    for server in (plain, project.server):
        server.open(path)
        server.diagnostics(path)
        work_of_edits(server, path, text, 1)  # what they do beside the first look ends
    ratios = []
    while len(ratios) < 3 and (not ratios or ratios[-1] > MOST):
        alone, beside = (work_of_edits(server, path, text) for server in (plain, project.server))
        ratios.append(beside / alone)
    plain.close()
    (folder / "plain.log").unlink()
    expect(ratios[-1] <= MOST, "times the work of clangd:", *(f"{one:.2f}" for one in ratios))
    print(f"     an edit takes {ratios[-1]:.2f} times the work of clangd")
    project.close()


def case_end(options, _):
    """The shared server ends as it should, and has made no files."""
    if options.shared:
        options.shared.close()


def main():
    cases = {name[5:]: case for name, case in globals().items() if name.startswith("case_")}
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument(
        "--program",
        type=os.path.abspath,  # servers run in folders of their own
        default=ROOT / "build" / "bin" / "tessera-clangd",
    )
    parser.add_argument("--cuda", default=ROOT / "build/cuda")
    parser.add_argument("--edits", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turn", action="store_true", help="not every program of mistakes")
    parser.add_argument("cases", nargs="*", choices=[[], *cases], default=[])
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tessera-clangd-") as base:
        options.base, options.shared = base, None
        for name in options.cases or cases:
            folder = pathlib.Path(base) / name
            folder.mkdir()
            start = time.monotonic()
            try:
                cases[name](options, folder)
                passed += 1
                print(f"ok   {name} ({time.monotonic() - start:.1f} s)", flush=True)
            except (Failure, client.ServerDied, TimeoutError, RuntimeError) as error:
                failed += 1
                print(f"FAIL {name}: {type(error).__name__}: {error}", flush=True)
                for log in [folder.with_suffix(".log"), *pathlib.Path(base).glob("tmp*.log")]:
                    if log.exists():
                        print("\n".join(log.read_text(errors="replace").split("\n")[-25:]))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
