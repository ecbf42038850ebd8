"""Makes a folder to link with instead of the C library's, as if that were an older version:

    plugin/bundle/c_library.py VERSION FOLDER

A program that is linked there (-B FOLDER -L FOLDER) runs where the C library is of that version or
newer. Each symbol that this machine's libraries have is there, in its newest form that is not newer
than VERSION, and without code. What has no such form is missing; libc_nonshared.a has it (newer.c).
"""

import pathlib
import re
import shutil
import subprocess
import sys

MACHINE = pathlib.Path("/lib/x86_64-linux-gnu")
SYMBOL = re.compile(
    r"^([0-9a-f]+) .(.{6}) (?!\*UND\*)\S+\s+([0-9a-f]+)\s+\(?GLIBC_([0-9.]+)\)?\s+(\w+)$", re.M
)
# Since 2.34 their functions are in libc.so.6; before, a program says that it needs them.
OTHERS = ("libpthread.so.0", "libdl.so.2")


def number(version):
    return [int(part) for part in version.split(".")]


def symbols(library, newest):
    """name -> (version, size, address of data or nothing)"""
    listed = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True)
    found = {}
    for address, flags, size, version, name in SYMBOL.findall(listed.stdout):
        if number(version) <= number(newest):
            known = found.get(name)
            if not known or number(known[0]) < number(version):
                found[name] = version, int(size, 16), address if "O" in flags else ""
    return found


def clang(*words):
    subprocess.run(["clang-22", *words], check=True)


def make(name, folder, found):
    lines, labels = [], {}
    for i, (symbol, (version, size, address)) in enumerate(sorted(found.items())):
        # Names of one variable, as environ and __environ are, stay names of one.
        key = address or f"function {i}"
        kind, section = ("object", ".bss") if address else ("function", ".text")
        if key not in labels:
            labels[key] = i
            lines.append(f"{section}\n.balign 32\nlabel{i}: .zero {size if address else 1}")
        lines += [
            f".set s{i}, label{labels[key]}\n.globl s{i}\n.type s{i}, @{kind}\n.size s{i}, {size}",
            f".symver s{i}, {symbol}@@GLIBC_{version}, remove",
        ]
    source, script = folder / f"{name}.s", folder / f"{name}.map"
    source.write_text("\n".join(lines) + "\n")
    versions = sorted({version for version, *_ in found.values()}, key=number)
    script.write_text("".join(f"GLIBC_{version} {{}};\n" for version in versions))
    link = ["-shared", "-nostdlib", "-fuse-ld=lld", f"-Wl,-soname,{name}"]
    link += [f"-Wl,--version-script={script}"] if versions else []
    clang(*link, "-x", "assembler", source, "-o", folder / name)
    source.unlink()
    script.unlink()


def main(newest, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"):
        make(name, folder, symbols(MACHINE / name, newest))
    for name in OTHERS:
        make(name, folder, {})
    for source in ("start", "nonshared", "newer"):
        file = pathlib.Path(__file__).with_name(f"{source}.c")
        clang("-O2", "-fPIC", "-c", file, "-o", folder / f"{source}.o")
    archive = folder / "libc_nonshared.a"
    archive.unlink(missing_ok=True)
    members = [folder / f"{source}.o" for source in ("nonshared", "newer")]
    subprocess.run(["ar", "rcs", archive, *members], check=True)
    for name in ("crt1.o", "Scrt1.o"):
        shutil.copyfile(folder / "start.o", folder / name)
    # The names that compilers ask for.
    others = " ".join(f"-l:{name}" for name in OTHERS)
    others += " AS_NEEDED(-l:ld-linux-x86-64.so.2)"
    (folder / "libc.so").write_text(f"INPUT(-l:libc.so.6 libc_nonshared.a {others})\n")
    (folder / "libm.so").write_text("INPUT(-l:libm.so.6)\n")
    for name in ("libpthread.so", "libdl.so", "librt.so"):
        (folder / name).write_text("INPUT(-lc)\n")


main(sys.argv[1], pathlib.Path(sys.argv[2]))
