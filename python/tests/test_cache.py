"""The cache on the disk: what it is made of, several processes and threads at once, processes that
are killed, its size."""

import concurrent.futures
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import tessera
from tessera import _tessera, cache, kernel

FAKE = pathlib.Path(_tessera.__file__).parents[2] / "python/fake_gpu.so"
SOURCE = '#include <cuda_tile.h>\n__tile_global__ void set(int *x) {{ *x = {value}; }}\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TESSERA_PYTHON_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def entries(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != "locks")


def value_of(kernel):
    x = np.zeros(1, np.int32)
    kernel[1](x)
    return int(x[0])


def test_of_files(folder, tmp_path):
    header, source = tmp_path / "value.h", tmp_path / "set.cu"
    source.write_text('#include "value.h"\n' + SOURCE.format(value="VALUE"))
    for value in (1, 2):
        header.write_text(f"#define VALUE {value}\n")
        assert value_of(tessera.compile(source, "set", target="cpu")) == value
    assert len(entries(folder)) == 1  # one key, made again


def test_of_what_the_plan_must_not_do(folder, monkeypatch):
    for without in ("", "coarsen", "coarsen"):
        monkeypatch.setenv("TESSERA_PLAN_WITHOUT", without)
        assert value_of(tessera.compile(SOURCE.format(value=6), "set", target="cpu")) == 6
    assert len(entries(folder)) == 2


def test_of_another_version(folder, monkeypatch):
    """What another version has left is not read, even where the files have the same times."""
    source = SOURCE.format(value=9)
    tessera.compile(source, "set", target="cpu")
    (old,) = entries(folder)
    (library,) = (folder / old).glob("*.so")
    library.unlink()  # this process has loaded it: a file that shrinks would end it
    library.write_bytes(b"of another version")
    monkeypatch.setattr(_tessera, "version", "0.0.9")
    kernel._compiler.cache_clear()
    assert value_of(tessera.compile(source, "set", target="cpu")) == 9
    assert len(entries(folder)) == 2 and old in entries(folder)
    assert library.read_bytes() == b"of another version"
    kernel._compiler.cache_clear()


def fill(made, size=1 << 20):
    (made / "kernel.so").write_bytes(b"x" * size)
    return []


def test_size(folder, monkeypatch):
    monkeypatch.setenv("TESSERA_CACHE_MIB", "3")
    for number in range(6):
        made = cache.get(f"key{number}", fill)
        os.utime(made, (number, number))
        assert made.exists()
    assert entries(folder) == ["key4", "key5"]
    old = folder / "making-old"
    old.mkdir()
    os.utime(old, (0, 0))
    cache.get("key7", fill)
    assert not old.exists()


def test_a_failure_leaves_nothing(folder):
    def fail(made):
        (made / "half").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.get("key", fail)
    assert entries(folder) == []
    cache.get("key", fill)
    (folder / "key/files.json").write_text("{torn")
    assert (cache.get("key", fill) / "files.json").read_text() == "{}"


PROCESS = """
import pathlib, sys, time
from tessera import cache

def make(made):
    (made / "made").write_text("")
    for part in range(20):
        time.sleep(0.005)
        with open(made / "kernel.so", "ab") as file:
            file.write(b"x" * 1000)
    with open(sys.argv[1], "a") as log:
        log.write("made\\n")
    return []

for key in sys.argv[2:]:
    folder = cache.get(key, make)
    assert (folder / "kernel.so").stat().st_size == 20000
"""


def start(folder, log, *keys):
    environment = {**os.environ, "TESSERA_PYTHON_CACHE_DIR": str(folder)}
    return subprocess.Popen([sys.executable, "-c", PROCESS, str(log), *keys], env=environment)


def test_processes(folder, tmp_path):
    folder.mkdir()
    log = tmp_path / "log"
    processes = [start(folder, log, "same", f"own{i}", "other") for i in range(8)]
    assert [process.wait(60) for process in processes] == [0] * 8
    assert log.read_text().count("made") == 2 + 8  # each key once
    assert len(entries(folder)) == 10


