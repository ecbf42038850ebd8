"""What goes wrong when a kernel is compiled."""


class CompileError(Exception):
    """The program is refused; the text is what the compiler says, with places in the program."""

    __module__ = "tessera"


class ToolError(RuntimeError):
    """The compiler is not there, or failed in a way that is no fault of the program."""
