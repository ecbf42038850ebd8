#!/usr/bin/env python3
"""Makes the extension's file: `code --install-extension tessera-0.1.0.vsix` installs it.

A vsix is a zip with the extension, its manifest and a list of content types; no npm is needed. Two
runs make equal bytes.

usage: make_vsix.py [--output FILE.vsix]
"""

import argparse
import json
import pathlib
import xml.sax.saxutils as xml
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
FILES = ["package.json", "extension.js", "README.md"]
LICENSE = HERE.parents[1] / "LICENSE"

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value={dependencies}/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest"
           Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details"
           Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License"
           Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def contents():
    """The files of the zip by their names."""
    package = json.loads((HERE / "package.json").read_text())
    manifest = MANIFEST.format(
        name=xml.quoteattr(package["name"]),
        version=xml.quoteattr(package["version"]),
        publisher=xml.quoteattr(package["publisher"]),
        title=xml.escape(package["displayName"]),
        description=xml.escape(package["description"]),
        categories=xml.escape(",".join(package["categories"])),
        engine=xml.quoteattr(package["engines"]["vscode"]),
        dependencies=xml.quoteattr(",".join(package["extensionDependencies"])),
    )
    files = {"extension.vsixmanifest": manifest.encode(), "[Content_Types].xml": TYPES.encode()}
    files |= {f"extension/{name}": (HERE / name).read_bytes() for name in FILES}
    return files | {"extension/LICENSE.txt": LICENSE.read_bytes()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    version = json.loads((HERE / "package.json").read_text())["version"]
    parser.add_argument("--output", default=f"tessera-{version}.vsix")
    output = parser.parse_args().output
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents().items():
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)


if __name__ == "__main__":
    main()
