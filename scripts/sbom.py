#!/usr/bin/env python3
"""Writes the bill of materials of a release, SPDX 2.3 in JSON: each artefact with its SHA-256, and
what is contained in it or needed by it, with version and licence.

    scripts/sbom.py OUTPUT ARTEFACT...

Versions are those of the installed packages that the bundle is made of (plugin/bundle), so it runs
where that was built. The time is SOURCE_DATE_EPOCH's. A component of the bundle whose licence is
not in build/bundle/licenses is an error.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
APACHE = "Apache-2.0 WITH LLVM-exception"
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
# Of the bundle: name, Debian's package, licence, its text among the licences, what is taken.
BUNDLED = [
    ("LLVM, MLIR, Clang, clangd and lld", "libclang-22-dev", APACHE, "libclang-22-dev.txt",
     "linked into bin/tessera; Clang's headers"),
    ("compiler-rt", "libclang-rt-22-dev", APACHE, "libclang-22-dev.txt", "builtins, start files"),
    ("libc++", "libc++-22-dev", APACHE, "libc++-22-dev.txt", "headers and archive"),
    ("libunwind of LLVM", "libunwind-22-dev", APACHE, "libc++-22-dev.txt", "archive"),
    ("libstdc++", "libstdc++-12-dev", GCC, "libstdc++-12-dev.txt", "linked into bin/tessera"),
    ("libgcc", "libgcc-12-dev", GCC, "libstdc++-12-dev.txt", "linked into bin/tessera"),
    ("headers of glibc", "libc6-dev", "LGPL-2.1-or-later", "libc6-dev.txt", "unchanged headers"),
    ("headers of Linux", "linux-libc-dev", "GPL-2.0-only WITH Linux-syscall-note",
     "linux-libc-dev.txt", "unchanged headers"),
    ("Boost.Context", "libboost-context1.74-dev", "BSL-1.0", "libboost1.74-dev.txt", "archive"),
    ("zlib", "zlib1g-dev", "Zlib", "zlib1g-dev.txt", "linked into bin/tessera"),
    ("zstd", "libzstd-dev", "BSD-3-Clause OR GPL-2.0-only", "libzstd-dev.txt",
     "linked into bin/tessera"),
]  # fmt: skip
# Of the wheel besides.
IN_WHEEL = [
    ("nanobind", "BSD-3-Clause", "nanobind.txt", "in the extension modules"),
    ("robin-map", "MIT", "nanobind.txt", "part of nanobind"),
]
# Of the system, for the Debian package.
NEEDED = [("LLVM, MLIR and Clang", "clang-22"), ("Boost.Context", "libboost-context1.74-dev")]


def debian_version(package):
    shown = ["dpkg-query", "-W", "-f=${Version}", package]
    return subprocess.run(shown, capture_output=True, text=True, check=True).stdout


def nanobind_version(name):
    if name != "nanobind":
        return "NOASSERTION"
    (folder,) = (ROOT / "build/bundle-python").glob("nanobind-*.dist-info")
    return folder.name.removeprefix("nanobind-").removesuffix(".dist-info")


class Bill:
    def __init__(self, version, time):
        self.packages, self.relations = [], []
        self.document = {
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"tessera-{version}",
            "documentNamespace": f"urn:tessera-tile:{version}:{int(time.timestamp())}",
            "creationInfo": {
                "created": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "creators": ["Tool: scripts/sbom.py"],
            },
            "packages": self.packages,
            "relationships": self.relations,
        }

    def add(self, name, version, licence, **more):
        """The identifier of the package, which is added once."""
        ident = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", f"{name}-{version}")
        if all(package["SPDXID"] != ident for package in self.packages):
            self.packages.append({
                "SPDXID": ident,
                "name": name,
                "versionInfo": version,
                "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False,
                "licenseConcluded": licence,
                "licenseDeclared": licence,
                "copyrightText": "NOASSERTION",
                **more,
            })  # fmt: skip
        return ident

    def relate(self, one, kind, other):
        relation = {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
        self.relations.append(relation)


def add_bundled(bill, artefact):
    licences = ROOT / "build/bundle/licenses"
    for name, package, licence, text, use in BUNDLED:
        if not (licences / text).exists():
            sys.exit(f"sbom.py: {licences / text} is missing, the licence of {name}")
        part = bill.add(
            name, debian_version(package), licence, comment=use, externalRefs=[purl(package)]
        )
        bill.relate(artefact, "CONTAINS", part)


def purl(package):
    return {
        "referenceCategory": "PACKAGE-MANAGER",
        "referenceType": "purl",
        "referenceLocator": f"pkg:deb/debian/{package}@{debian_version(package)}?arch=amd64",
    }


def add_artefact(bill, path, version):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    artefact = bill.add(
        path.name, version, APACHE, packageFileName=path.name,
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
    )  # fmt: skip
    bill.relate("SPDXRef-DOCUMENT", "DESCRIBES", artefact)
    if path.suffix == ".whl":
        add_bundled(bill, artefact)
        for name, licence, _, use in IN_WHEEL:
            part = bill.add(name, nanobind_version(name), licence, comment=use)
            bill.relate(artefact, "CONTAINS", part)
        project = (ROOT / "pyproject.toml").read_text()
        for name, wanted in re.findall(r'^  "(nvidia-.*)==(.*)",$', project, re.M):
            bill.relate(artefact, "DEPENDS_ON", bill.add(name, wanted, "NOASSERTION"))
    elif path.suffix == ".deb":
        for name, package in NEEDED:
            part = bill.add(f"{name} (of the system)", debian_version(package), "NOASSERTION")
            bill.relate(artefact, "DEPENDS_ON", part)
    elif "-linux-" in path.name:
        add_bundled(bill, artefact)


def main():
    if len(sys.argv) < 3 or "--help" in sys.argv:
        print(__doc__)
        return 0 if "--help" in sys.argv else 2
    header = (ROOT / "runtime/include/tessera/version.h").read_text()
    version = re.search(r'_STRING "(.*)"', header)[1]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    bill = Bill(version, datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc))
    for name in sorted(sys.argv[2:]):
        add_artefact(bill, pathlib.Path(name), version)
    pathlib.Path(sys.argv[1]).write_text(json.dumps(bill.document, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
