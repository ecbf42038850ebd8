"""Values whose machine representation is written down: numbers of a fixed format, vectors,
structs. They go to kernels as the C++ types of <tessera/interop/types.h>.

    tessera.types.float16(1.5)             __half
    tessera.types.int32x3(1, 2, 3)         int3
    (1, 2.0)                               struct { int _0; float _1; }

    @tessera.types.struct(align=16)
    class pair:
        real: float
        imag: float
"""

import enum
import struct as _struct

from . import _tessera

_CODES = {
    "bool_": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B",
    "uint16": "H", "uint32": "I", "uint64": "Q", "float16": "e", "float32": "f", "float64": "d",
    "complex64": "ff", "complex128": "dd",
}  # fmt: skip
# Formats that struct does not know: exponent bits, mantissa bits, and the largest number.
_NARROW = {
    "float8e4m3": (4, 3, 448.0),
    "float8e5m2": (5, 2, 57344.0),
    "bfloat16": (8, 7, 3.3895313892515355e38),
}


class Number:
    """A number of a fixed format; as an argument it is checked as a Python number is."""

    __slots__ = ("value",)

    def __init__(self, value=0):
        kind = type(self).__name__
        if kind == "bool_":
            value = bool(value)
        elif kind.startswith(("int", "uint")):
            value = int(value)
        elif kind.startswith("complex"):
            value = complex(value)
        else:
            value = float(value)
        object.__setattr__(self, "value", value)
        pack(self)  # is it in range?

    def __setattr__(self, name, value):
        raise AttributeError("numbers of a fixed format cannot be changed")

    def __repr__(self):
        return f"{type(self).__name__}({self.value!r})"

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, Number) else other)

    def __hash__(self):
        return hash(self.value)

    def __bool__(self):
        return bool(self.value)

    def __int__(self):
        return int(self.value)


class _Integer(Number):
    __slots__ = ()

    def __index__(self):
        return self.value


class _Real(Number):
    __slots__ = ()

    def __float__(self):
        return float(self.value)


class _Complex(Number):
    __slots__ = ()

    def __complex__(self):
        return complex(self.value)


class Vector:
    """One to four numbers of a type, x, y, z, w. Immutable: what changes one returns another."""

    __slots__ = ("_elements",)
    dtype = None
    size = 0

    def __init__(self, *elements):
        if len(elements) != self.size:
            raise TypeError(f"{type(self).__name__} has {self.size} elements, not {len(elements)}")
        object.__setattr__(self, "_elements", tuple(self.dtype(e) for e in elements))

    def __setattr__(self, name, value):
        raise AttributeError("vectors cannot be changed")

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self._elements[index].value

    def __iter__(self):
        return (element.value for element in self._elements)

    def __getattr__(self, name):
        index = "xyzw".find(name) if len(name) == 1 else -1
        if not 0 <= index < self.size:
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return self[index]

    def __eq__(self, other):
        return type(self) is type(other) and self._elements == other._elements

    def __hash__(self):
        return hash(self._elements)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self))})"


def _define():
    for name, layout in _tessera.layouts.items():
        if len(layout) == 2:
            base = (
                _Integer if name.startswith(("int", "uint"))
                else _Complex if name.startswith("complex")
                else Number if name == "bool_"
                else _Real
            )  # fmt: skip
            made = type(name, (base,), {"__slots__": (), "__module__": __name__})
        else:
            element, count = globals()[layout[2]], layout[3]
            members = {"__slots__": (), "dtype": element, "size": count, "__module__": __name__}
            if count == 1 and issubclass(element, _Real):  # CUDA's type is the number's own
                members["__float__"] = lambda self: float(self[0])
            made = type(name, (Vector,), members)
        globals()[name] = made


def struct(underlying=None, *, align=1):
    """A class whose annotations are types of values, as a struct of these members in this order.

    It is aligned to at least `align` bytes, a power of two. Objects are made from the members'
    values, by position or by name, and do not change. `underlying` is the decorated class.
    """
    if underlying is None:
        return lambda decorated: struct(decorated, align=align)
    if align < 1 or align & (align - 1):
        raise ValueError(f"align must be a power of two, not {align}")
    hints = dict(underlying.__dict__.get("__annotations__", {}))

    def initialise(self, *values, **named):
        if len(values) > len(hints):
            raise TypeError(f"{underlying.__name__} has {len(hints)} members")
        given = dict(zip(hints, values))
        if repeated := given.keys() & named:
            raise TypeError(f"{underlying.__name__}: {min(repeated)} is given twice")
        given.update(named)
        if given.keys() != hints.keys():
            wrong = min(given.keys() ^ hints.keys())
            raise TypeError(f"{underlying.__name__}: member {wrong} is missing or unknown")
        for name, value in given.items():
            object.__setattr__(self, name, value)
        pack(self)

    def refuse(self, name, value):
        raise AttributeError(f"{underlying.__name__} cannot be changed")

    members = {k: v for k, v in underlying.__dict__.items() if k not in ("__dict__", "__weakref__")}
    members.update(
        __init__=initialise,
        __setattr__=refuse,
        __repr__=lambda self: f"{underlying.__name__}"
        f"({', '.join(f'{name}={getattr(self, name)!r}' for name in hints)})",
        __eq__=lambda self, other: type(self) is type(other)
        and all(getattr(self, name) == getattr(other, name) for name in hints),
        __hash__=lambda self: hash(tuple(getattr(self, name) for name in hints)),
        _members=hints,
        _align=align,
        underlying=underlying,
    )
    return type(underlying.__name__, (), members)


