"""A client of the language server protocol, as much of it as the tests of tessera-clangd need.

Speaks over pipes with a server that it starts; one message at a time, no threads. Positions are
those of the protocol: lines and characters from 0.
"""

import itertools
import json
import os
import pathlib
import select
import subprocess
import time

CAPABILITIES = {
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "codeActionsInline": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
        },
        "hover": {"contentFormat": ["plaintext"]},
    }
}


class ServerDied(Exception):
    """The server closed its output."""


class Server:
    """A running language server and the documents that are open in it."""

    def __init__(self, command, root, log):
        self.log = open(log, "wb")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, cwd=root
        )
        self.buffer = b""
        self.numbers = itertools.count(1)
        self.versions = {}
        self.texts = {}
        self.sent = {}  # texts by document and version
        self.published = {}  # of each document its last diagnostics, with their version
        self.read = {}  # and the text that they are of
        self.request(
            "initialize", {"capabilities": CAPABILITIES, "rootUri": pathlib.Path(root).as_uri()}
        )
        self.notify("initialized", {})

    def close(self):
        """Ends the server as an editor does; its exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        status = self.process.wait(timeout=30)
        self.process.stdout.close()
        self.log.close()
        return status

    def processor_time(self):
        """Seconds of all its threads, those that have ended too."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def is_alive(self):
        return self.process.poll() is None

    # Documents

    def open(self, path, text=None, language="cuda-cpp"):
        path = pathlib.Path(path)
        self.texts[path] = path.read_text() if text is None else text
        self.versions[path] = 1
        self.sent[path.as_uri(), 1] = self.texts[path]
        self.notify(
            "textDocument/didOpen",
            {
                "textDocument": {
                    "uri": path.as_uri(),
                    "languageId": language,
                    "version": 1,
                    "text": self.texts[path],
                }
            },
        )

    def change(self, path, text):
        self.texts[path] = text
        self.versions[path] += 1
        self.sent[path.as_uri(), self.versions[path]] = text
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": path.as_uri(), "version": self.versions[path]},
                "contentChanges": [{"text": text}],
            },
        )

    def diagnostics(self, path, timeout=60):
        """Those of the text as it stands, when they have come."""
        end = time.monotonic() + timeout
        while self.published.get(path.as_uri(), (0, None))[0] != self.versions[path]:
            self.take(self.receive(end - time.monotonic()))
        return self.published[path.as_uri()][1]

    def some_diagnostics(self, path, timeout=60):
        """The same, once there are some: clangd may read a text twice, as a file whose command it
        learns of another one that is read at the same time."""
        end = time.monotonic() + timeout
        while not self.diagnostics(path, end - time.monotonic()):
            self.take(self.receive(end - time.monotonic()))
        return self.published[path.as_uri()][1]

    def apply(self, edit):
        """The edits of a code action or of a completion, in all documents."""
        for uri, edits in edit["changes"].items():
            path = next(path for path in self.texts if path.as_uri() == uri)
            text = self.texts[path]
            ordered = sorted(edits, key=lambda one: offset(text, one["range"]["start"]))
            for one in reversed(ordered):
                start, end = (offset(text, one["range"][side]) for side in ("start", "end"))
                text = text[:start] + one["newText"] + text[end:]
            self.change(path, text)

    def ask(self, what, path, position, timeout=60, **more):
        """A question about a place in a document: hover, completion, definition, ..."""
        return self.request(
            f"textDocument/{what}",
            {"textDocument": {"uri": path.as_uri()}, "position": position, **more},
            timeout,
        )

    # Messages

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def request(self, method, parameters, timeout=60):
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": parameters})
        end = time.monotonic() + timeout
        while True:
            message = self.receive(end - time.monotonic())
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.take(message)

    def take(self, message):
        """What the server says of its own accord."""
        if message.get("method") == "textDocument/publishDiagnostics":
            given = message["params"]
            uri, version = given["uri"], given.get("version")
            self.published[uri] = (version, given["diagnostics"])
            for path in self.texts:
                if path.as_uri() == uri:
                    self.read[path] = self.sent.get((uri, version))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise ServerDied from error

    def receive(self, timeout):
        end = time.monotonic() + timeout
        while (message := self.parse()) is None:
            output = self.process.stdout.fileno()
            if not select.select([output], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the server does not answer")
            read = os.read(output, 1 << 16)
            if not read:
                raise ServerDied
            self.buffer += read
        return message

    def parse(self):
        """The next message of what was read, if it is whole."""
        head, separator, rest = self.buffer.partition(b"\r\n\r\n")
        if not separator:
            return None
        fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n"))
        length = int(fields[b"Content-Length"])  # anything else on this channel ends here
        if len(rest) < length:
            return None
        self.buffer = rest[length:]
        return json.loads(rest[:length])


def offset(text, position):
    """Where a position is in a text of ASCII."""
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: position["line"]]) + position["character"]


def position(text, place):
    """The position of an offset."""
    before = text[:place]
    return {"line": before.count("\n"), "character": place - (before.rfind("\n") + 1)}
