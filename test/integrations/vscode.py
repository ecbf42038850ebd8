#!/usr/bin/env python3
"""The extension for Visual Studio Code, without Visual Studio Code: integrations/vscode.

The manifest is held against schema.json, a part of the rules for manifests, and names only what
there is; the vsix has all files, and two of them are equal. vscode.mjs loads the extension with a
stand-in for the interface of Visual Studio Code, and uses its commands and tasks with the real
tessera. The problem matcher reads the messages of tessera. The devcontainer names what there is.

usage: vscode.py --tessera PROGRAM
Prints what is wrong, then 'N passed, N failed'. Needs Node.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile

from report import report

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXTENSION = ROOT / "integrations/vscode"
WRONG = """#include <cuda_tile.h>
using tile = cuda::tiles::tile<float, cuda::tiles::shape<256>>;
__tile__ tile twice(tile x) { return 2.0 * x; }
"""
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float)}


def faults_of(value, schema, place="package.json"):
    """What of a value the schema does not allow: the words of JSON Schema that schema.json uses."""
    if not isinstance(value, KINDS[schema["type"]]):
        yield f"{place}: {type(value).__name__}, but {schema['type']} is required"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{place}: {value!r} does not match {schema['pattern']}"
    if schema["type"] == "array":
        for i, one in enumerate(value):
            yield from faults_of(one, schema["items"], f"{place}[{i}]")
    if schema["type"] == "object":
        known = schema.get("properties", {})
        for name in set(schema.get("required", [])) - set(value):
            yield f"{place}: '{name}' is missing"
        for name, one in value.items():
            rule = known.get(name, schema.get("additionalProperties"))
            if rule:
                yield from faults_of(one, rule, f"{place}.{name}")
            elif rule is None and known:
                yield f"{place}: '{name}' is not known"


def checks_of_manifest():
    package = json.loads((EXTENSION / "package.json").read_text())
    schema = json.loads((HERE / "schema.json").read_text())
    faults = list(faults_of(package, schema))
    yield "the manifest is one", not faults, faults
    wrong = package | {"engines": {}, "main": 3, "colour": "red"}
    yield "a wrong manifest is none", len(list(faults_of(wrong, schema))) == 3, wrong
    contributes = package["contributes"]
    commands = {one["command"] for one in contributes["commands"]}
    used = {one["command"] for menu in contributes["menus"].values() for one in menu}
    yield "menus name commands", used <= commands, used - commands
    yield "its program is there", (EXTENSION / package["main"]).exists(), package["main"]
    version = re.search(
        r'_STRING "(.*)"', (ROOT / "runtime/include/tessera/version.h").read_text()
    )[1]
    same = package["version"] == version or package["version"].startswith(f"{version}.")
    yield "its version is Tessera's", same, (package["version"], version)


def checks_of_vsix(folder):
    files = []
    for name in ("one.vsix", "two.vsix"):
        files.append(folder / name)
        subprocess.run(
            [sys.executable, EXTENSION / "make_vsix.py", "--output", files[-1]], check=True
        )
    yield "two are equal", files[0].read_bytes() == files[1].read_bytes(), ""
    with zipfile.ZipFile(files[0]) as archive:
        names = set(archive.namelist())
        manifest = xml.etree.ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        types = xml.etree.ElementTree.fromstring(archive.read("[Content_Types].xml"))
        same = archive.read("extension/extension.js") == (EXTENSION / "extension.js").read_bytes()
    space = {"v": manifest.tag[1:].partition("}")[0]}
    assets = {one.get("Path") for one in manifest.findall(".//v:Asset", space)}
    yield "the assets are in it", assets and assets <= names and same, assets - names
    known = {one.get("Extension") for one in types}
    endings = {pathlib.PurePath(name).suffix for name in names - {"[Content_Types].xml"}}
    yield "each file has a type", endings <= known, endings - known


def checks_of_matcher(tessera, folder):
    package = json.loads((EXTENSION / "package.json").read_text())
    matcher = package["contributes"]["problemMatchers"][0]["pattern"]
    (folder / "wrong.cu").write_text(WRONG)
    said = subprocess.run(
        [tessera, "check", "wrong.cu"], capture_output=True, text=True, cwd=folder, check=False
    ).stderr
    found = [match for line in said.splitlines() if (match := re.match(matcher["regexp"], line))]
    wanted = ("wrong.cu", "3", "42", "error")
    yield "messages are read", found and found[0].groups()[:4] == wanted, said
    code = found[0][matcher["code"]] if found else ""
    yield "with their codes", code == "tile:general_principles/scalar-narrows", code


def checks_of_container():
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    yield "the container is a Debian 12", container["image"].endswith("debian-12"), container
    script = container["onCreateCommand"].split()[-1]
    yield "what makes it ready is there", (ROOT / script).exists(), script
    extensions = container["customizations"]["vscode"]["extensions"]
    wanted = json.loads((EXTENSION / "package.json").read_text())["extensionDependencies"]
    yield "it has what the extension needs", set(wanted) <= set(extensions), extensions


def checks_of_extension(tessera, folder):
    node = shutil.which("node") or shutil.which("nodejs")
    if not node:
        yield "there is Node", False, "no node in PATH"
        return
    for name in ("vector_add.cu", "sample.h"):
        shutil.copy(ROOT / "samples" / name, folder)
    words = [node, HERE / "vscode.mjs", EXTENSION, folder, tessera]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    yield "the extension does what it says", done.returncode == 0, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", required=True)
    tessera = os.path.abspath(parser.parse_args().tessera)
    with tempfile.TemporaryDirectory(prefix="tessera-") as name:
        folder = pathlib.Path(name)
        parts = (checks_of_manifest(), checks_of_vsix(folder), checks_of_container())
        parts += (checks_of_matcher(tessera, folder), checks_of_extension(tessera, folder))
        return report("vscode.py", itertools.chain.from_iterable(parts))


if __name__ == "__main__":
    sys.exit(main())
