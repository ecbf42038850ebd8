#!/usr/bin/env python3
"""A reader of Tile IR bytecode, 13.1 to 13.4: bytes -> Module, and a printer of it.

    decode.py FILE.tilebc ...          prints functions as text
    decode.py --count FILE.tilebc ...  counts operations
The table OPERATIONS is the format of all operations; nothing else knows one by name.
"""

import json
import struct
import sys
from collections import Counter
from dataclasses import dataclass, field

ENUMS = {
    "rounding": [
        "nearest_even",
        "zero",
        "negative_inf",
        "positive_inf",
        "approx",
        "full",
        "nearest_int_to_zero",
        "nearest_away",
    ],
    "overflow": ["none", "nsw", "nuw", "nw"],
    "signedness": ["unsigned", "signed"],
    "predicate": [
        "equal",
        "not_equal",
        "less_than",
        "less_than_or_equal",
        "greater_than",
        "greater_than_or_equal",
    ],
    "ordering": ["unordered", "ordered"],
    "memory": ["weak", "relaxed", "acquire", "release", "acq_rel"],
    "scope": ["tl_blk", "device", "sys"],
    "mode": ["and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg"],
    "visibility": ["public", "private"],
}

# opcode name [since] | results | attributes | operands | regions. In the order of the bytes:
#   opcode; result types: a number of them, or * = counted; a word of flags; attributes; operands;
#   the number of regions and the regions.
# attribute: KIND, or NAME:KIND. "NAME?" a unit attribute, "NAME:KIND?" an optional one: a bit of
# the flags, in order; then optional operands "NAME?" take the next bits. "@V" after either: only
# since version V (the word of flags is missing before, if all its bits are younger). "=V" at the
# end of an attribute: what it means where the version does not have it.
# operands: names; NAME* counted; "all*": one count for all of them, the names before it come first.
OPERATIONS_TEXT = """
0   absf              |1||x
1   absi              |1||x
2   addf              |1|ftz? rounding|a b
3   addi              |1|overflow|a b
4   andi              |1||a b
5   assert            |0|message:string|condition
6   assume            |1|predicate:tagged|x
7   atomic_cas_tko    |2|memory scope|pointers compared new mask? token?
8   atomic_rmw_tko    |2|memory scope mode|pointers x mask? token?
9   bitcast           |1||x
10  break             |*||all*
11  broadcast         |1||x
12  cat               |1|dim:int|a b
13  ceil              |1||x
14  cmpf              |1|predicate ordering|a b
15  cmpi              |1|predicate signedness|a b
16  constant          |1|value:constant|
17  continue          |*||all*
18  cos               |1||x
19  cosh              |1||x
20  divf              |1|ftz? rounding|a b
21  divi              |1|signedness rounding|a b
23  exp               |1|rounding@13.3=full|x
24  exp2              |1|ftz?|x
37  exti              |1|signedness|x
38  extract           |*||x indices all*
39  floor             |1||x
40  fma               |1|ftz? rounding|a b c
41  for               |*|unsigned?@13.2|lower upper step initial all*|1
42  ftof              |1|rounding|x
43  ftoi              |1|saturating?@13.4 signedness rounding|x
44  get_global        |1|name:string|
45  get_index_space_shape |*||view
46  get_num_tile_blocks   |3||
47  get_tensor_shape      |*||view
48  get_tile_block_id     |3||
50  if                |*||condition|2
51  int_to_ptr        |1||x
58  iota              |1||
59  itof              |1|signedness rounding|x
60  join_tokens       |*||all*
61  load_ptr_tko      |2|memory scope:scope? hints:hints?|pointers mask? padding? token?
62  load_view_tko     |*|memory scope:scope? hints:hints? inbounds:bools@13.4|view index* token?
63  log               |1||x
64  log2              |1||x
65  loop              |*||initial all*|1
66  make_partition_view   |1||tensor
67  make_tensor_view      |*||base shape* strides*
68  make_token        |1||
69  maxf              |1|nan? ftz?|a b
70  maxi              |1|signedness|a b
71  minf              |1|nan? ftz?|a b
72  mini              |1|signedness|a b
73  mmaf              |1|fast?@13.3|a b c
74  mmai              |1|signedness_a:signedness signedness_b:signedness|a b c
76  mulf              |1|ftz? rounding|a b
77  mulhii            |1||a b
78  muli              |1|overflow|a b
79  negf              |1||x
80  negi              |1|overflow@13.2=none|x
81  offset            |1||pointer offset
82  ori               |1||a b
83  permute           |1|permutation:ints|x
84  pow               |1||a b
85  print_tko         |*|format:string|x* token?@13.2
86  ptr_to_int        |1||x
87  ptr_to_ptr        |1||x
88  reduce            |*|dim:int identities:array|x all*|1
89  remf              |1||a b
90  remi              |1|signedness|a b
91  reshape           |1||x
92  return            |*||all*
93  rsqrt             |1|ftz?|x
94  scan              |*|dim:int reverse:bool identities:array|x all*|1
95  select            |1||condition a b
96  shli              |1|overflow|a b
97  shri              |1|signedness|a b
98  sin               |1||x
99  sinh              |1||x
100 sqrt              |1|ftz? rounding|x
101 store_ptr_tko     |1|memory scope:scope? hints:hints?|pointers x mask? token?
102 store_view_tko    |*|memory scope:scope? hints:hints? inbounds:bools@13.4|x view index* token?
103 subf              |1|ftz? rounding|a b
104 subi              |1|overflow|a b
105 tan               |1||x
106 tanh              |1|rounding@13.2=full|x
107 trunci            |1|overflow|x
108 xori              |1||a b
109 yield             |*||all*
110 atan2        13.2 |1||a b
111 pack         13.3 |1||x
112 unpack       13.3 |1||x
113 alloca       13.3 |1|global? count:int alignment:int|
114 mmaf_scaled  13.3 |1||a b c scale_a scale_b
115 make_gather_scatter_view 13.3 |1||tensor
116 make_strided_view        13.3 |1||tensor
117 atomic_red_view_tko      13.3 |*|memory scope mode|view index* x token?
118 insert       13.4 |*||x into indices all*
119 gdc_launch_dependents_tko 13.4 |1||token?
120 gdc_wait_tko 13.4 |1||token?
121 fpowi        13.4 |1||a b
122 memory_fence_alias_tko 13.4 |1||token
"""


