"""Records: classes that kernels take by value, which --extensions allows.

Their fields are scalars, arrays of them in up to two dimensions, pointers to the kernel's buffers,
and other records, alone or in arrays; packed or aligned more than they need. Each block has its own
copy, which it may change.
"""

from dataclasses import dataclass, replace

from .base import Variable
from .aggregates import Array
from .control import STATEMENT_RULES
from .elements import SCALARS, Element, Range
from .scalars import FLOAT_RULES as SCALAR_FLOATS, INTEGER_RULES as SCALAR_INTEGERS, cast_form
from .tree import Expr, Pointer, Struct


@dataclass(frozen=True)
class Field:
    """What a record holds under a name: an Element, a Buffer or a Record, in an array or not."""

    name: str
    of: object
    extents: tuple = ()


@dataclass(frozen=True)
class Record:
    name: str
    fields: tuple
    is_packed: bool

    def values(self):
        """Every path to an element or a buffer: (text with an index's place {}, extents, of)."""
        for f in self.fields:
            text = f".{f.name}" + "[{}]" * len(f.extents)
            if not isinstance(f.of, Record):
                yield text, f.extents, f.of, self.is_packed
                continue
            for rest, extents, of, is_packed in f.of.values():
                yield text + rest, f.extents + extents, of, self.is_packed or is_packed


@dataclass(frozen=True)
class InRecord:
    """The type of a variable that is a field with indices: NAME has {} for each."""

    of: Element
    extents: tuple
    is_mutable: bool
    is_packed: bool


