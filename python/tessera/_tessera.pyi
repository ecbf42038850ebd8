"""Compiled kernels: loading, arguments, launches."""

from collections.abc import Callable, Sequence
from typing import Any

layouts: dict[str, tuple[int, int] | tuple[int, int, str, int]]
spellings: dict[str, str]

def array_type(array: Any) -> tuple[str, int] | None: ...

class Kernel:
    """A compiled kernel that is loaded."""

    def __init__(self, library: str, name: str, names: Sequence[str], on_cpu: bool) -> None: ...
    def __getitem__(self, configuration: Any) -> Callable[..., None]: ...
    def describe(self) -> list[tuple[str, str, str | None, int, int, int]]: ...
    def wait(self, stream: Any, arguments: Sequence[Any]) -> None: ...