@dataclass
class Attribute:
    name: str
    kind: str  # "unit" or a kind
    optional: bool
    since: float
    default: str


@dataclass
class Operand:
    name: str
    how: str  # "one", "optional", "counted", "rest"
    since: float


@dataclass
class Format:
    name: str
    since: float
    results: object  # int or "*"
    attributes: list
    operands: list
    oneCount: bool
    regions: int
    flagsSince: float  # None: no flags


def parse_format(line):
    head, results, attributes, operands, *regions = line.split("|")
    opcode, name, *since = head.split()
    parsed, named, young = [], [], []
    for word in attributes.split():
        word, _, default = word.partition("=")
        word, _, version = word.partition("@")
        optional = word.endswith("?")
        name_, _, kind = word.rstrip("?").partition(":")
        if not kind:
            kind = "unit" if optional else name_
        parsed.append(Attribute(name_, kind, optional, float(version or 0), default))
        if optional:
            young.append(float(version or 0))
    words = operands.split()
    one = "all*" in words
    for word in words:
        word, _, version = word.partition("@")
        if word == "all*":
            continue
        how = "optional" if word.endswith("?") else "counted" if word.endswith("*") else "one"
        named.append(Operand(word.rstrip("?*"), how, float(version or 0)))
        if how == "optional":
            young.append(float(version or 0))
    if one:
        named = named or [Operand("x", "rest", 0)]
        named[-1].how = "rest"
    return int(opcode), Format(
        name,
        float(since[0]) if since else 13.1,
        results.strip() if results.strip() == "*" else int(results),
        parsed,
        named,
        one,
        int(regions[0]) if regions else 0,
        min(young) if young else None,
    )


OPERATIONS = dict(parse_format(line) for line in OPERATIONS_TEXT.strip().splitlines())

