# door: launcher
# options: --target=gpu
# CHECK: compiler {{.*}}/bin/tileiras: Tessera
# CHECK: no stand-in of a driver
"""On a GPU our compiler comes before NVIDIA's, also where its package is installed, and the driver
is the machine's. (Here there may be none.)"""

import importlib.metadata
import os
import pathlib
import subprocess
import sys
import tempfile
import types

import cuda.tile  # noqa: F401

folder = tempfile.TemporaryDirectory()
root = pathlib.Path(folder.name)
(root / "bin").mkdir()
(root / "bin/tileiras").write_text("#!/bin/sh\necho NVIDIA\n")
(root / "bin/tileiras").chmod(0o755)
for name in ("nvidia", "nvidia.cu13"):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [str(root)]
sys.modules["nvidia"].cu13 = sys.modules["nvidia.cu13"]
find = importlib.metadata.version
importlib.metadata.version = lambda name: "13.4.0" if name.startswith("nvidia-") else find(name)
from cuda.tile._compile import _find_compiler_bin  # noqa: E402

path = _find_compiler_bin().path
version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
print(f"compiler {path}: {version.splitlines()[0]}")
assert "emulator" not in version
if "tessera-emulate" not in os.environ.get("LD_LIBRARY_PATH", ""):
    print("no stand-in of a driver")