class _Aligned:
    def __init__(self, kind, align):
        self.kind, self.align = kind, align


def align(kind, count):
    """The type `kind`, aligned to at least `count` bytes, for annotations of structs."""
    if count < 1 or count & (count - 1):
        raise ValueError(f"an alignment must be a power of two, not {count}")
    return _Aligned(kind, count)


_BUILTIN = {bool: "bool_", int: "int32", float: "float32", complex: "complex64"}


def pack(value):
    """(bytes, alignment): the machine representation of a value that is no array."""
    if value is None:
        return bytes(8), 8
    if isinstance(value, enum.Enum):
        return pack(value.value)
    kind = type(value)
    if isinstance(value, Number):
        return _pack_number(kind.__name__, value.value), _tessera.layouts[kind.__name__][1]
    if isinstance(value, Vector):
        packed = b"".join(_pack_number(value.dtype.__name__, element) for element in value)
        return packed, _tessera.layouts[kind.__name__][1]
    if kind in _BUILTIN:
        name = _BUILTIN[kind]
        return _pack_number(name, value), _tessera.layouts[name][1]
    if isinstance(value, tuple):
        return _pack_members([pack(element) for element in value], 1)
    if hasattr(kind, "_members"):
        hints = kind._members.items()
        members = [_pack_as(hint, getattr(value, name), name) for name, hint in hints]
        return _pack_members(members, kind._align)
    raise TypeError(f"{kind.__name__} has no machine representation as a value")


def _pack_as(hint, value, name):
    if isinstance(hint, str):
        hint = {**{k.__name__: k for k in _BUILTIN}, **globals()}.get(hint, hint)
    if isinstance(hint, _Aligned):
        packed, natural = _pack_as(hint.kind, value, name)
        alignment = max(natural, hint.align)
        return packed + bytes(-len(packed) % alignment), alignment
    if hint in _BUILTIN and type(value) in _BUILTIN:
        if hint is not float and hint is not complex and type(value) is not hint:
            raise TypeError(f"member {name} must be {hint.__name__}, not {type(value).__name__}")
        value = hint(value)
    elif isinstance(hint, type) and issubclass(hint, Number) and not isinstance(value, hint):
        value = hint(value)
    elif isinstance(hint, type) and not isinstance(value, hint):
        raise TypeError(f"member {name} must be {hint.__name__}, not {type(value).__name__}")
    return pack(value)


def _pack_members(members, alignment):
    packed = b""
    for part, own in members:
        packed += bytes(-len(packed) % own) + part
        alignment = max(alignment, own)
    if not packed:  # an empty struct has one byte
        packed = bytes(1)
    return packed + bytes(-len(packed) % alignment), alignment


def _pack_number(name, value):
    try:
        if name in _NARROW:
            return _pack_narrow(value, *_NARROW[name])
        if name.startswith("complex"):
            return _struct.pack("<" + _CODES[name], value.real, value.imag)
        return _struct.pack("<" + _CODES[name], value)
    except (_struct.error, OverflowError):
        raise OverflowError(f"{value!r} cannot be represented as {name}") from None


def _pack_narrow(value, exponent_bits, mantissa_bits, largest):
    """To nearest, ties to even; formats without infinities have NaN as all ones."""
    import math

    bits = 1 + exponent_bits + mantissa_bits
    sign = (math.copysign(1, value) < 0) << (bits - 1)
    has_infinity = exponent_bits != 4
    if math.isnan(value) or (math.isinf(value) and not has_infinity):
        code = (1 << (bits - 1)) - 1
    elif math.isinf(value):
        code = ((1 << exponent_bits) - 1) << mantissa_bits
    else:
        bias = (1 << (exponent_bits - 1)) - 1
        exponent = max(math.frexp(abs(value))[1] - 1, 1 - bias) if value else 1 - bias
        steps = round(math.ldexp(abs(value), mantissa_bits - exponent))
        if math.ldexp(steps, exponent - mantissa_bits) > largest:
            raise OverflowError
        code = ((exponent + bias - 1) << mantissa_bits) + steps
    return (sign | code).to_bytes(bits // 8, "little")


_define()