ELEMENTS = {
    0: "i1",
    1: "i8",
    2: "i16",
    3: "i32",
    4: "i64",
    5: "f16",
    6: "bf16",
    7: "f32",
    8: "tf32",
    9: "f64",
    10: "f8e4m3fn",
    11: "f8e5m2",
    18: "f8e8m0fnu",
    19: "f4e2m1fn",
    22: "i4",
    130: "f8e5m3fnu",
}
PADDINGS = ["zero", "neg_zero", "nan", "pos_inf", "neg_inf"]
DYNAMIC = -(1 << 63)


class Bad(Exception):
    pass


class Bytes:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, n):
        if self.at + n > len(self.data):
            raise Bad(f"{n} bytes wanted at {self.at}, the end is at {len(self.data)}")
        self.at += n
        return self.data[self.at - n : self.at]

    def byte(self):
        return self.take(1)[0]

    def number(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 0x7F) << shift
            shift += 7
            if b < 0x80:
                return value
            if shift > 63:
                raise Bad(f"a number without an end at {self.at}")

    def signed(self):
        value = self.number()
        return (value >> 1) ^ -(value & 1)

    def numbers(self):
        return [self.number() for _ in range(self.number())]

    def wide(self, size):
        return [
            int.from_bytes(self.take(size), "little", signed=True) for _ in range(self.number())
        ]

    def pad(self, alignment):
        self.take(-self.at % alignment)


def table(data, offset_size):
    r = Bytes(data)
    count = r.number()
    r.pad(offset_size)
    offsets = [int.from_bytes(r.take(offset_size), "little") for _ in range(count)]
    body = data[r.at :]
    offsets.append(len(body))
    return [body[offsets[i] : offsets[i + 1]] for i in range(count)]


# ------------------------------------------------------------------------------------------- types


@dataclass(frozen=True)
class Type:
    kind: str  # element, pointer, tile, tensor_view, partition_view, ...
    element: object = None  # a name, or the pointee of a pointer, or the tensor view of a view
    shape: tuple = ()
    strides: tuple = ()
    dim_map: tuple = ()
    steps: tuple = ()
    sparse: int = None
    padding: str = None
    parameters: tuple = ()
    results: tuple = ()

    def __str__(self):
        def dims(numbers):
            return "x".join("?" if n == DYNAMIC else str(n) for n in numbers)

        if self.kind == "element":
            return self.element
        if self.kind == "pointer":
            return f"ptr<{self.element}>"
        if self.kind == "tile":
            return f"tile<{''.join(str(n) + 'x' for n in self.shape)}{self.element}>"
        if self.kind == "tensor_view":
            shape = "".join(("?" if n == DYNAMIC else str(n)) + "x" for n in self.shape)
            strides = dims(self.strides).replace("x", ", ")
            return f"tensor_view<{shape}{self.element}, strides=[{strides}]>"
        if self.kind == "function":
            return f"({', '.join(map(str, self.parameters))})"
        if self.kind.endswith("_view"):
            more = f", padding={self.padding}" if self.padding else ""
            if self.dim_map and tuple(self.dim_map) != tuple(range(len(self.dim_map))):
                more += f", dim_map={list(self.dim_map)}"
            if self.steps:
                more += f", steps={list(self.steps)}"
            if self.sparse is not None:
                more += f", sparse={self.sparse}"
            return f"{self.kind}<tile=({dims(self.shape)}), {self.element}{more}>"
        return self.kind


@dataclass
class Op:
    name: str
    attributes: dict
    operands: dict  # name -> value number or list of them
    results: list  # value numbers
    types: list
    regions: list
    place: object = None


@dataclass
class Block:
    arguments: list
    types: list
    ops: list = field(default_factory=list)


@dataclass
class Function:
    name: str
    type: Type
    flags: int
    hints: dict
    body: Block
    place: object = None


@dataclass
class Module:
    version: float
    functions: list
    globals: list
    sections: list
    producer: str = None


