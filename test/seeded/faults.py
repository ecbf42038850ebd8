"""Where an emitted text may be wrong, and how: all faults of a text as choices within it.

A line of a kernel becomes `if (seeded::is(7)) { FAULTY } else { RIGHT }`, a value `seeded::is(8) ?
FAULTY : RIGHT`. So one compilation holds every fault, and SEEDED=N chooses one (seeded.h). A kind
of fault is a function of a line that yields lines that may stand in its place.
"""

import re
from dataclasses import dataclass

KINDS = []
# Statements that order or wait, and are nothing else.
ORDER = r"(?:barrier|fence_shared|fence_memory|commit_group|wait_group(?:<\d+>)?|mma_wait(?:<\d+>)?"
ORDER += r"|producer_acquire|consumer_wait|consumer_release|wait_stores<\d+>|mma_finish"
ORDER += r"|sync_warp)\("
# What such a statement is ordered with, where that is not every access of memory: moved past
# anything else it is the same.
ORDERED_WITH = {
    "commit_group": r"\b(?:copy_async|wait_group)\w*[<(]",
    "wait_group": r"\b(?:copy_async|commit_group|shift_rows|round_copied|barrier)\w*[<(]|shared_",
    "mma_wait": r"\b(?:mma_(?!done)|copy_async|release|barrier|store_parts)\w*[<(]|shared_",
    "wait_stores": r"\b(?:store_bulk|store_parts|copy_async|barrier)\w*[<(]|shared_",
    # Not with a barrier: a fence of who reads is as good, behind it, as one of who wrote.
    "fence_shared": r"\b(?:copy_async|mma_|store_bulk|store_parts)\w*[<(]|shared_",
    "fence_memory": r"\b(?:copy_async|mma_|store_bulk|store_parts)\w*[<(]|shared_",
    "consumer_wait": r"\b(?:copy_async|commit_group|shift_rows|round_copied|barrier)\w*[<(]"
    r"|shared_",
    "consumer_release": r"\b(?:mma_wait|mma_start|consumer_wait|producer_acquire|barrier)\w*[<(]"
    r"|\bstore_parts\w*[<(]|shared_",
}
# Statements that move elements.
MOVES = r"(?:copy_async\w*|store\w*|shift_rows|round_copied|atomic_\w+|mma_start)[<(]"
# Kinds whose faults may not compile: another type.
OF_TYPES = ["wrong swizzle", "wrong layout basis", "mask dropped", "signed for unsigned"]
OF_TYPES += ["alignment taken for proven"]
NO_STATEMENT = ("for", "if", "else", "while", "return", "const ", "auto ", "using", "#", "}", "//")


@dataclass
class Fault:
    number: int
    kind: str
    line: int  # of the text without faults
    right: str
    variant: str
    place: str  # "128 threads: the line before >> the line >> the line behind"

    @property
    def group(self):
        """What one mistake of the compiler's would do at every such place."""
        if self.kind == "signed for unsigned":  # of a line's several functions this one
            same = next(i for i, c in enumerate(self.right) if c != self.variant[i : i + 1])
            return f"{self.kind}: {re.findall(r'[a-z]+(?=_)', self.right[: same + 1])[-1]}"
        calls = re.findall(r"\b([a-z]\w*)(?:<[^;]*?>)?\(", self.right)
        calls = [c for c in calls if c not in ("if", "unsigned", "int", "for")]
        calls.sort(key=lambda c: c.startswith(("shared_", "relabel", "cast")))
        return f"{self.kind}: {calls[0] if calls else self.right.split(' ')[0]}"


def kind(name):
    def register(function):
        KINDS.append((name, function))
        return function

    return register


def is_statement(line):
    text = line.strip()
    return (
        text.endswith(";")
        and not text.startswith(NO_STATEMENT)
        and not re.match(
            r"(?:unsigned|int|int64|uint64|bool|float|double|layout|view|alignas)\b.* = ", text
        )
    )


def behind(text, first):
    """The end of what the parenthesis, brace or angle at `first` opens."""
    pairs, depth = {"(": ")", "<": ">", "{": "}"}, 0
    for at in range(first, len(text)):
        depth += text[at] == text[first]
        depth -= text[at] == pairs[text[first]]
        if depth == 0:
            return at + 1
    return None