# Stands for the compiler: half of a library, a moment later the other half.
PROGRAM = r"""#!/bin/sh
while [ $# -gt 1 ]; do
  case "$1" in
    -o) library=$2; shift ;;
    --depfile=*) listing=${1#--depfile=} ;;
  esac
  shift
done
echo "$PPID $(sed -n 's/^TESSERA_EXPORT_KERNEL(of_python, \(.*\));/\1/p' "$1")" >> LOG
head -c 5000 FAKE > "$library"
sleep 0.05
tail -c +5001 FAKE >> "$library"
echo "library: $1" > "$listing"
"""
CROWD = """
import pathlib, sys, threading
import tessera

wanted = pathlib.Path(sys.argv[1]).read_bytes()
right = []

def work(first):
    for number in range(4):
        name = f"k{(first + number) % 4}"
        kernel = tessera.compile("the source\\n", name, target="gpu", arch="sm_90a")
        (library,) = kernel._folder.glob("*.so")
        assert library.read_bytes() == wanted and len(kernel.parameters) == 3
        right.append((name, id(kernel)))

threads = [threading.Thread(target=work, args=(first,)) for first in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(right) == 32 and len(set(right)) == 4
"""


@pytest.mark.parametrize("attempt", range(int(os.environ.get("TESSERA_TEST_ROUNDS", 2))))
def test_a_crowd_of_which_some_are_killed(folder, tmp_path, attempt):
    """8 processes of 8 threads want 4 kernels of an empty cache; half of them are killed."""
    log, compiler = tmp_path / "log", tmp_path / "tessera"
    compiler.write_text(PROGRAM.replace("FAKE", str(FAKE)).replace("LOG", str(log)))
    compiler.chmod(0o755)
    environment = {
        **os.environ,
        "TESSERA_PYTHON_CACHE_DIR": str(folder),
        "TESSERA_PROGRAM": str(compiler),
    }
    command = [sys.executable, "-c", CROWD, str(FAKE)]
    processes = [subprocess.Popen(command, env=environment) for _ in range(8)]
    deadline = time.monotonic() + 60
    while not log.exists() and time.monotonic() < deadline:
        time.sleep(0.002)
    moments = random.Random(attempt)
    for process in processes[:4]:
        time.sleep(moments.uniform(0, 0.06))
        process.send_signal(signal.SIGKILL)
    assert [process.wait(120) for process in processes[4:]] == [0] * 4
    for process in processes[:4]:
        process.wait()

    wanted = FAKE.read_bytes()
    made = [name for name in entries(folder) if not name.startswith("making-")]
    assert len(made) == 4
    for name in made:
        (library,) = (folder / name).glob("*.so")
        assert library.read_bytes() == wanted
        json.loads((folder / name / "files.json").read_text())
    lines = log.read_text().splitlines()
    assert len(lines) == len(set(lines))  # each kernel once a process at most


def test_threads(folder):
    sources = [SOURCE.format(value=value) for value in (3, 4, 3, 4, 3, 4, 3, 4)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        kernels = list(pool.map(lambda text: tessera.compile(text, "set", target="cpu"), sources))
    assert len(set(map(id, kernels))) == 2 and len(entries(folder)) == 2
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(value_of, kernels * 8)) == [3, 4] * 32


def test_refused_programs(folder):
    with pytest.raises(tessera.CompileError, match=r"kernel.cu:2:\d+: error: .*undeclared"):
        tessera.compile(SOURCE.format(value="unknown"), "set", target="cpu")
    with pytest.raises(tessera.CompileError, match="other"):
        tessera.compile(SOURCE.format(value=1), "other", target="cpu")
    with pytest.raises(FileNotFoundError):
        tessera.compile(pathlib.Path("/nowhere/x.cu"), "set", target="cpu")
    with pytest.raises(ValueError, match="target"):
        tessera.compile(SOURCE.format(value=1), "set", target="tpu")
    assert entries(folder) == []