class Reader:
    def __init__(self, data):
        self.data = data

    def read(self):
        r = Bytes(self.data)
        if r.take(8) != b"\x7fTileIR\0":
            raise Bad("not Tile IR bytecode")
        major, minor = r.byte(), r.byte()
        self.tag = int.from_bytes(r.take(2), "little")
        self.version = float(f"{major}.{minor}")
        if not 13.1 <= self.version <= 13.4:
            raise Bad(f"version {major}.{minor}; this reader knows 13.1 to 13.4")
        sections = {}
        order = []
        while (head := r.byte()) & 0x7F:
            length = r.number()
            if head & 0x80:
                r.pad(r.number())
            sections[head & 0x7F] = r.take(length)
            order.append((head & 0x7F, length))
        if r.at != len(self.data):
            raise Bad(f"{len(self.data) - r.at} bytes after the end")
        self.strings = [bytes(s).decode() for s in table(sections.get(1, b"\0"), 4)]
        self.constants = table(sections.get(4, b"\0"), 8)
        self.raw_types = table(sections.get(5, b"\0"), 4)
        self.types = {}
        self.read_debug(sections.get(3))
        globals_ = self.read_globals(sections[6]) if 6 in sections else []
        f = Bytes(sections[2])
        functions = [self.function(f) for _ in range(f.number())]
        if len(f.data) - f.at >= 8:  # fewer are padding
            raise Bad("bytes after the last function")
        producer = None
        if 7 in sections:
            producer = self.strings[Bytes(sections[7]).number()]
        return Module(self.version, functions, globals_, order, producer)

    # Types refer to each other by number, also forward.
    def type(self, number):
        if number not in self.types:
            self.types[number] = self.parse_type(Bytes(self.raw_types[number]))
        return self.types[number]

    def parse_type(self, r):
        tag = r.number()
        if tag in ELEMENTS:
            return Type("element", ELEMENTS[tag])
        if tag == 17:
            return Type("token")
        if tag == 12:
            flags = r.number() if self.version >= 13.4 else 0
            pointee = self.type(r.number())
            if flags & 1:
                r.byte()
            return Type("pointer", pointee)
        if tag == 13:
            element = self.type(r.number())
            return Type("tile", element, tuple(r.wide(8)))
        if tag == 14:
            flags = r.number() if self.version >= 13.4 else 0
            element = self.type(r.number())
            t = Type("tensor_view", element, tuple(r.wide(8)), tuple(r.wide(8)))
            if flags & 1:
                r.byte()
            return t
        if tag == 16:
            inputs = tuple(self.type(n) for n in r.numbers())
            return Type(
                "function", parameters=inputs, results=tuple(self.type(n) for n in r.numbers())
            )
        if tag in (15, 20, 21):
            flags = r.number() if self.version >= 13.3 else 0
            shape = tuple(r.wide(4))
            steps = tuple(r.wide(4)) if tag == 21 else ()
            tensor = self.type(r.number())
            dim_map = tuple(r.wide(4)) if tag != 20 else ()
            sparse = r.number() if tag == 20 else None
            padded = flags & 1 if self.version >= 13.3 else r.number()
            padding = PADDINGS[r.byte()] if padded else None
            kind = {15: "partition_view", 20: "gather_scatter_view", 21: "strided_view"}[tag]
            return Type(
                kind, tensor, shape, dim_map=dim_map, steps=steps, sparse=sparse, padding=padding
            )
        raise Bad(f"type tag {tag}")

    def tagged(self, r):
        tag = r.byte()
        if tag == 1:
            t = self.type(r.number())
            return ("int", t, r.number())
        if tag == 2:
            t = self.type(r.number())
            small = BITS[t.element] <= 8
            return ("float", t, r.byte() if small else r.signed())
        if tag == 3:
            return ("bool", r.byte())
        if tag == 4:
            return ("type", self.type(r.number()))
        if tag == 5:
            return ("string", self.strings[r.number()])
        if tag == 6:
            return ("array", [self.tagged(r) for _ in range(r.number())])
        if tag == 7:
            return ("dense", self.type(r.number()), self.constant(r.number()))
        if tag == 8:
            divisor, flags = r.number(), r.byte()
            every = r.signed() if flags & 1 else None
            along = r.signed() if flags & 2 else None
            return ("div_by", divisor, every, along)
        if tag == 9:
            return ("same_elements", r.wide(8))
        if tag in (10, 11):
            return ("dictionary", self.dictionary(r))
        if tag == 12:
            flags = r.byte()
            low = r.signed() if flags & 1 else None
            return ("bounded", low, r.signed() if flags & 2 else None)
        raise Bad(f"attribute tag {tag}")

    def dictionary(self, r):
        return {self.strings[r.number()]: self.tagged(r) for _ in range(r.number())}

    def constant(self, number):
        r = Bytes(self.constants[number])
        return bytes(r.take(r.number()))

    def attribute(self, r, kind):
        if kind in ENUMS:
            return ENUMS[kind][r.byte()]
        if kind == "int":
            return r.number()
        if kind == "bool":
            return bool(r.byte())
        if kind == "string":
            return self.strings[r.number()]
        if kind == "constant":
            return self.constant(r.number())
        if kind == "ints":
            return r.wide(4)
        if kind == "bools":
            return [bool(n) for n in r.wide(1)]
        if kind == "tagged":
            return self.tagged(r)
        if kind == "array":
            return [self.tagged(r) for _ in range(r.number())]
        if kind == "hints":
            return self.dictionary(r)
        raise Bad(kind)

    def read_globals(self, data):
        r = Bytes(data)
        out = []
        for _ in range(r.number()):
            name, t, value, alignment = (
                self.strings[r.number()],
                self.type(r.number()),
                self.constant(r.number()),
                r.number(),
            )
            constant = visibility = 0
            if self.version >= 13.3:
                visibility, constant = r.byte(), r.number()
            out.append((name, t, value, alignment, constant, ENUMS["visibility"][visibility]))
        return out

    def read_debug(self, data):
        self.places, self.first_place, self.debug = [], [], []
        if not data:
            return
        r = Bytes(data)
        functions = r.number()
        r.pad(4)
        self.first_place = [int.from_bytes(r.take(4), "little") for _ in range(functions)]
        count = r.number()
        r.pad(8)
        self.places = [int.from_bytes(r.take(8), "little") for _ in range(count)]
        self.debug = table(data[r.at :], 4) if r.at % 4 == 0 else self.unaligned_table(data, r.at)

    def unaligned_table(self, data, at):
        # The table's padding counts from the start of the section.
        r = Bytes(data, at)
        count = r.number()
        r.pad(4)
        offsets = [int.from_bytes(r.take(4), "little") for _ in range(count)]
        body = data[r.at :]
        offsets.append(len(body))
        return [body[offsets[i] : offsets[i + 1]] for i in range(count)]

    def place(self, number):
        """-> [(function, file, line, column), its caller, ...]"""
        if number == 0 or number > len(self.debug):
            return []
        r = Bytes(self.debug[number - 1])
        tag = r.byte()
        if tag == 6:
            callee, caller = r.number(), r.number()
            return self.place(callee) + self.place(caller)
        if tag == 4:
            scope, file, line, column = r.number(), self.strings[r.number()], r.number(), r.number()
            return [(self.scope(scope), file, line, column)]
        return []

    def scope(self, number):
        r = Bytes(self.debug[number - 1])
        tag = r.byte()
        if tag == 5:
            r.number(), r.number()
            return self.strings[r.number()]
        if tag == 3:
            return self.scope(r.number())
        return ""

    def function(self, r):
        name, t, flags = self.strings[r.number()], self.type(r.number()), r.byte()
        debug = r.number()
        hints = self.tagged(r)[1] if flags & 4 else {}
        end = r.number()
        end += r.at
        self.next_place = self.first_place[debug - 1] if debug else None
        self.next_value = len(t.parameters)
        body = Block(list(range(self.next_value)), list(t.parameters))
        place = self.step_place()
        while r.at < end:
            body.ops.append(self.op(r))
        if r.at != end:
            raise Bad(f"the body of {name} ends within an operation")
        return Function(name, t, flags, hints, body, place)

    def step_place(self):
        if self.next_place is None or self.next_place >= len(self.places):
            return []
        self.next_place += 1
        return self.place(self.places[self.next_place - 1])

    def op(self, r):
        at = r.at
        opcode = r.number()
        form = OPERATIONS.get(opcode)
        if form is None:
            raise Bad(f"opcode {opcode} at {at}")
        if form.since > self.version:
            raise Bad(f"{form.name} in version {self.version}")
        place = self.step_place()
        count = r.number() if form.results == "*" else form.results
        types = [self.type(r.number()) for _ in range(count)]
        flags = 0
        if form.flagsSince is not None and self.version >= form.flagsSince:
            flags = r.number()
        bit = 1
        attributes, operands = {}, {}
        for a in form.attributes:
            if a.optional:
                present = bool(flags & bit)
                bit <<= 1
                if a.kind == "unit":
                    attributes[a.name] = present
                elif present:
                    attributes[a.name] = self.attribute(r, a.kind)
            elif self.version >= a.since:
                attributes[a.name] = self.attribute(r, a.kind)
            elif a.default:
                attributes[a.name] = a.default
        if form.oneCount:
            left = r.number()
            for o in form.operands:
                if o.how == "rest":
                    operands[o.name] = [r.number() for _ in range(left)]
                else:
                    operands[o.name] = r.number()
                    left -= 1
        else:
            for o in form.operands:
                if o.how == "optional":
                    if flags & bit:
                        operands[o.name] = r.number()
                    bit <<= 1
                elif o.how == "counted":
                    operands[o.name] = r.numbers()
                else:
                    operands[o.name] = r.number()
        if flags >= bit:
            raise Bad(f"{form.name}: flags {flags:#x} at {at}")
        regions = []
        if form.regions:
            for _ in range(r.number()):
                if r.number() != 1:
                    raise Bad("a region of several blocks")
                regions.append(self.block(r))
        results = list(range(self.next_value, self.next_value + count))
        self.next_value += count
        for numbers in operands.values():
            for n in numbers if isinstance(numbers, list) else [numbers]:
                if n >= self.next_value - count:
                    raise Bad(f"{form.name} uses value {n} at {at}")
        return Op(form.name, attributes, operands, results, types, regions, place)

    def block(self, r):
        first = self.next_value
        types = [self.type(n) for n in r.numbers()]
        block = Block(list(range(first, first + len(types))), types)
        self.next_value = first + len(types)
        for _ in range(r.number()):
            block.ops.append(self.op(r))
        self.next_value = first  # the numbers of a block end with it
        return block