def arguments(text):
    """Of a call's text between the parentheses: split at its own commas."""
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        depth += c in "(<{["
        depth -= c in ")>}]"
        if c == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


# Kinds over whole statements: each yields another statement, "" for none.


@kind("left out: barrier, fence, wait, commit or release")
def omitted_order(line, context):
    if re.match(ORDER, line):
        yield ""


@kind("left out: copy, store or shift")
def omitted_move(line, context):
    if re.match(MOVES, line) or re.match(r"if \(\w+\) " + MOVES, line):
        yield ""


@kind("wait count off by one")
def wait_count(line, context):
    found = re.match(r"(wait_group|consumer_wait|mma_wait|wait_stores)<(\d+)>", line)
    if found:
        more = line.replace(f"<{found[2]}>", f"<{int(found[2]) + 1}>", 1)
        yield more


@kind("stage not advanced")
def kept_stage(line, context):
    if re.match(r"(?:read|fill|before|next\w*|phase\w*) = \w+;", line):
        yield ""


@kind("predicate dropped")
def no_predicate(line, context):
    found = re.match(r"if \((\w+)\) (.*;)$", line)
    if found:
        yield found[2]


@kind("box's indices exchanged")
def exchanged_box(line, context):
    found = re.search(r"\{(\w+), (\w+)\}", line)
    if found and is_statement(line) or re.match(r"if \(\w+\) copy_async.*\{\w+, \w+\}", line):
        found = re.search(r"\{(\w+), (\w+)\}", line)
        if found[1] != found[2]:
            yield line.replace(found[0], f"{{{found[2]}, {found[1]}}}", 1)


@kind("wrong swizzle")
def wrong_swizzle(line, context):
    found = re.search(r"shared_(?:at|slot)<(\w+)>", line)
    type = found and context["aliases"].get(found[1], "")
    # Bulk copies and multiplies take no other.
    if not type or not re.match(r"store_shared|(const )?auto \w+ = load_shared", line):
        return
    other = re.sub(r"panels<[^<>]*>", "swizzle<0, 0, 0>", type)
    other = re.sub(r"swizzle<(?!0, 0, 0>)[^<>]*>", "swizzle<0, 0, 0>", other)
    if other != type:
        yield line.replace(f"<{found[1]}>", f"<{other}>", 1)


@kind("wrong layout basis")
def wrong_basis(line, context):
    found = re.match(r"(store\w*(?:<[^;=]*?>)?)\((.*)\);$", line)
    if not found or not is_statement(line) or "_bulk" in line or "once" in line:
        return
    words = arguments(found[2])
    for at in (2, 1):
        if at < len(words) and re.search(r"[a-z_]\w*", words[at]) and "view" not in words[at]:
            words[at] = f"seeded::wrong_basis({words[at]})"
            yield f"{found[1]}({', '.join(words)});"
            return


@kind("mask dropped")
def no_mask(line, context):
    """Bounds of a view, or the mask of pointers."""
    found = re.search(r"\b(by_\w+)\b", line)
    type = found and context["aliases"].get(found[1], "")
    if type and "bounds::checked" in type:
        yield re.sub(rf"\b{found[1]}\b", type.replace("bounds::checked", "bounds::inside"), line)
    found = re.search(r"\b(load|store|copy_async)<\d+(?:, \w+::\w+)*>\(", line)
    if found:
        end = behind(line, found.end() - 1)
        words = arguments(line[found.end() : end - 1])
        if len(words) == 3:
            kept = words[:1] if found[1] == "load" else words[:2]
            other = f"{line[: found.end()]}{', '.join(kept)}){line[end:]}"
            yield other


@kind("alignment taken for proven")
def alignment(line, context):
    found = re.search(r"\b(by_\w+)\b", line)
    type = found and context["aliases"].get(found[1], "")
    if type and "alignment::guarded" in type and "allows_chunks" not in line:
        yield line.replace(found[1], type.replace("guarded", "proven"), 1)
    if re.search(r"\b(?:load|store|copy_async)<\d+, alignment::guarded", line):
        yield line.replace("alignment::guarded", "alignment::proven", 1)


@kind("one bit of a mask for a group")
def shared_mask(line, context):
    found = re.search(r"\b(load|store|copy_async)<(\d+)(?:, (alignment::\w+))?>\(", line)
    if found and len(arguments(line[found.end() : behind(line, found.end() - 1) - 1])) == 3:
        how = f"{found[2]}, {found[3] or 'alignment::proven'}, masks::shared"
        yield f"{line[: found.end(1)]}<{how}>({line[found.end() :]}"


