#!/usr/bin/env python3
"""usage: advice.py FOLDER TESSERA...: each piece of advice of plugin/explain/Remarks.def helps. It
is written into the program of its row, FOLDER/ROW.cu; the remark goes, and the plan is another one.
TESSERA is a command. What a remark says to write stands in its advice alone, so that it is tested.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROW = re.compile(r'TESSERA_REMARK\((\w+), \w+,((?:\s*"(?:[^"\\]|\\.)*")+),\s*((?:"[^"]*"\s*)+)\)')
failures = []


def joined(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def rows():
    """(name, text, advice) of each remark."""
    table = (ROOT / "plugin/explain/Remarks.def").read_text()
    found = [(name, joined(text), joined(advice)) for name, text, advice in ROW.findall(table)]
    if len(found) != len(re.findall(r"^TESSERA_REMARK\(", table, re.M)):
        sys.exit("a row of Remarks.def cannot be read")
    return found


def pattern(text):
    return re.sub(r"%\d", "(.*?)", re.escape(text).replace(r"\%", "%"))


def said(tessera, program, what):
    """What the remark of a row says to write in this program, each once."""
    process = subprocess.run(
        [*tessera, "explain", program], check=True, capture_output=True, text=True
    )
    text = process.stdout + process.stderr
    found = re.finditer(f"{what} (?P<advice>.+)$", text, re.M)
    return list(dict.fromkeys(match["advice"] for match in found))


def plan(tessera, program):
    return subprocess.run([*tessera, "--dump=plan", program, "-o", "/dev/null"], check=True,
                          capture_output=True, text=True).stdout


def followed(text, advice):
    """The program with a line of advice: a fact, a parameter as it is to be, a function to call."""
    if "__restrict__" in advice:
        plain = advice.replace("__restrict__ ", "")
        return text.replace(plain, advice)
    if " = " in advice:
        return text.replace("// facts", f"// facts\n  {advice};")
    return text.replace("/* cast */ ", advice)


def check(name, text, folder, tessera):
    program = folder / f"{name}.cu"
    if not program.exists():
        return f"has no program {program}"
    what = pattern(text)
    advice = said(tessera, program, what)
    if not advice:
        return "is not said of its program"
    better = program.read_text()
    for line in advice:
        better = followed(better, line)
    with tempfile.TemporaryDirectory() as scratch:
        other = pathlib.Path(scratch) / program.name
        other.write_text(better)
        if said(tessera, other, what):
            return f"stays when it is followed: {advice}"
        if plan(tessera, program) == plan(tessera, other):
            return "changes nothing of the plan"
    return ""


def main():
    folder, tessera = pathlib.Path(sys.argv[1]), sys.argv[2:]
    table = rows()
    for name, text, advice in table:
        wrong = ""
        if advice:
            wrong = check(name, text, folder, tessera)
        elif re.search(r"__restrict__|, write$|ct::", text):
            wrong = "says to write something that is not its advice"
        if wrong:
            failures.append(f"{name}: {wrong}")
    for program in sorted(folder.glob("*.cu")):
        if not any(name == program.stem and advice for name, _, advice in table):
            failures.append(f"{program.name}: no row of its name has advice")
    print("\n".join(failures) or "every piece of advice helps")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
