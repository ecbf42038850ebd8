#!/usr/bin/env python3
"""usage: claims.py --tessera TESSERA [--nvcc NVCC] [--all]

What `tessera explain` says of the samples' kernels is read again from the emitted text: elements,
shapes and vector widths, tests of alignment and bounds with the numbers to write, multiplies with
their operands and instructions, stages, shared bytes, launch bounds; and the lines that belong
together from its #line directives. A remark of a kind that is not read again is a failure, too.
With nvcc the registers of a sample, with --all of two, are compared with what ptxas prints.

Without --all these are FEW of the samples. Ends with 'N passed, N failed'."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BYTES = {"float": 4, "int": 4, "unsigned": 4, "half": 2, "bf16": 2, "tf32": 4, "double": 8,
         "short": 2, "char": 1, "signed char": 1, "unsigned char": 1, "long long": 8,
         "fp8_e4m3": 1, "fp8_e5m2": 1}
RUNTIME = {"__half": "half", "__nv_bfloat16": "bf16", "__nv_tf32": "tf32",
           "__nv_fp8_e4m3": "fp8_e4m3", "__nv_fp8_e5m2": "fp8_e5m2",
           # In the text bytes have no sign.
           "char": "signed char", "unsigned char": "signed char"}  # its names of elements
# What the checks below read of a remark.
READ = re.compile(
    r"(reads|copies|writes) a tile of .* accesses of \d+ bytes per thread"
    r"|alignment is tested at run time: "
    r"|rows that are not aligned to \d+ bytes are (read by aligned groups|rotated in the tile)"
    r"|each element is compared with the extent"
    r"|this write is a bulk store"
    r"|accesses are no wider: (a row of this tile|this tile) has "
    r"|multiplies .* (on the tensor cores, with|with fused)"
    r"|the loop's operands are copied |the tiles that the loop loads are copied "
    r"|these copies are bulk copies|the loop waits for|"
    r"partial results of the warps go "
    r"|a tile of .* goes through \d+ bytes of shared"
    r"|.*: \d+ warps? \(\d+ threads\) and \d+ bytes"
    r"|.*: (a block|an iteration) reads .* are in flight, for up to \d+ % of the peak of memory$"
    r"|.*: (a|there is no) version (is )?for launches whose views are all aligned"
    r"|where not all views are aligned, each lane of a warp accesses a single element of \d+ bytes"
)

# Bulk copies and multiplies of warpgroups, mixed elements, reductions, exchanges of lanes.
FEW = ("matmul", "dequant_matmul", "layer_norm", "transpose")

failures = []


def check(is_right, *what):
    if not is_right:
        failures.append(" ".join(map(str, what)))


def run(*words, **more):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True,
                          cwd=ROOT, **more)


# An expression without a comma, but in parentheses, four of which may be within one another.
IN_PARENTHESES = r"[^{},()]*"
for _ in range(4):
    IN_PARENTHESES = rf"(?:[^{{}},()]|\((?:{IN_PARENTHESES}|,)*\))*"


class Text:
    """An emitted kernel, as its text says it."""

    def __init__(self, text, lines):
        self.text = text
        self.access = {}  # alias -> (vector, guarded, checked dimensions)
        for name, inner in re.findall(r"using (\w+) = access_by<(.*)>;", text):
            vector, along, alignment, *bounds = inner.split(", ")
            if len(bounds) == 1:
                bounds *= int(along) + 1
            self.access[name] = (int(vector), alignment.endswith("guarded"),
                                 [i for i, b in enumerate(bounds) if b.endswith("checked")])
        self.bases = {name: self.root(base) for name, base in re.findall(
            rf"view<[^{{]*> (\w+)\{{({IN_PARENTHESES}),", text)}
        self.shapes = {name: shape.replace(", ", "x") for name, shape in re.findall(
            r"using (\w+) = (?:layout|shared_tile)<(?:[\w ]+, )?shape<([\d, ]*)>", text)}
        self.elements = dict((name, element) for element, name in
                             re.findall(r"view<(?:const )?([\w ]+), \d+> (\w+)\{", text))
        self.shared, self.tiles = {}, {}  # alias -> bytes; -> (element, shape)
        for name, element, shape in re.findall(
                r"using (\w+) = shared_tile<([\w ]+), shape<([\d, ]*)>", text):
            size = BYTES[element]
            for extent in shape.split(", "):
                size *= int(extent)
            self.shared[name], self.tiles[name] = size, (element, shape.replace(", ", "x"))
        self.at = {}  # line of the program -> statements, by #line
        line = 0
        for statement in text.split("\n"):
            if found := re.match(r"#line (\d+)", statement):
                line = int(found[1])
            else:
                self.at.setdefault(line, []).append(statement)
        self.own, self.tied = {}, {}  # the same, by the map of the page: its first location; all
        for statement, *locations in lines:
            for location in locations[:1]:
                self.own.setdefault(location[1], []).append(statement)
            for location in locations:
                self.tied.setdefault(location[1], []).append(statement)

    def root(self, address):
        """The variable, mostly a parameter, that an address is worked out from."""
        name = re.search(r"\w+", re.sub(r"\([^()]*\*\)", "", address))[0]
        found = re.search(r"signed char \*const " + name + r" = (.*);", self.text)
        return self.root(found[1]) if found else name

    def accesses(self, line):
        """(verb, element, memory, bytes at once, elements at once, guarded, checked dimensions,
        rotated) of the line's accesses of views."""
        found = []
        for statement in self.own.get(line, []):
            for verb, alias, view in re.findall(
                    r"(load(?:_rotated)?<\w+, |store(?:_rotated)?<|copy_async<)(\w+)(?:, [\w:]+)*>"
                    r"\((?:shared_\w+<\w+>\([^()]*\), )?(\w+),", statement):
                vector, guarded, checked = self.access[alias]
                # Weights come by aligned groups that are shifted to another array's rotation.
                is_rotated = "_rotated" in verb and "rotation::other" not in statement
                verb = {"load": "reads", "stor": "writes"}.get(verb[:4], "copies")
                element = element_of(self.elements[view])
                found.append((verb, element, self.bases.get(view), vector * BYTES[element], vector,
                              guarded, checked, is_rotated))
        return found

    def boxes(self, line):
        """(shape, name of memory) of the line's loads and copies."""
        return {(self.shapes[alias], self.bases.get(view)) for statement in self.own.get(line, [])
                for alias, view in
                re.findall(r"load(?:_rotated)?<(\w+), \w+[^<>]*>\((\w+),", statement)
                + re.findall(r"copy_async<[^(]*\(shared_\w+<(\w+)>\([^()]*\), (\w+),", statement)}