BITS = {
    "i1": 1,
    "i4": 4,
    "i8": 8,
    "i16": 16,
    "i32": 32,
    "i64": 64,
    "f16": 16,
    "bf16": 16,
    "f32": 32,
    "tf32": 19,
    "f64": 64,
    "f8e4m3fn": 8,
    "f8e5m2": 8,
    "f8e8m0fnu": 8,
    "f4e2m1fn": 4,
    "f8e5m3fnu": 8,
}


def read(data):
    try:
        return Reader(bytes(data)).read()
    except (IndexError, KeyError, UnicodeDecodeError, ZeroDivisionError, RecursionError) as error:
        raise Bad(f"{type(error).__name__}: {error}") from error


# ----------------------------------------------------------------------------------------- printing


def number_text(element, raw):
    if element in ("f32", "f64", "f16"):
        return repr(struct.unpack({"f32": "<f", "f64": "<d", "f16": "<e"}[element], raw)[0])
    if element[0] == "i":
        return str(int.from_bytes(raw, "little", signed=element != "i1"))
    return "0x" + raw[::-1].hex()


def constant_text(t, raw):
    element = str(t.element)
    size = (BITS[element] + 7) // 8 if element[0] != "p" else 8
    if len(raw) == size:
        return number_text(element, raw)
    if element == "i1":
        return "bits 0x" + raw.hex()
    return (
        "["
        + ", ".join(number_text(element, raw[i : i + size]) for i in range(0, len(raw), size))
        + "]"
    )