@kind("signed for unsigned")
def wrong_sign(line, context):
    for found in re.finditer(
        r"\b(min|max|cast|shr|div|rem|lt|ge|floordiv)_unsigned((?:<\w+>)?)\(", line
    ):
        end = behind(line, found.end() - 1)
        other = found[1] + found[2] + line[found.end() - 1 : end]
        if found[1] in ("lt", "ge") or end is None:
            continue
        yield line[: found.start()] + other + line[end:]


# Kinds over numbers within a line.


@kind("stage off by one")
def wrong_stage(line, context):
    for found in re.finditer(r"(shared_slot<\w+>\(\d+, |arrivals, )(\w+)\)", line):
        at, end = found.start(2), found.end(2)
        other = f"({found[2]} > 0 ? {found[2]} - 1 : {found[2]} + 1)"
        yield line[:at] + other + line[end:]


@kind("stage wraps early or late")
def wrong_wrap(line, context):
    found = re.search(r"\((read|fill)\w* == (\d+)\) \? 0", line)
    if found:
        for more in (-1, 1):
            end = found.end(2)
            yield f"{line[:end]} + {more}{line[end:]}"


@kind("stage begins wrong")
def wrong_begin(line, context):
    found = re.match(r"int (?:read|fill|next)\w* = (\d+);", line)
    if found:
        yield f"{line[:-1]} + {-1 if found[1] != '0' else 1};"


@kind("phase begins wrong")
def wrong_phase(line, context):
    found = re.match(r"((?:const )?auto \w+ = )(init_(?:pipeline_)?barriers<.*\));$", line)
    if found:
        yield f"{found[1]}seeded::wrong_phase({found[2]});"


@kind("arrivals off by one")
def wrong_arrivals(line, context):
    """Copies of a stage, or those that release it."""
    found = re.search(r"= init_barriers<\d+, (\d+)|= init_pipeline_barriers<\d+, \d+, (\d+)", line)
    at = found and found.lastindex
    for more in (-1, 1) if found else ():
        yield f"{line[: found.start(at)]}{int(found[at]) + more}{line[found.end(at) :]}"


@kind("wrong map")
def wrong_map(line, context):
    found = re.search(r"= (?:given|needed)_map<\d+, ([1-9]\d*)>", line)
    if found:
        yield f"{line[: found.start(1)]}{int(found[1]) - 1}{line[found.end(1) :]}"


@kind("bound off by one")
def wrong_bound(line, context):
    head = re.match(r"(for \(.*?; \w+ (?:<|<=|>|>=) )([^;]*?)((?: && [^;]*)?)(; .*\{)$", line)
    if head:
        for more in (-1, 1):
            yield f"{head[1]}{head[2]} + {more}{head[3] or ''}{head[4]}"
    found = re.match(r"(const bool \w+ = .* (?:<|>=) )(.*);$", line)
    if found and "&&" not in line and "(" not in found[1][12:]:
        yield f"{found[1]}{found[2]} + 1;"


@kind("remainder forgotten")
def no_remainder(line, context):
    found = re.search(r"\((\w+) \+ (\d+)u?\) / (\d+)u?", line)
    if found and int(found[2]) == int(found[3]) - 1:
        at, end = found.start(2), found.end(2)
        yield f"{line[:at]}0{line[end:]}"


@kind("wrong place in shared memory")
def wrong_offset(line, context):
    for found in re.finditer(r"shared_(?:at|slot)<\w+>\((\d+)", line):
        at = found.end(1)
        yield f"{line[:at]} + 16{line[at:]}"


@kind("index off")
def wrong_index(line, context):
    found = re.search(r"unsigned\((?:i|stage|row|column|work_tile|n_\d+)\w*\) \* (\d+)u", line)
    if found:
        yield f"{line[: found.start(1)]}{int(found[1]) + 1}{line[found.end(1) :]}"


@kind("wrong warp")
def wrong_warp(line, context):
    found = re.search(r"warp_index\(\) (==|!=|>=|<) (\d+)", line)
    if found:
        yield f"{line[: found.end()]} + 1{line[found.end() :]}"


