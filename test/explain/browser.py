#!/usr/bin/env python3
"""usage: browser.py --tessera TESSERA [--pictures FOLDER]

Opens pages of `tessera explain` in headless Chromium and uses them: no error in the console, no
request, what belongs together lights up, search and keys work, nothing is wider than the window.
Where there is no Chromium nothing is tested, and the exit status is 77."""
import argparse
import base64
import html.parser
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDE, NARROW = 1280, 390


class Browser:
    """Chromium behind a pipe: commands and events are JSON that ends with a zero byte."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()

        def connect():
            os.dup2(os.dup(to_read), 3)
            os.dup2(os.dup(to_write), 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--hide-scrollbars", "--force-device-scale-factor=1", f"--user-data-dir={folder}",
             "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.back, 1 << 20)
            if not piece:
                sys.exit("browser.py: Chromium has ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def __call__(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"browser.py: {method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, page, width, scheme, height=900):
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
             mobile=width < 600)
        self("Emulation.setEmulatedMedia",
             features=[{"name": "prefers-color-scheme", "value": scheme}])
        for url in ("about:blank", page.as_uri()):
            self.events = []
            self("Page.navigate", url=url)
            while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
                self.events.append(self.message())

    def ask(self, expression):
        result = self("Runtime.evaluate", expression=expression, returnByValue=True,
                      awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"browser.py: {expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def move_to(self, x, y):
        self("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key, text=None):
        for kind in ("keyDown", "keyUp"):
            self("Input.dispatchKeyEvent", type=kind, key=key,
                 **({"text": text} if text and kind == "keyDown" else {}))

    def complaints(self):
        """Errors of the console, and requests for anything but the page."""
        self.ask("new Promise((done) => setTimeout(done, 50))")
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"])[:500])
            elif method == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
                found.append(str(parameters["args"]))
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append(f"request for {url}")
        return found

    def end(self):
        os.close(self.to)
        self.process.wait(20)


class Markup(html.parser.HTMLParser):
    """Every element is closed in its place."""
    alone = {"meta", "link", "input", "br", "img", "hr"}

    def __init__(self):
        super().__init__()
        self.open, self.faults = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.alone:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


failures = []


def check(is_right, *what):
    if not is_right:
        failures.append(" ".join(map(str, what)))


def check_markup(name, text):
    markup = Markup()
    markup.feed(text)
    check(not markup.faults and not markup.open, name, "not well-formed:", markup.faults,
          markup.open)
    check(len(text.encode()) < 2_000_000, name, "has", len(text.encode()), "bytes")


WIDER = """[...document.querySelectorAll("body *")].filter((e) =>
  e.getBoundingClientRect().right > innerWidth + 0.5 &&
  !e.closest(".scroller, .time, .skip, .unseen, svg"))
  .slice(0, 3).map((e) => e.outerHTML.slice(0, 120))"""


def check_width(browser, name, width):
    size = browser.ask("[document.documentElement.scrollWidth, innerWidth]")
    check(size[0] <= width and size[1] == width, name, "is", size, "wide in a window of", width)
    check(not (wider := browser.ask(WIDER)), name, "has elements beyond the window:", wider)


def check_every_kernel(browser, name):
    """Every kernel can be chosen; every element of every tile is somewhere."""
    kernels = browser.ask("tesseraPage.data.kernels.length")
    check(browser.ask("document.querySelectorAll('#kernels tbody tr').length") == kernels, name,
          "lists not all kernels")
    for i in range(kernels):
        browser.ask(f"document.querySelectorAll('#kernels tbody button')[{i}].click()")
        shown = browser.ask("""[document.querySelector('#kernels tr.chosen button').textContent,
            document.querySelectorAll('#emitted .line').length,
            document.querySelectorAll('#tiles canvas').length]""")
        wanted = browser.ask(f"""(() => {{ const k = tesseraPage.data.kernels[{i}];
            return [k.name, k.lines.length, 3 * k.tiles.length]; }})()""")
        check(shown == wanted, name, "kernel", i, "shows", shown, "not", wanted)
    check(browser.ask("""tesseraPage.data.kernels.every((k) => k.tiles.every((t) =>
        tesseraPage.holdersOf(t).copies.every((n) => n > 0)))"""), name,
          "elements without a thread")
    check(browser.ask("""tesseraPage.data.kernels.every((k) => k.shared.every((s) => {
        const n = s.shape.reduce((x, y) => x * y, 1);
        const locations = Array.from({length: n}, (_, i) => tesseraPage.byteOf(s, i));
        return new Set(locations).size === n; }))"""),
          name, "two elements of a shared tile in one location")


def check_hover(browser, name):
    browser.ask("document.querySelector('#kernels tbody button').click()")
    location = browser.ask("""(() => {
        const [text, location] = tesseraPage.data.kernels[0].lines.findLast((l) => l.length > 1);
        const key = `${location[0]}:${location[1]}`;
        const line = [...document.querySelectorAll('#source .line')]
          .find((l) => l.dataset.key === key);
        line.scrollIntoView({block: 'center'});
        const box = line.getBoundingClientRect();
        const wanted = tesseraPage.data.kernels[0].lines
          .map((l, i) => l.slice(1).some((p) => `${p[0]}:${p[1]}` === key) ? i : -1)
          .filter((i) => i >= 0);
        return {x: box.left + 60, y: box.top + box.height / 2, wanted}; })()""")
    browser.move_to(location["x"], location["y"])
    lit = browser.ask("""[...document.querySelectorAll('#emitted .line.lit')]
        .map((l) => +l.dataset.key)""")
    check(lit == location["wanted"] and lit, name, "lights", lit, "and not", location["wanted"])
    browser.move_to(2, 2)
    check(browser.ask("document.querySelectorAll('.lit').length") == 0, name, "stays lit")


def check_search(browser, name, word):
    browser.press("/", "/")
    check(browser.ask("document.activeElement.id") == "search", name, "'/' does not search")
    browser("Input.insertText", text=word)
    locations = ".line .t, .remark, #kernels td:first-child"
    wanted = browser.ask(f"""[...document.querySelectorAll('{locations}')]
        .filter((e) => e.textContent.toLowerCase().includes({json.dumps(word)})).length""")
    check(wanted > 1 and str(wanted) in browser.ask("document.getElementById('found').textContent"),
          name, "finds", browser.ask("document.getElementById('found').textContent"))
    for at in (1, 2):
        browser.press("Enter", "\r")
        check(browser.ask("document.getElementById('found').textContent") == f"{at} of {wanted}",
              name, "does not go to find", at)
        check(browser.ask("""(() => {
            const box = document.querySelector('.now').getBoundingClientRect();
            return box.bottom > 0 && box.top < innerHeight; })()"""), name,
              "does not show what is found")
    browser.press("Escape")
    check(browser.ask("document.querySelectorAll('.hit, .now').length") == 0, name,
          "keeps what was found")


def check_keys(browser, name):
    browser.ask("document.querySelector('#source .lines').focus()")
    at = "document.querySelector('#source .lines').getAttribute('aria-activedescendant')"
    before = browser.ask(at)
    browser.press("ArrowDown")
    browser.press("ArrowDown")
    after = browser.ask(at)
    check(after and after != before, name, "arrow keys do not move", before, after)
    browser.ask("document.querySelector('#tiles canvas').focus()")
    browser.press("ArrowRight")
    check("thread" in browser.ask("document.querySelector('#tiles .reading').textContent"), name,
          "arrow keys do not move over a tile")


def check_theme(browser, name):
    paper = "getComputedStyle(document.body).backgroundColor"
    seen = {}
    for _ in range(3):
        browser.ask("document.getElementById('theme').click()")
        seen[browser.ask("document.getElementById('theme').textContent")] = browser.ask(paper)
    check(set(seen) == {"auto", "light", "dark"} and seen["light"] != seen["dark"], name,
          "has no light and dark:", seen)


def explain(tessera, program, folder):
    page = folder / (program.stem + ".html")
    subprocess.run([tessera, "explain", "--registers=false", program, "-o", page], check=True)
    return page


def take_pictures(browser, page, folder):
    for scheme in ("light", "dark"):
        browser.open(page, WIDE, scheme, height=1720)
        browser.ask("document.querySelectorAll('#kernels tbody button')[2]?.click()")
        browser.ask("new Promise((done) => setTimeout(done, 300))")
        picture = browser("Page.captureScreenshot", format="webp", quality=82)
        (folder / f"explain-{scheme}.webp").write_bytes(base64.b64decode(picture["data"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", type=pathlib.Path, required=True)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if not program:
        print("browser.py: no Chromium on this machine: the page was not tested")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        browser = Browser(program, folder / "profile")
        if options.pictures:
            page = folder / "matmul.html"
            subprocess.run([options.tessera, "explain", "samples/matmul.cu", "-o", page], cwd=ROOT,
                           check=True)
            take_pictures(browser, page, options.pictures)
            return 0
        both = ((WIDE, "light"), (NARROW, "dark"))
        for source, windows in (("samples/matmul.cu", both), ("samples/layer_norm.cu", both[:1]),
                                ("test/explain/Inputs/letters.cu", both[1:])):
            page = explain(options.tessera, ROOT / source, folder)
            check_markup(source, page.read_text())
            for width, scheme in windows:
                browser.open(page, width, scheme)
                check_every_kernel(browser, source)
                check_width(browser, source, width)
                check_hover(browser, source)
                check_search(browser, source, "n")
                check_keys(browser, source)
                check_theme(browser, source)
                check("taken" not in browser.ask("document.title"), source, "is taken over")
                for complaint in browser.complaints():
                    check(False, source, "complains:", complaint)
        browser.end()
    for failure in failures:
        print("browser.py:", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
