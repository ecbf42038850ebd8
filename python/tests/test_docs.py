"""What docs/user/python.md shows is what happens."""

import doctest
import pathlib
import re

import pytest
from conftest import library

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/user/python.md"


@pytest.mark.long
def test_page(tmp_path, monkeypatch):
    for name in ("torch", "jax"):
        library(name)
    monkeypatch.chdir(tmp_path)
    run_page()


def test_texts(scale):
    """In the page they are those of another kernel; there is what ptxas says of it, too."""
    assert "__global__" in scale.simt
    assert "scale: 2 warps" in (said := scale.explain()) or "scale: 1 warp" in said


def run_page():
    """The page's lines, in a folder that gets its programs."""
    text = PAGE.read_text()
    for block in re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S):
        pathlib.Path(re.match(r"// (\w+\.cu)", block)[1]).write_text(block)
    # Blocks end with an empty line, so that the fence is no output.
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=said.append)
    assert not runner.failures, "".join(said)
    assert runner.tries > 15