def tagged_text(value):
    kind, *rest = value
    if kind == "int":
        return str(rest[1])
    if kind == "float":
        size = (BITS[rest[0].element] + 7) // 8
        bits = rest[1] & ((1 << BITS[rest[0].element]) - 1)
        return number_text(rest[0].element, bits.to_bytes(size, "little"))
    if kind == "bool":
        return "true" if rest[0] else "false"
    if kind == "type":
        return str(rest[0])
    if kind == "string":
        return json.dumps(rest[0], ensure_ascii=False)
    if kind == "dense":
        return f"dense<{rest[1].hex()}>"
    if kind == "same_elements":
        return f"same_elements<{', '.join(map(str, rest[0]))}>"
    if kind == "dictionary":
        return "{" + ", ".join(f"{k}={tagged_text(v)}" for k, v in rest[0].items()) + "}"
    if kind == "array":
        return "[" + ", ".join(map(tagged_text, rest[0])) + "]"
    if kind == "div_by":
        return f"div_by<{rest[0]}" + (
            f", every {rest[1]} along {rest[2]}>" if rest[1] is not None else ">"
        )
    if kind == "bounded":
        return "bounded<" + ", ".join("?" if n is None else str(n) for n in rest) + ">"
    return f"{kind} {rest}"


def attribute_text(op, name, value):
    if isinstance(value, bool):
        return name if value else ""
    if name == "value":
        return constant_text(op.types[0], value)
    if isinstance(value, tuple):
        return tagged_text(value)
    if isinstance(value, dict):
        return "hints" + "{" + ", ".join(f"{k}={tagged_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return f"{name}=[{', '.join(map(tagged_text, value))}]"
    if name in ("format", "message", "name"):
        return json.dumps(value, ensure_ascii=False)
    if name == "inbounds":
        return f"inbounds=[{', '.join('true' if v else 'false' for v in value)}]"
    return (
        f"{name}={value}"
        if name in ("dim", "permutation", "inbounds", "alignment", "count")
        else str(value)
    )


def arguments_text(block):
    return ", ".join(f"%{n}: {t}" for n, t in zip(block.arguments, block.types))


def print_block(block, indent, out):
    for op in block.ops:
        left = ", ".join(f"%{n}" for n in op.results)
        right = []
        for name, numbers in op.operands.items():
            many = isinstance(numbers, list)
            text = "[" + ", ".join(f"%{n}" for n in numbers) + "]" if many else f"%{numbers}"
            right.append(
                text
                if name in ("a", "b", "c", "x", "view", "pointers", "index")
                else f"{name}={text}"
            )
        words = [a for a in (attribute_text(op, n, v) for n, v in op.attributes.items()) if a]
        line = f"{indent}{left + ' = ' if left else ''}{op.name}"
        line += (" " + ", ".join(right) if right else "") + (" " + " ".join(words) if words else "")
        if op.types:
            line += " : " + ", ".join(map(str, op.types))
        if op.place:
            line += f"    // {op.place[0][2]}:{op.place[0][3]}"
        out.append(line)
        for region in op.regions:
            out.append(f"{indent}({arguments_text(region)}) {{")
            print_block(region, indent + "  ", out)
            out.append(indent + "}")


def text(module):
    out = [f"// Tile IR {module.version}" + (f", by {module.producer}" if module.producer else "")]
    for g in module.globals:
        out.append(f"global {g[0]}: {g[1]} = {constant_text(g[1], g[2])} alignment {g[3]}")
    for f in module.functions:
        hints = "".join(f" {k}={tagged_text(v)}" for k, v in f.hints.items())
        kind = "entry" if f.flags & 2 else "func"
        out.append(f"{kind} @{f.name}({arguments_text(f.body)}){hints} {{")
        print_block(f.body, "  ", out)
        out.append("}")
    return "\n".join(out)


def all_ops(block):
    for op in block.ops:
        yield op
        for region in op.regions:
            yield from all_ops(region)


def main(arguments):
    counting = "--count" in arguments
    counts, files = Counter(), Counter()
    for path in arguments:
        if path.startswith("--"):
            continue
        module = read(open(path, "rb").read())
        if counting:
            here = Counter(op.name for f in module.functions for op in all_ops(f.body))
            counts += here
            files += Counter(here.keys())
        else:
            print(text(module))
    if counting:
        for name, count in counts.most_common():
            print(f"{name:28}{count:7}{files[name]:6}")
        missing = sorted(f.name for f in OPERATIONS.values() if f.name not in counts)
        print(f"{len(counts)} operations occur, not: {', '.join(missing)}")


if __name__ == "__main__":
    main(sys.argv[1:])
