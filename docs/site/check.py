#!/usr/bin/env python3
"""Holds the site against what it promises: no link leads nowhere; headless Chromium opens pages at
390 and 1280 pixels, in light and dark, without an error on its console and without a page that is
wider than the window; the search finds a word without a server; every public entity is documented.

usage: check.py FOLDER [--chromium PROGRAM]      FOLDER: the html of docs/site/build.py
Prints what is wrong, then 'N passed, N failed'.
"""

import argparse
import contextlib
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import reference
from websockets.sync import client

WIDTHS = (390, 1280)
PAGES = [
    "index.html", "docs/user/guide.html", "samples/index.html", "samples/matmul.html",
    "benchmarks.html", "reference/index.html", "reference/reductions-and-scans.html",
    "explain/sample-matmul.html", "search.html?q=softmax",
]  # fmt: skip


class Page(html.parser.HTMLParser):
    """The links of a page, and the names that links may lead to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.names.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append(value)
            elif name == "srcset":
                self.links += [each.split()[0] for each in value.split(",")]


def broken_links(folder):
    """How many links within the site there are, and those that lead nowhere."""
    pages = {file: Page(file.read_text(errors="replace")) for file in folder.rglob("*.html")}
    count, wrong = 0, []
    for file, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = file
            if parts.path:
                target = (file.parent / urllib.parse.unquote(parts.path)).resolve()
            if not target.is_file() or folder not in target.parents:
                wrong.append(f"{file.relative_to(folder)}: '{link}' leads nowhere")
                continue
            place = urllib.parse.unquote(parts.fragment)
            if target in pages and place not in pages[target].names:
                wrong.append(f"{file.relative_to(folder)}: '{link}' names no place of its page")
    return count, wrong


class Browser:
    """Headless Chromium by its protocol for debuggers."""

    def __init__(self, program, profile):
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
        flags += ["--disable-dev-shm-usage", f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(
            [program, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        place = pathlib.Path(profile) / "DevToolsActivePort"
        end = time.monotonic() + 90
        while not (place.exists() and "\n" in place.read_text()):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"{program} does not start")
            time.sleep(0.1)
        port = place.read_text().split()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as listed:
            page = next(each for each in json.load(listed) if each["type"] == "page")
        self.stack = contextlib.ExitStack()
        address = page["webSocketDebuggerUrl"]
        self.socket = self.stack.enter_context(client.connect(address, max_size=None))
        self.number, self.events = 0, []
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def close(self):
        self.stack.close()
        self.process.terminate()
        self.process.wait()

    def receive(self):
        return json.loads(self.socket.recv(timeout=60))

    def ask(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                return answer.get("result", {})
            self.events.append(answer)

    def value(self, expression):
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return found.get("result", {}).get("value")

    def open(self, address, width, scheme):
        """The errors of a page when it has been loaded."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=844, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", features=media)
        self.events = []
        self.ask("Page.navigate", url=address)
        end = time.monotonic() + 60
        while not any(each.get("method") == "Page.loadEventFired" for each in self.events):
            if time.monotonic() > end:
                return ["it is not loaded within a minute"]
            self.events.append(self.receive())
        return []

    def errors(self):
        self.ask("Runtime.evaluate", expression="0")  # what the page has said is here then
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                yield parameters["exceptionDetails"].get("text", "an exception")
            elif event.get("method") == "Log.entryAdded":
                if parameters["entry"]["level"] == "error":
                    yield parameters["entry"]["text"]
            elif event.get("method") == "Runtime.consoleAPICalled":
                if parameters["type"] in ("error", "assert"):
                    yield str([each.get("value") for each in parameters["args"]])


def what_is_wrong(browser, folder, page, width, scheme):
    yield from browser.open(f"file://{folder}/{page}", width, scheme)
    if page.startswith("search"):
        end = time.monotonic() + 30
        found = "document.querySelectorAll('#search-results li').length"
        while not browser.value(found):
            if time.monotonic() > end:
                yield "the search finds nothing"
                break
            time.sleep(0.2)
    yield from browser.errors()
    wide = browser.value("document.documentElement.scrollWidth")
    if not page.startswith("explain") and wide > width:
        yield f"it is {wide} pixels wide"
    if not page.startswith("explain"):
        colour = browser.value("getComputedStyle(document.body).backgroundColor")
        levels = [int(each) for each in re.findall(r"\d+", colour)[:3]]
        if (sum(levels) < 384) != (scheme == "dark"):
            yield f"its background is {colour} where the system's colours are {scheme}"


def look(program, folder, pages):
    """How many pages were opened, and what is wrong with them."""
    count, wrong = 0, []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            for width, scheme in zip(WIDTHS, ("dark", "light")):
                for page in pages:
                    count += 1
                    for line in what_is_wrong(browser, folder, page, width, scheme):
                        wrong.append(f"{page} at {width} pixels: {line}")
        finally:
            browser.close()
    return count, wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--pages", nargs="+", default=PAGES, help="to open")
    options = parser.parse_args()
    folder = options.folder.resolve()
    passed = failed = 0
    counted = [broken_links(folder), look(options.chromium, folder, options.pages)]
    undocumented, entities = reference.check(list(reference.sections()))
    counted.append((entities, undocumented))
    for name, (count, wrong) in zip(("links", "pages opened", "entities"), counted):
        print(f"{name}: {count}, wrong: {len(wrong)}")
        print("".join(f"  {line}\n" for line in wrong[:50]), end="")
        passed, failed = passed + count - len(wrong), failed + len(wrong)
    print(f"{passed} passed, {max(failed, 0)} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