class Records:
    """Mixed into the generator."""

    def make_records(self, is_restrict):
        self.record_outputs = []  # (output, text of a pointer to it)
        if not self.beyond or self.chance(0.5):
            return
        for _ in range(self.rng.choice([1, 1, 2])):
            buffers = [] if is_restrict else [b for b in self.buffers if not b.is_narrow]
            record, root = self.record(2, buffers), self.name("rec")
            is_const = self.chance(0.25)
            values = [self.record_value(record) for _ in self.grids]
            word = "const " if is_const else ""
            self.parameters.append((root, f"{word}{record.name} {root}", values))
            self.add_record(record, root, root, not is_const)
            self.add_pointers(record, root)
            if all(isinstance(f.of, Element) and not f.extents for f in record.fields):
                self.add_plain(record, root, is_const)

    def record(self, depth, buffers):
        name, fields = f"KERNEL_{self.name('p')}", []
        for k in range(self.rng.randint(1, 4)):
            kind, extents = self.rng.random(), ()
            if kind < 0.2 and depth > 0:
                of = self.record(depth - 1, buffers)
            elif kind < 0.45 and buffers:
                of = self.rng.choice(buffers)
            else:
                of = self.weighted(SCALARS)
            if self.chance(0.3):
                extents = tuple(self.rng.choices([1, 2, 3, 5], k=self.rng.choice([1, 1, 2])))
                if isinstance(of, Record):
                    extents = extents[:1]
            fields.append(Field(f"f{k}", of, extents))
        # Of classes there are no packed ones.
        has_classes = any("__" in f.of.name or isinstance(f.of, Record) for f in fields)
        is_packed = not has_classes and self.chance(0.15)
        word = self.rng.choice([" alignas(16)", " alignas(64)"]) if self.chance(0.2) else ""
        if word and any(isinstance(f.of, Record) for f in fields):
            word = " alignas(64)"  # no less than theirs
        word = " __attribute__((packed))" if is_packed else word
        lines = []
        for f in fields:
            type = f"{f.of.element.name} *" if hasattr(f.of, "is_const") else f"{f.of.name} "
            if getattr(f.of, "is_const", False):
                type = f"const {type}"
            lines.append(f"  {type}{f.name}{''.join(f'[{n}]' for n in f.extents)};\n")
        self.add_global(name, f"struct{word} {name} {{\n{''.join(lines)}}};")
        return Record(name, tuple(fields), is_packed)

    def record_value(self, record):
        """The text of one, for a launch."""

        def value(of, extents):
            if extents:
                inside = ", ".join(value(of, extents[1:]) for _ in range(extents[0]))
                return f"{{{inside}}}"
            if isinstance(of, Record):
                return self.record_value(of)
            return str(self.number(of, self.limit(of))) if isinstance(of, Element) else of.name

        return f"{record.name}{{{', '.join(value(f.of, f.extents) for f in record.fields)}}}"

    def add_record(self, record, place, root, is_mutable):
        """A record's elements as variables; place is its name or how it is reached."""
        for text, extents, of, is_packed in record.values():
            if not isinstance(of, Element):
                continue
            limit = self.limit(of)
            if extents or is_packed:
                type = InRecord(of, extents, is_mutable, is_packed)
                self.variables.append(Variable(place + text, type, limit, root=root))
                if is_mutable and len(extents) == 1 and not is_packed and text.endswith("[{}]"):
                    array = Array(of, extents[0])
                    self.variables.append(Variable(place + text[:-4], array, None, root=root))
            else:
                self.variables.append(Variable(place + text, of, limit, is_mutable, root=root))

    def add_pointers(self, record, root):
        """A record's pointers, those in arrays by one of their indices."""
        for text, extents, of, _ in record.values():
            if isinstance(of, Element):
                continue
            text = root + text.format(*(self.rng.randrange(n) for n in extents))
            if of.is_const:
                r = Range(0, of.size - 1)
                self.variables.append(Variable(text, Pointer(of.element, True), r, root=root))
            elif not (of.is_atomic or of.is_sink):
                self.record_outputs.append((of, text))

    def add_plain(self, record, root, is_const):
        """A record of scalars alone is a struct like any other."""
        if record.is_packed:
            return
        struct = Struct(record.name, tuple((f.name, f.of, self.limit(f.of)) for f in record.fields))
        self.structs.append(struct)
        if not is_const:
            self.variables.append(Variable(root, struct, None))

    @STATEMENT_RULES.add(1)
    def declare_record_copy(self):
        """A copy of a parameter, or another name for it, whose fields are read and written."""
        found = [v for v in self.variables if isinstance(v.type, InRecord) and v.root]
        if not found or self.is_pure:
            return False
        root = self.rng.choice(found).root
        if not any(name == root for name, _, _ in self.parameters):
            return False
        forms = ["auto NAME = {0};", "const auto &NAME = {0};", "auto *NAME = &{0};"]
        form = self.rng.choice(forms)
        fields = [v for v in found if v.root == root and v.name.startswith(root + ".")]
        new = self.declare("rec", None, None, form, Expr(None, root, [], None, True, variable=root))
        self.variables.pop()
        place = f"(*{new.name})" if "*" in form else new.name
        for v in fields:
            type = replace(v.type, is_mutable="const" not in form and v.type.is_mutable)
            name = place + v.name[len(root) :]
            self.variables.append(Variable(name, type, v.range, root=new.name))
        return True

    # Elements behind indices.

    def in_record(self, elements, is_written=False):
        found = [v for v in self.variables if isinstance(v.type, InRecord)]
        found = [v for v in found if v.type.of in elements and v.type.is_mutable >= is_written]
        if not found:
            return None
        v = self.rng.choice(found)
        kids = [self.any_integer(Range(0, n - 1), 1) for n in v.type.extents]
        form = v.name.format(*("{%d}" % i for i in range(len(kids))))
        if v.type.is_packed and not is_written:
            # A packed field has no reference.
            form = cast_form(v.type.of).replace("{0}", form)
        return Expr(v.type.of, form, kids, v.range, True, variable=v.root)

    @SCALAR_INTEGERS.add(3)
    def integer_of_record(self, depth):
        e = self.in_record([e for e in SCALARS if e.is_integer])
        return e and replace(e, is_frozen=False)

    @SCALAR_FLOATS.add(2)
    def float_of_record(self, element, depth):
        e = self.in_record([element])
        return e and replace(e, is_frozen=False)

    @STATEMENT_RULES.add(2)
    def assign_in_record(self):
        target = None if self.is_pure else self.in_record(SCALARS, True)
        if target is None:
            return False
        self.emit("{0} = {1};", target, self.value(target.type))
        return True
