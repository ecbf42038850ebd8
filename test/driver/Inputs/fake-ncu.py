#!/usr/bin/env python3
"""Stands in for ncu where there is no GPU: says what it was called with, and writes the recording
ncu.csv beside it where ncu would write its table. FAKE_NCU_FAILS: fails as ncu does for a user who
may not read the counters."""
import os
import pathlib
import shutil
import sys

words = sys.argv[1:]
log = words[words.index("--log-file") + 1]
program = words.index("all") + 1
assert os.access(words[program], os.X_OK), words
if os.environ.get("FAKE_NCU_FAILS"):
    pathlib.Path(log).write_text("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n")
    sys.exit(1)
print("ncu:", *words[: words.index("--metrics")], "...", *words[program + 1 :])
shutil.copy(pathlib.Path(__file__).with_name("ncu.csv"), log)