def is_alone(line):
    """A statement that orders, which may stand elsewhere."""
    return re.match(ORDER, line) is not None


def joined(line, variants):
    """The line with all its faults as choices, by what kind of a line it is; those that fit."""
    ask = lambda f, other: f"seeded::is({f.number}) ? {other} : "
    head = re.match(r"(for \(.*?; )([^;]*)(; .*\{)$", line)
    if head:
        conditions = [ask(f, re.match(r"for \(.*?; ([^;]*);", f.variant)[1]) for f in variants]
        return f"{head[1]}{''.join(conditions)}{head[2]}{head[3]}"
    if found := re.match(r"if \((.*)\) \{$", line):
        conditions = [ask(f, re.match(r"if \((.*)\) \{$", f.variant)[1]) for f in variants]
        return f"if ({''.join(conditions)}{found[1]}) {{"
    declared = re.match(r"((?:const |static )*[\w:]+(?:<[^=]*>)? \w+ = )(.*);$", line)
    if declared and not is_statement(line):
        values = [ask(f, f.variant[len(declared[1]) : -1]) for f in variants]
        return f"{declared[1]}{''.join(values)}{declared[2]};"
    chain = "".join(f"if (seeded::is({f.number})) {{ {f.variant} }} else " for f in variants)
    return f"{chain}{{ {line} }}" if chain else line


class Seeder:
    """One text, read once."""

    def __init__(self, text, without):
        """without: numbers of faults that do not compile, and are not made."""
        self.lines = [line for line in text.splitlines() if not line.startswith("#line")]
        self.without, self.faults, self.number = without, [], 0
        self.threads = ""  # of the kernel

    def fault(self, kind, at, line, variant):
        around = [self.lines[n].strip() for n in (at - 1, at, at + 1)]
        place = f"{self.threads} threads: {' >> '.join(around)}"
        fault = Fault(self.number, kind, at, line, variant, place)
        self.number += 1
        if fault.number in self.without:
            return []
        self.faults.append(fault)
        return [fault]

    def moves(self, at):
        """[fault], lines in front, lines behind: what orders, one statement early or late."""
        line = self.lines[at].strip()
        before, behind = self.lines[at - 1].strip(), self.lines[at + 1].strip()
        if not is_alone(line):
            return [], None, None
        ordered = ORDERED_WITH.get(re.match(r"\w+", line)[0], r"\w[<(]")
        late = early = []
        # Two that order change places as a fault of the first.
        if is_statement(behind) and re.search(ordered, behind) and behind != line:
            late = self.fault("one statement late", at, line, "")
        if is_statement(before) and re.search(ordered, before) and not is_alone(before):
            early = self.fault("one statement early", at, line, "")
        extra = lambda faults: "".join(f"if (seeded::is({f.number})) {{ {line} }} " for f in faults)
        return [*late, *early], extra(early), extra(late)

    def text(self):
        lines, aliases, is_kernel, out, pending = self.lines, {}, False, [], {}
        heads = [i for i, x in enumerate(lines) if x.startswith("namespace tessera::kernels")]
        ends = [i for i, x in enumerate(lines) if x.startswith("} // namespace tessera::kernels")]
        ranges = list(zip(heads, ends))
        begins = {}  # of lines, in what is made of them
        for at, line in enumerate(lines):
            if not any(a < at < b for a, b in ranges):
                out.append((at, line))
                continue
            if re.match(r"(?:static )?__global__ .*_simt\(", line):
                is_kernel, aliases = True, {}
                bounds = re.search(r"__launch_bounds__\((\d+)", line)
                self.threads = bounds[1] if bounds else "any"
            elif line.startswith("}"):
                is_kernel = False
            if alias := re.match(r"\s*using (\w+) = (.*);$", line):
                aliases[alias[1]] = alias[2]
            if not is_kernel or alias:
                out.append((at, line))
                continue
            made, variants = line.strip(), []
            for name, function in KINDS:
                for other in function(made, {"aliases": aliases}):
                    variants += self.fault(name, at, made, other)
            moved, front, back = self.moves(at)
            if front:
                out.insert(begins[at - 1], (at, front))
            begins[at] = len(out)
            out.append((at, joined(made, variants + moved)))
            if pending.get(at):
                out.append((at, pending[at]))
            if back:
                pending[at + 1] = back
        return out
