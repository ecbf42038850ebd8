#!/usr/bin/env python3
"""The reference of the API, made of the headers' comments and Python's docstrings, and a count of
what has none.

Entities are the entries of test/language.txt (the language), what the other public headers declare
(launches from C, compilation from memory, arrays of other libraries), and what `import tessera`
gives. Each must have a comment. It must say which of its values are errors where it returns a
status, and the unit of what it calls a size, a length or a time. Shapes and element types of tile
functions are the constraints of their declarations, which are shown; every concept that they name
is an entity itself.

usage: reference.py      prints what is not documented, then 'N passed, N failed'
"""

import ast
import dataclasses
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test"))
import headers  # noqa: E402
import language  # noqa: E402

INCLUDE = ROOT / "runtime/include"
NOT_OF_USERS = {"primitives.h", "checked.h", "nvcc_functions.h", "unevaluated.h", "config.h"}

# What no header of ours declares.
OTHERS = {
    "__half": "IEEE half precision, 16 bits; of `<cuda_fp16.h>`.",
    "__nv_bfloat16": "bfloat16, 16 bits; of `<cuda_bf16.h>`.",
    "__nv_tf32": "TF32: 10 bits of significand in 32 bits, for operands of multiplies.",
    "__nv_fp8_e4m3": "8 bits, 3 of them of the significand; of `<cuda_fp8.h>`.",
    "__nv_fp8_e5m2": "8 bits, 2 of them of the significand; of `<cuda_fp8.h>`.",
    "__nv_fp8_e8m0": "A power of two in 8 bits, for scales; of `<cuda_fp8.h>`.",
    "__nv_fp4_e2m1": "4 bits, two elements a byte; of `<cuda_fp4.h>`.",
    "bool": "A truth value, 8 bits in memory.",
    "double": "IEEE double precision, 64 bits.",
    "num_cta_in_cga": "A hint: blocks in a cluster. Changes no result.",
    "occupancy": "A hint: blocks that should fit an SM together. Changes no result.",
    "num_worker_warps_per_cta": "A hint: warps of a block. Changes no result.",
    "latency": "A hint at a load or a store: how long it is expected to take. Changes no result.",
    "allow_tma": "A hint at a load or a store: whether bulk copies may be used. Changes no result.",
}


@dataclasses.dataclass
class Entity:
    name: str
    declarations: list  # texts
    comment: str
    place: str  # file
    remark: str = ""
    language: str = "cpp"


@dataclasses.dataclass
class Section:
    title: str
    about: str
    entities: list


def language_sections():
    macros, found = {}, []
    rows = (INCLUDE / "tessera/ops.def").read_text().splitlines()
    table = "\n".join(row for row in rows if row.startswith("TESSERA_MATH_1"))
    for file in sorted((INCLUDE / "tessera/tile").glob("*.h")):
        if file.name not in NOT_OF_USERS:
            name = str(file.relative_to(INCLUDE))
            text = file.read_text()
            found.append(headers.Header(name, text, macros, {"../ops.def": table}))
    for title, entries in language.read((ROOT / "test/language.txt").read_text()):
        if title.startswith("Rules") or title in ("Language", "Remarks"):
            continue
        entities = []
        for name, _, remark in entries:
            declared = [each for header in found for each in header.find(name)]
            comments = dict.fromkeys(each.comment for each in declared if each.comment)
            texts = list(dict.fromkeys(each.text for each in declared))
            comment = OTHERS.get(name) or " ".join(comments)
            place = declared[0].file if declared else ""
            entities.append(Entity(name, texts, comment, place, remark))
        files = dict.fromkeys(each.place for each in entities)
        about = [header.head for header in found if header.name in files]
        yield Section(title, "\n\n".join(about), entities)


C_COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
C_HEADERS = {
    "c_api.h": "Launches from C",
    "compile.h": "Compilation from memory",
}


def c_text(comment):
    return re.sub(r"\s+", " ", re.sub(r"^\s*\* ?", "", comment, flags=re.M)).strip()


def c_section(file, title):
    """Of a C header: comments stand above declarations, or behind members on their line."""
    text = (INCLUDE / "tessera" / file).read_text()
    about = c_text(C_COMMENT.search(text)[1])
    body = text[C_COMMENT.search(text).end() :]
    entities, comment = [], ""
    pattern = re.compile(
        r"^/\*(?P<comment>.*?)\*/|^(?P<code>(?:typedef\s[^;{]*\{.*?\}[^;]*|[a-zA-Z][^;{#\"]*);)"
        r"|^#define (?P<macro>TESSERA_\w+\([^)]*\))|^(?P<gap>)$",
        re.S | re.M,
    )
    for found in pattern.finditer(body):
        if found["comment"] is not None:
            comment = c_text(found["comment"])
        elif found["code"]:
            code = found["code"]
            outside = re.sub(r"\{.*\}", "", code, flags=re.S)
            names = re.findall(r"(\w+)(?=\s*\()|(\w+)(?=;)", outside)
            name = next(a or b for a, b in names)
            entities.append(Entity(name, [code], comment or inner(code), file, language="c"))
        elif found["macro"]:
            name = found["macro"].partition("(")[0]
            if name not in [each.name for each in entities]:
                entities.append(Entity(name, [found["macro"]], comment, file, language="c"))
        else:
            comment = ""
    return Section(title, about, entities)


