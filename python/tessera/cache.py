"""Compiled kernels on the disk, by what they are made of.

A key is a digest of the source, the kernel, the options, the compiler and this processor; its
folder has the library and a list of the files that it was made of with their digests, which are
compared before it is used. Folders appear complete, by a rename; a lock for each key lets one
process compile what several want. The least recently used go when all together are larger than
TESSERA_CACHE_MIB (1024).
"""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import tempfile
import time

_SETTLED = 5  # seconds after which a file that changes has another time
_digests = {}  # file -> (what its status was, digest)
_ABANDONED = 3600  # seconds after which the folder of a process that was killed is removed


def root():
    """TESSERA_PYTHON_CACHE_DIR, or a folder in TESSERA_CACHE_DIR or in the user's cache."""
    own, shared = (os.environ.get(f"TESSERA_{kind}CACHE_DIR") for kind in ("PYTHON_", ""))
    if own or shared:
        return pathlib.Path(own) if own else pathlib.Path(shared) / "python"
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(home) / "tessera" / "python"


def digest(parts):
    """A name for a list of texts."""
    hashed = hashlib.sha256()
    for part in parts:
        data = str(part).encode()
        hashed.update(len(data).to_bytes(8, "little") + data)
    return hashed.hexdigest()[:40]


def get(key, make):
    """The folder of a key. `make(folder)` fills a new one and returns the files it is made of."""
    folder = root() / key
    if _is_valid(folder):
        return folder
    locks = root() / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with open(locks / key, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_valid(folder):  # another process was faster
            return folder
        made = pathlib.Path(tempfile.mkdtemp(prefix="making-", dir=root()))
        try:
            files = make(made)
            manifest = {str(file): _digest_of(file) for file in files}
            (made / "files.json").write_text(json.dumps(manifest))
            if folder.exists():  # of other files, or half removed
                shutil.rmtree(folder, ignore_errors=True)
            made.rename(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
        _trim(folder)
    return folder


def _digest_of(file):
    """Read once, unless the file changes; one that has just been written may change unseen."""
    status = os.stat(file)
    stamp = status.st_mtime_ns, status.st_size, status.st_ino
    known = _digests.get(str(file))
    if known and known[0] == stamp:
        return known[1]
    found = hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()
    if time.time() - status.st_mtime > _SETTLED:
        _digests[str(file)] = stamp, found
    return found


def _is_valid(folder):
    try:
        manifest = json.loads((folder / "files.json").read_text())
        if any(_digest_of(file) != wanted for file, wanted in manifest.items()):
            return False
        os.utime(folder)
        return True
    except (OSError, ValueError):
        return False


def _trim(kept):
    """Removes what is too much, the longest unused first, and what killed processes have left."""
    limit = int(os.environ.get("TESSERA_CACHE_MIB") or 1024) << 20
    total = 0
    for used, folder in sorted(_folders(), reverse=True):
        if folder.name.startswith("making-"):
            if time.time() - used > _ABANDONED:
                shutil.rmtree(folder, ignore_errors=True)
            continue
        with contextlib.suppress(OSError):
            total += sum(file.stat().st_size for file in folder.iterdir())
        if total > limit and folder != kept:
            shutil.rmtree(folder, ignore_errors=True)


def _folders():
    for folder in root().iterdir():
        if folder.name not in ("locks", "tuned"):
            with contextlib.suppress(OSError):
                yield folder.stat().st_mtime, folder