def check_figures(where, kernel, target):
    """What the first remark says of a block, by what the GPU has."""
    text = kernel["remarks"][0]["text"]
    said = re.search(r": (\d+) warps? \((\d+) threads\) and (\d+) bytes of shared memory per "
                     r"block; these limits allow (\d+) per SM", text)
    warps, threads, size, blocks = map(int, said.groups())
    check((warps, threads, size) == (kernel["warps"], kernel["threads"], kernel["sharedBytes"]),
          where, "figures of the remark")
    wished = re.search(r"compiled with registers for (\d+) blocks? per SM", text)
    check(int(wished[1] if wished else 0) == kernel["wishedBlocks"], where, "registers to leave")
    if target == "sm_90a":
        fit = min(32, 2048 // threads, 228 * 1024 // (size + 1024))
        check(blocks == fit, where, blocks, "blocks fit an SM, and not", fit)


def element_of(words):
    return RUNTIME.get(words, words)


def check_access(at, remarks, accesses, boxes):
    """What remarks say of a line's reads, copies and writes of views."""
    said = {(verb, element_of(element), name, int(n)) for r in remarks for verb, element, name, n in
            re.findall(r"^(reads|writes|copies) a tile of ([^,]*), .* (?:from|to) '(\w+)'"
                       r".* accesses of (\d+) bytes per thread", r)}
    check(said == {a[:4] for a in accesses}, at, "says", said, "and does", accesses)
    read = {(shape, name) for r in remarks for shape, name in re.findall(
        r"^(?:reads|copies) a tile of [^,]*, ([\dx]+) from '(\w+)'", r)}
    check(read <= boxes, at, "names", read, "and reads", boxes)
    tests = [(name, int(n)) for r in remarks for name, n in re.findall(
        r"alignment is tested at run time: (.*) is not known to be a multiple of (\d+)", r)]
    check(bool(tests) == any(a[5] for a in accesses), at, "alignment")
    tested = {n for a in accesses if a[5] for n in a[3:5]}
    check({n for _, n in tests} <= tested, at, "multiples of", tests, "are not", tested)
    shifted = {int(n) for r in remarks for n in re.findall(
        r"rows that are not aligned to (\d+) bytes are read by aligned groups", r)}
    check(shifted == {a[3] for a in accesses
                      if a[0] == "reads" and a[4] >= 4 and a[5] and not a[7]}, at,
          "shifts", shifted, "and does", accesses)
    rotates = any(re.match(r"rows that are not aligned to \d+ bytes are rotated", r)
                  for r in remarks)
    check(rotates == any(a[7] for a in accesses), at, "rotates", rotates, "and does", accesses)
    compared = [(int(d), int(n or 0)) for r in remarks for d, n in re.findall(
        r"compared with the extent of dimension (\d)(?:: \w+ is not known to be a multiple of "
        r"(\d+))?", r)]
    dimensions = {d for d, _ in compared}
    check(dimensions == {d for a in accesses for d in a[6]}, at, "bounds", dimensions, accesses)
    shapes = [shape.split("x") for r in remarks for shape in re.findall(
        r"^(?:reads|copies|writes) a tile of [^,]*, ([\dx]+) ", r)]
    for d, n in compared:
        check(not n or str(n) in {shape[d] for shape in shapes if d < len(shape)}, at,
              "a multiple of", n, "is no extent of", shapes)


def check_width(at, remarks, accesses, threads):
    """Why an access is not wider: the bytes that are said are those of the widest instruction."""
    for remark in remarks:
        if found := re.match(r"accesses are no wider: (?:a row of this|this) tile has (?:at most )?"
                             r"(\d+) bytes(?: for each of (\d+) threads)?", remark):
            check(any(a[3] == int(found[1]) for a in accesses), at, remark, "and does", accesses)
            check(int(found[2] or threads) == threads, at, remark, "and there are", threads)


def check_multiply(at, remarks, statements, tiles):
    """Which unit multiplies what."""
    used = re.findall(r"\b(mma_fma|mma_of_warpgroups|mma_start|mma)(?:<\w+>)?\((.*)", statements)
    said = [found for r in remarks for found in re.findall(
        r"^multiplies ([^,]*), ([\dx]+) by ([^,]*), ([\dx]+) (on the tensor cores, with (\S+)|with "
        r"fused multiply-adds)", r)]
    units = {"fma" if "fused" in words else instruction.strip(":").split(".")[0]
             for *_, words, instruction in said}
    done = {{"mma_fma": "fma", "mma": "mma"}.get(name, "wgmma") for name, _ in used}
    check(units == done, at, "multiplies by", units, "and does by", done)
    operands = {(element_of(element), shape) for a, m, b, n, *_ in said
               for element, shape in ((a, m), (b, n))}
    shared = {tiles[alias] for _, rest in used
              for alias in re.findall(r"shared_(?:slot|at)<(\w+)>", rest)}
    check(shared <= operands, at, "operands", operands, "and in the text", shared)


def check_exchanges(at, remarks, statements, parsed):
    """What goes through shared memory, and how much of it."""
    stored = {parsed.tiles[alias] + (parsed.shared[alias],) for alias in
              re.findall(r"store_shared(?:_first)?\(shared_at<(\w+)>", statements)}
    tiles = [found for r in remarks for found in re.findall(
        r"^a tile of ([^,]*), ([\dx]+) goes through (\d+) bytes of shared memory", r)]
    partials = [(element, shape, n) for r in remarks for n, element, shape in re.findall(
        r"warps go through (\d+) bytes of shared memory, as ([^,]*), ([\dx]+):", r)]
    said = {(element_of(element), shape, int(n)) for element, shape, n in tiles + partials}
    check(said <= stored, at, "exchanges", said, "and stores", stored)
    check(bool(said) == bool(stored) or any(
        "waits for" in r or "loop-invariant" in r for r in remarks), at,
          "stores", stored, "and speaks of", said)


TRAFFIC = re.compile(
    r".*: (a block|an iteration) reads (.+) and writes (.+); with (\d+ blocks?) per SM (.+) are in "
    r"flight, for up to (\d+) % of the peak of memory"
)


def check_traffic(where, remarks, head):
    """What memory has to do is said in front of the text, too, of kernels that multiply nothing."""
    said = [found.groups() for remark in remarks if (found := TRAFFIC.fullmatch(remark))]
    comment = re.findall(
        r"^// (A block|An iteration) reads (.+) and writes (.+); (\d+ blocks?) per SM, (.+) in "
        r"flight: up to (\d+) % of the peak of memory\.$", head, re.M)
    words = [(first.lower(), *rest) for first, *rest in comment]
    check(said == words, where, "memory:", said, "and in the text", words)


def check_kernel(where, kernel, emitted):
    lines = kernel["lines"]
    name = kernel["id"] + "_simt("
    heading = emitted.index("\n// " + kernel["id"] + ",")
    start = emitted.index("static __global__ void", heading)
    check_traffic(where, [r["text"] for r in kernel["remarks"]], emitted[heading:start])
    text = emitted[start:emitted.index("\n}\n", start) + 2]
    check(name in text, where, "is not in the text")
    own = [line for line in text.split("\n") if not line.startswith("#line")]
    listed = [line[0] for line in lines]
    while listed and listed[0].startswith("//"):
        del listed[0]
    check(own == listed, where, "lists other lines than the text has")
    parsed = Text(text, lines)

    bounds = re.search(r"__launch_bounds__\((\d+)(?:, (\d+))?\)", text)
    check(int(bounds[1]) == kernel["threads"] == 32 * kernel["warps"], where, "threads")
    check(int(bounds[2] or 0) == kernel["wishedBlocks"], where, "blocks that are wished for")
    row = re.search(re.escape(kernel["id"]) + r"_registration\{.*?\{\{\d+, (\d+), (\d+)", emitted,
                    re.S)
    check((int(row[1]), int(row[2])) == (kernel["threads"], kernel["sharedBytes"]), where, "plan")
    check(all(s["offset"] + s["bytes"] <= kernel["sharedBytes"] for s in kernel["shared"]), where,
          "shared tiles beyond the block's shared memory")

    check_figures(where, kernel, kernel["target"])
    has_version = any("a version is for launches whose views" in r["text"]
                      for r in kernel["remarks"])
    check(not has_version or "allows_chunks<" in text, where, "has no version")
    said = {}  # line of the program -> remarks
    for remark in kernel["remarks"]:
        said.setdefault(remark["location"][1], []).append(remark["text"])
    for line in set(said) | set(parsed.own):
        remarks, accesses = said.get(line, []), parsed.accesses(line)
        at = f"{where}, line {line}:"
        statements = "\n".join(parsed.own.get(line, []))
        for remark in remarks:
            check(READ.match(remark), at, "nothing reads this again:", remark)
        check_access(at, remarks, accesses, parsed.boxes(line))
        check_width(at, remarks, accesses, kernel["threads"])
        check_multiply(at, remarks, statements, parsed.tiles)
        check_exchanges(at, remarks, statements, parsed)
        goes_out = any(r.startswith("this write is a bulk store") for r in remarks)
        check(goes_out == ("store_bulk" in statements), at, "bulk stores")
        for stages, size in (map(int, m) for r in remarks for m in
                             re.findall(r"into (\d+) stages of (\d+) bytes", r)):
            # By its place: a copy may know a stage by another shape than the multiply.
            rings = {place: alias for alias, place in
                     re.findall(r"shared_slot<(\w+)>\((\d+)", text)}
            check(sum(parsed.shared[alias] for alias in rings.values()) == size, at, "stages of",
                  size)
            ahead = stages - (2 if "mma_start" in text else 1)
            is_awaited = re.search(rf"(?:wait_group|consumer_wait)<{ahead - 1}>\(", text)
            check(is_awaited, at, stages, "stages")
            is_bulk = any("bulk copies" in r for r in remarks)
            check(is_bulk == ("init_barriers<" in text), at, "bulk copies")
            words = f"copied {ahead} iteration{'s' if ahead > 1 else ''} ahead"
            check(any(words in r for r in remarks), at, "is not", words)
    # What #line says of a statement, the map says too: its line is among those tied to it.
    for line, statements in parsed.at.items():
        tied = parsed.tied.get(line, [])
        first = next((s for s in statements if s.strip() != "}"), None)
        check(not line or not first or first in tied, where, "line", line, "is not tied to", first)


# Where no program shows a remark. LLVM and the plan leave no loop of one iteration, and no operand
# that is stored twice, as far as known: test/plan/pipeline-loops.mlir has the mark that
# WaitsForOneIteration reports, test/plan/reread-operands.mlir that of WaitsForUses.
TESTED_ELSEWHERE = ["Registers", "WaitsForOneIteration", "WaitsForUses"]


def check_rows():
    """Each row of Remarks.def is in an expectation of a test; that of registers is tested here."""
    rows = (ROOT / "plugin/explain/Remarks.def").read_text()
    expected = " ".join(path.read_text() for path in (ROOT / "test").glob("[ed]*/*.cu"))
    for name, text in re.findall(r'^TESSERA_REMARK\((\w+), \w+,((?:\s*"[^"]*")+)', rows, re.M):
        text = "".join(re.findall(r'"([^"]*)"', text)[:text.count('"') // 2])
        longest = max(re.split(r"%\d", text), key=len).strip()[:60]
        is_tested = name in TESTED_ELSEWHERE or longest in expected
        check(is_tested, "no test expects the remark", name)
        says_when = re.search(r"; if [^;]*, write$", text)
        check(bool(says_when) == text.endswith("write"), "the remark does not say when:", name)


def check_registers(source, tessera, nvcc, folder):
    said = run(tessera, "explain", "--registers", source).stderr
    text = folder / "text.cu"
    run(tessera, source, "-o", text)
    report = run(nvcc, "-std=c++20", "-w", "-cubin", "-arch=sm_90a", "-Xptxas=-v",
                 "-I", ROOT / "runtime/include", "-I", ROOT / "samples", text, "-o",
                 folder / "text.cubin")
    wanted = sorted(re.findall(r"Used (\d+) registers", report.stdout + report.stderr))
    found = sorted(re.findall(r"ptxas allocates (\d+) registers", said))
    check(wanted and found == wanted, source, "registers", found, "and ptxas says", wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", type=pathlib.Path, required=True)
    parser.add_argument("--nvcc", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    names = [path.stem for path in sorted(ROOT.glob("samples/*.cu"))] if options.all else FEW
    count = 0
    check_rows()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for sample in names:
            source = f"samples/{sample}.cu"
            page = folder / "page.html"
            run(options.tessera, "explain", "--registers=false", source, "-o", page)
            data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>',
                                        page.read_text(), re.S)[1])
            emitted = run(options.tessera, source, "-o", "-").stdout
            check(data["kernels"], source, "has no kernel")
            count += len(data["kernels"])
            for kernel in data["kernels"]:
                check_kernel(f"{source}, {kernel['name']}", kernel, emitted)
        if options.nvcc and options.nvcc.exists():
            for sample in ("transpose", "matmul") if options.all else ("transpose",):
                check_registers(f"samples/{sample}.cu", options.tessera, options.nvcc, folder)
        else:
            print("claims.py: no nvcc: registers were not compared")
    for failure in failures:
        print("claims.py:", failure)
    print(f"{max(0, count - len(failures))} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
