"""Makes modules of Tile IR bytecode byte by byte, for tests of what is wrong with them.

usage: made.py NAME FILE
"""

import sys

MAGIC = b"\x7fTileIR\0"


def header(minor, major=13):
    return MAGIC + bytes((major, minor, 0, 0))


def section(number, payload):
    return bytes((number, len(payload))) + payload


def table(entries, size):
    """A count, aligned offsets, and the entries."""
    out = bytes((len(entries),))
    out += bytes(-len(out) % size)
    at = 0
    for entry in entries:
        out += at.to_bytes(size, "little")
        at += len(entry)
    return out + b"".join(entries)


RETURN = bytes((92, 0, 0))
# Types: 0 i32, 1 tile<i32>, 2 () -> ().
TYPES = [b"\x03", b"\x0d\x00\x00", b"\x10\x00\x00"]


def module(body, types=(), minor=4, padding=b""):
    """An entry named 'k' without parameters."""
    function = bytes((1, 0, 2, 2, 0, len(body))) + body + padding
    return (
        header(minor)
        + section(2, function)
        + section(5, table([*TYPES, *types], 4))
        + section(1, table([b"k"], 4))
        + b"\0"
    )


def fold(arguments=(1, 1), region=(bytes((109, 0, 1, 2)),), identity=(1, 0, 0)):
    """A reduction of [0, 1, 2, 3], of which values 1 and 2 are the arguments of the region."""
    head = bytes((88, 1, 1, 0, 1, *identity, 1, 0, 1, 1, len(arguments), *arguments, len(region)))
    tile = b"\x0d\x00\x01" + (4).to_bytes(8, "little")
    return module(bytes((58, 3)) + head + b"".join(region) + RETURN, types=[tile])


MODULES = {
    "empty": header(4) + b"\0",
    "newer": header(5) + b"\0",
    "older": header(1, 12) + b"\0",
    "other": b"\x7fELF" + bytes(16),
    "cut": module(RETURN)[:-20],
    "right": module(RETURN),
    "padded": module(RETURN, padding=b"\xcb" * 7),
    "padded-too-much": module(RETURN, padding=b"\xcb" * 8),
    "no-operation": module(bytes((22,)) + RETURN),
    "too-new": module(bytes((118, 0)) + RETURN, minor=3),
    "undefined": module(bytes((1, 1, 7)) + RETURN),
    "no-end": module(bytes((48, 1, 1, 1))),
    "after-end": module(RETURN + RETURN),
    "no-type": module(bytes((58, 9)) + RETURN),
    "recursive-type": module(RETURN + b"", types=[b"\x0d\x03\x00"]).replace(
        bytes((1, 0, 2, 2, 0, 3)), bytes((1, 0, 3, 2, 0, 3))
    ),
    "odd-tile": module(
        bytes((58, 3)) + RETURN, types=[b"\x0d\x00\x01" + (3).to_bytes(8, "little")]
    ),
    "many": module(bytes((92, 0x80, 0x80, 0x80, 0x80, 0x0F, 0))),
    "wrong-types": module(bytes((48, 1, 1, 1)) + bytes((13, 1, 0)) + RETURN),
    "break-of-nothing": module(bytes((10, 0, 0))),
    "fold": fold(),
    "fold-of-elements-alone": fold(arguments=(1,), region=(bytes((109, 0, 1, 1)),)),
    "fold-that-returns": fold(region=(RETURN,)),
    "fold-from-text": fold(identity=(5, 0)),
    "fold-of-tiles": fold(region=(bytes((58, 3)), bytes((109, 0, 1, 2)))),
    "fold-with-loop": fold(region=(bytes((65, 0, 0, 1, 1, 0, 1, 10, 0, 0)), bytes((109, 0, 1, 2)))),
    "alloca": module(
        bytes((113, 3, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1)) + RETURN,
        types=[b"\x0d\x04\x00", b"\x0c\x00\x00"],
    ),
    # Types 3 and 4: i4, a tile of it without dimensions.
    "nibble-negated": module(
        bytes((48, 1, 1, 1)) + bytes((107, 4, 0, 0)) + bytes((80, 4, 0, 3)) + RETURN,
        types=[b"\x16", b"\x0d\x03\x00"],
    ),
    "nibble-as-index": module(
        bytes((48, 1, 1, 1))
        + bytes((107, 4, 0, 0))
        + bytes((58, 5))
        + bytes((38, 1, 6, 2, 4, 3))
        + RETURN,
        types=[b"\x16", b"\x0d\x03\x00", b"\x0d\x00\x01" + (8).to_bytes(8, "little"),
               b"\x0d\x00\x01" + (4).to_bytes(8, "little")],
    ),
    # Types 3 to 7: f4e2m1fn, a pointer to it, tiles of both without dimensions, a token.
    "four-bits-in-memory": module(
        bytes((113, 5, 0, 16, 1)) + bytes((61, 6, 7, 0, 0, 0)) + RETURN,
        types=[b"\x13", b"\x0c\x00\x03", b"\x0d\x04\x00", b"\x0d\x03\x00", b"\x11"],
    ),
}

if __name__ == "__main__":
    with open(sys.argv[2], "wb") as out:
        out.write(MODULES[sys.argv[1]])
