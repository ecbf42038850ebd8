"""What the comments of headers say of each name: a small reader of our own headers, whose functions
are templates and often made by macros.

A header is read by paragraphs (lines between empty ones). A comment is of the declarations that
follow it in its paragraph; that of a macro, with NAME for the name, is of what the macro declares.
`__detail` and what is private is left out.
"""

import dataclasses
import re

CALL = re.compile(r"^[ \t]*(TESSERA_\w+)\((.*)\)(?: *//.*)?$", re.M)
DECLARED = r"(?:struct|class|concept|using|enum(?: class)?)\s+"


@dataclasses.dataclass
class Declaration:
    name: str
    text: str  # as a programmer would write it
    comment: str
    file: str
    line: int


@dataclasses.dataclass
class Piece:
    """Code with the comment above it."""

    comment: str
    code: str
    line: int


def without_blocks(text, opening):
    """The text with blocks that begin so made empty, line by line."""
    result, at = [], 0
    for found in re.finditer(opening, text, re.M):
        if found.start() < at:
            continue
        result.append(text[at : found.start()])
        at = end_of_block(text, found.end() - 1)
        result.append("\n" * text.count("\n", found.start(), at))
    return "".join(result) + text[at:]


def end_of_block(text, brace):
    depth = 0
    for at in range(brace, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def plain(comment_lines):
    """A comment's lines as one."""
    text = " ".join(line.strip() for line in comment_lines)
    return re.sub(r"\s+", " ", text).strip()


def comment_of(line):
    """What a line that is a comment says; None for another one."""
    found = re.match(r"\s*///?( .*|)$", line)
    return None if not found else found[1]


def pieces(text):
    """Comments with the code below them."""
    comment, code, start = [], [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        said = comment_of(line)
        if code and (said is not None or not line.strip()):
            yield Piece(plain(comment), "\n".join(code), start)
            comment, code = [], []
        if said is not None:
            comment.append(said)
        elif line.strip():
            if not code:
                start = number
            code.append(line)
        else:
            comment = []


def head(text):
    """The comment at the top of a file."""
    lines = []
    for line in text.splitlines():
        said = comment_of(line)
        if said is None:
            break
        lines.append(said)
    return plain(lines)


class Header:
    """A C++ header. `macros`: those of headers that it includes, filled further."""

    def __init__(self, name, text, macros, tables=None):
        self.name, self.head = name, head(text)
        for table, rows in (tables or {}).items():  # which the header includes for its macros
            text = text.replace(f'#include "{table}"', rows)
        text = without_blocks(text, r"^namespace (?:__detail|__prim)[^{]*\{")
        text = re.sub(r"\\\n", "\\\\", text)  # a macro is one line
        self.pieces = []
        for piece in pieces(text):
            define(macros, piece)
            self.pieces.append((piece, dict(macros)))

    def find(self, name):
        """All declarations of a name."""
        found = []
        for piece, macros in self.pieces:
            for text, comment in codes(piece, name, macros):
                for declared in declarations(text, name):
                    found.append(Declaration(name, declared, comment, self.name, piece.line))
        return found


def define(macros, piece):
    for found in re.finditer(r"^#define (\w+)\(([^)]*)\)(.*)$", piece.code, re.M):
        names = [word.strip() for word in found[2].split(",")]
        macros[found[1]] = (names, re.sub(r"\\\s*", "\n", found[3]), piece.comment)


def codes(piece, name, macros):
    """The piece's code, and what its macros make of the name, each with its comment."""
    code = re.sub(r"^#.*$", "", piece.code, flags=re.M)
    yield CALL.sub("", code), piece.comment
    for call in CALL.finditer(code):
        if call[1] not in macros:
            continue
        names, body, comment = macros[call[1]]
        given = [word.strip() for word in split(call[2])]
        values = dict(zip(names, given))
        text = re.sub(r"\b(\w+)##(\w+)", lambda m: values.get(m[1], m[1]) + m[2], body)
        text = re.sub(r"(\boperator) ?(\w+)\b", lambda m: m[1] + values.get(m[2], m[2]), text)
        text = re.sub(r"\b\w+\b", lambda m: values.get(m[0], m[0]), text)
        both = f"{piece.comment} {comment}".strip()
        if CALL.search(text) and call[1] not in text:
            yield from codes(Piece(both, text, piece.line), name, macros)
        elif name.removeprefix("operator") in text:
            yield text, re.sub(r"\b[A-Z]{3,}\b", lambda m: values.get(m[0], m[0]), both)


def split(text):
    """At commas that are in no brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "({") - (c in ")}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def declarations(text, name):
    """Of the name in code, each up to its body."""
    word = re.escape(name)
    if name == "_ic":
        word = r'operator""_ic'
    elif name.startswith("operator"):
        word = r"operator\s*" + re.escape(name[8:]) + r"(?=\s*\()"
    opening = rf"({DECLARED}|enum \{{ )?(?:\[\[[^\]]*\]\]\s*)?(?<![\w:.>])"
    pattern = re.compile(rf"{opening}({word})\s*(\W|$)")
    for found in pattern.finditer(text):
        before = text[begin_of(text, found.start()) : found.start()]
        is_function_or_variable = (
            found[3] in ("(", "=", ";", "{") and re.search(r"[\w>&*]\s*$|^\s*$", before)
            and not re.search(r"\b(?:return|requires)\s*$", before)
            and re.search(r"template|TESSERA_|constexpr|^\s*[\w:<>]+[ *&]|^\s*$", before)
        )  # fmt: skip
        if not before.strip() and found[3] != "(":
            is_function_or_variable = False  # but an enumerator, or a value that is changed
        if not found[1] and not is_function_or_variable:
            continue
        declared = before + text[found.start() : end_of_declaration(text, found.end(2))]
        if declared.count("(") == declared.count(")"):
            yield spelled(declared)


def begin_of(text, at):
    """Behind the declaration ahead."""
    begin = 0
    for found in re.finditer(r"[;}]\s*\n|\{\s*\n|\{ *$|^\s*(?:public|private):", text[:at], re.M):
        begin = found.end()
    return begin


def end_of_declaration(text, at):
    depth = 0
    while at < len(text):
        c = text[at]
        depth += (c in "([") - (c in ")]")
        if depth <= 0 and c in ";{":
            return at
        at += 1
    return at


def spelled(text):
    """Without the implementation's own words."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\b(?:TESSERA_API|TESSERA_INTEROP_API|TESSERA_HOST_API) ?", "", text)
    text = re.sub(r"__prim::arg<(\w+)>", r"\1", text)
    text = text.replace("__detail::", "").replace("__prim::", "")
    return lines_of(re.sub(r" noexcept(?: : .*)?$", "", text))


def lines_of(text):
    """A declaration in lines: its template's parameters, what it requires, the rest."""
    if not text.startswith("template "):
        return text
    depth = 0
    for at, c in enumerate(text):
        depth += (c == "<") - (c == ">")
        if c == ">" and depth == 0:
            break
    text = f"{text[: at + 1]}\n{text[at + 2 :]}"
    return text.replace("\nrequires ", "\n  requires ")