def inner(code):
    """Of a type without a comment above: what is behind its members."""
    return "; ".join(c_text(each) for each in C_COMMENT.findall(code))


# What users call of the C++ headers beside cuda_tile.h.
CPP_HEADERS = {
    "Arrays of other libraries": {
        "interop/array_descriptor.h": ["interoperable_array_descriptor"],
        "interop/tensor_span.h": ["contiguous_last"],
        "interop/foreign_array.h": ["reason", "interop_error", "foreign_array", "descriptor_of"],
        "interop/dlpack.h": ["from_dlpack"],
        "interop/cuda_array_interface.h": ["array_interface", "from_array_interface"],
        "interop/promote.h": ["promote_t", "is_promotable"],
        "interop/export.h": ["TESSERA_EXPORT_KERNEL"],
    },
    "Launches of images": {"image.h": ["kernel", "find", "launch"]},
}


def cpp_section(title, files):
    entities, about = [], []
    for file, names in files.items():
        text = (INCLUDE / "tessera" / file).read_text()
        header = headers.Header(f"tessera/{file}", text, {})
        about.append(header.head)
        for name in names:
            if name.startswith("TESSERA_"):
                found = re.search(rf"((?:^//.*\n)+)#define ({name}\([^)]*\))", text, re.M)
                said = headers.plain(found[1].replace("//", "").splitlines())
                texts, comments = [found[2]], [said]
            else:
                declared = header.find(name)
                comments = dict.fromkeys(each.comment for each in declared if each.comment)
                texts = list(dict.fromkeys(each.text for each in declared))
            entities.append(Entity(name, texts, " ".join(comments), header.name))
    return Section(title, "\n\n".join(about), entities)


PYTHON = {
    "kernel.py": ["compile", "Kernel", "Explanation"],
    "tuning.py": ["autotune", "Tuned"],
    "templates.py": ["Template"],
    "errors.py": ["CompileError"],
    "torch.py": ["custom_op"],
    "jax.py": ["call"],
    "types.py": ["Number", "Vector", "struct", "align", "pack"],
}

MODULES = {"torch.py": "tessera.torch.", "jax.py": "tessera.jax.", "types.py": "tessera.types."}


def python_section():
    entities = []
    for file, names in PYTHON.items():
        tree = ast.parse((ROOT / "python/tessera" / file).read_text())
        for node in tree.body:
            if getattr(node, "name", None) in names:
                prefix = MODULES.get(file, "tessera.")
                entities.append(python_entity(node, prefix, file))
                if isinstance(node, ast.ClassDef):
                    for each in node.body:
                        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
                            entities.append(python_entity(each, f"{prefix}{node.name}.", file))
    return Section("Python", "", entities)


def python_entity(node, prefix, file):
    text = f"class {node.name}"
    if isinstance(node, ast.FunctionDef):
        is_value = any("property" in ast.unparse(each) for each in node.decorator_list)
        text = node.name if is_value else f"{node.name}({ast.unparse(node.args)})"
    return Entity(prefix + node.name, [text], ast.get_docstring(node) or "", file, "", "python")


def sections():
    yield from language_sections()
    for title, files in CPP_HEADERS.items():
        yield cpp_section(title, files)
    for file, title in C_HEADERS.items():
        yield c_section(file, title)
    yield python_section()


MEASURED = re.compile(r"\b(?:size|length|timeout|seconds|time)\b")
UNITS = re.compile(r"\b(?:bytes?|bits|elements?|seconds|blocks|dimensions|numbers?|extents?)\b")


def what_is_missing(entity, concepts):
    if len(entity.comment) < 4:
        return "no comment"
    if entity.language in ("c", "python"):
        said = f"{entity.comment} {' '.join(entity.declarations)}"
        signature = C_COMMENT.sub("", " ".join(entity.declarations))
        if entity.language == "c" and MEASURED.search(signature) and not UNITS.search(said):
            return "no unit of a size or a time"
    for text in entity.declarations:
        for concept in re.findall(r"[<,] ?(\w+(?:_tile|_scalar|_like|_convertible)) \w+", text):
            if concept not in concepts:
                return f"'{concept}' constrains it, and is not documented"
    return None


def says_errors(section):
    """Has each value of the status of a C header, but that of success, a comment?"""
    declared = [text for each in section.entities for text in each.declarations]
    status = [text for text in declared if re.search(r"typedef enum \w*[sS]tatus", text)]
    values = re.findall(r"^ +TESSERA_\w+ = [1-9].*$", "".join(status), re.M)
    return values and all("/*" in value for value in values)


def check(found):
    """Lines about what is not documented; how many entities are, how many are not."""
    concepts = {each.name for section in found for each in section.entities}
    wrong, count = [], 0
    for section in found:
        if section.title in C_HEADERS.values() and not says_errors(section):
            wrong.append(f"{section.title}: the values of its status are not documented")
        for entity in section.entities:
            count += 1
            if missing := what_is_missing(entity, concepts):
                wrong.append(f"{section.title}: {entity.name} ({entity.place}): {missing}")
    return wrong, count


def main():
    wrong, count = check(list(sections()))
    for line in wrong:
        print(line)
    print(f"{count - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
