"""The cache on the disk: what it is made of, several processes and threads at once, processes that
are killed, its size."""

import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import tessera
from tessera import cache

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


def test_killed_processes(folder, tmp_path):
    folder.mkdir()
    for attempt in range(10):
        process = start(folder, tmp_path / "log", "key")
        deadline = time.monotonic() + 20
        while not any(folder.glob("making-*/made")) and time.monotonic() < deadline:
            if process.poll() is not None:
                break
            time.sleep(0.002)
        time.sleep(0.01 * attempt)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not (folder / "key").exists() or (folder / "key/files.json").exists()
        if (folder / "key").exists():
            break
        for left in folder.glob("making-*"):
            (left / "made").unlink(missing_ok=True)
    assert start(folder, tmp_path / "log", "key").wait(60) == 0


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
