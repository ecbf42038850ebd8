"""Figures of bench/results: what each file says of the card, the date and the versions, the
comparisons that its tables have, and plots of them as SVG."""

import dataclasses
import datetime
import html
import math
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "bench/results"

VERSIONS = {
    "driver": r"driver (\d[\d.]*\d)",
    "CUDA": r"(?:CUDA|nvcc|NVRTC) (1[23]\.[\d.]*\d)",
    "torch": r"torch (\d[\w.+]*\w)",
    "cuDNN": r"cuDNN (\d\.\d+(?:\.\d+)?)\b",
    "Triton": r"[Tt]riton (\d[\d.]*\d)",
    "NVIDIA's tile compiler": r"(?:compiler|NVIDIA's(?: own)?) \(?(13\.\d+\.\d+)",
    "cuTile Python": r"cuTile Python (\d[\d.]*\d)",
    "ptxas": r"ptxas (\d[\d.]*\d)",
    "Python": r"Python (3\.[\d.]*\d)",
}
CARDS = {"h100": "NVIDIA H100", "h200": "NVIDIA H200"}


@dataclasses.dataclass
class Comparison:
    """One figure of Tessera beside one of a peer; `ratio` is above 1 where Tessera is faster."""

    work: str
    ours: str
    peer: str
    theirs: str
    ratio: float


@dataclasses.dataclass
class Result:
    name: str  # of the file, without .txt
    claim: str  # of bench/results/README.md, as is the machine
    machine: str
    text: str
    comparisons: list

    @property
    def date(self):
        return datetime.date.fromisoformat(self.name[:10])

    @property
    def card(self):
        for key, card in CARDS.items():
            if self.name.endswith(key):
                return card
        return self.machine or "not recorded"

    @property
    def head(self):
        return self.text[:2500]

    def versions(self):
        found = {name: re.search(pattern, self.head) for name, pattern in VERSIONS.items()}
        return {name: each[1] for name, each in found.items() if each}

    def commit(self):
        found = re.search(r"\b(?:at|of|commit|Tessera|state of) ([0-9a-f]{7,10})\b", self.head)
        return found[1] if found else "not recorded"


def number(text):
    return float(text.replace(",", ""))


def of_samples(text):
    """bench/compare.py: the better of two routes, beside each peer."""
    rows = re.findall(
        r"^(\w+ [\dx]+)\s+(\S.*?)\s+([\d.]+) us\s+([\d.]+) (\S+)\s+[\d.]+ % of the best", text, re.M
    )
    works = dict.fromkeys(row[0] for row in rows)
    for work in works:
        mine = [row for row in rows if row[0] == work]
        ours = min((row for row in mine if "Tessera" in row[1]), key=lambda row: number(row[2]))
        for row in mine:
            if "Tessera" not in row[1]:
                ratio = number(row[2]) / number(ours[2])
                yield Comparison(work, f"{ours[3]} {ours[4]}", row[1], f"{row[3]} {row[4]}", ratio)


def of_shapes(text):
    """bench/shapes."""
    pattern = (
        r"^(\S+)\s+Tessera\s+([\d.]+) us\s+([\d.]+) TFLOP/s\s+cuBLAS\s+([\d.]+)\s+([\d.]+)"
        r"\s+Triton\s+([\d.]+)\s+([\d.]+)"
    )
    for work, us, speed, *peers in re.findall(pattern, text, re.M):
        for name, (time, rate) in {"cuBLAS": peers[:2], "Triton": peers[2:]}.items():
            ratio = number(time) / number(us)
            yield Comparison(f"bf16 {work}", f"{speed} TFLOP/s", name, f"{rate} TFLOP/s", ratio)


def of_tile_compiler(text):
    """Kernels by both compilers, in GB/s or TFLOP/s."""
    pattern = r"^ +([\d.]+)  (\S.*?)  +(\S.*?)  +([\d.]+)  +([\d.]+)  (GB/s|TFLOP/s)"
    for ratio, kernel, size, theirs, ours, unit in re.findall(pattern, text, re.M):
        work = f"{kernel}, {size}"
        name = "NVIDIA's tile compiler"
        yield Comparison(work, f"{ours} {unit}", name, f"{theirs} {unit}", number(ratio))


def of_cutile(text):
    """cuTile Python's benchmarks by both compilers, in microseconds."""
    pattern = r"^ +([\d.]+)  bench_(\S+?)(?:-cutile)?\]?  +([\d.]+)  +([\d.]+)(?:  \w+)?$"
    for ratio, work, ours, theirs in re.findall(pattern, text, re.M):
        name = "NVIDIA's tileiras"
        yield Comparison(work.replace("[", " "), f"{ours} us", name, f"{theirs} us", number(ratio))


def of_tilegym(text):
    """bench/tilegym.py."""
    pattern = r"^(\S.*?)  +([\d.]+) \( *([\d.]+)\)  +([\d.]+) \( *([\d.]+)\)  +([\d.]+) times"
    for work, _, ours, _, theirs, ratio in re.findall(pattern, text, re.M):
        name = "NVIDIA's tile compiler"
        yield Comparison(work, f"{ours} TFLOP/s", name, f"{theirs} TFLOP/s", number(ratio))


def of_cudnn(text):
    """Attention beside cuDNN, TFLOP/s; the head's own numbers of the run."""
    pattern = r"^ +(D .*?) +ours +([\d.]+) +cuDNN +([\d.]+) +([\d.]+)$"
    for work, ours, theirs, ratio in re.findall(pattern, text, re.M):
        work = f"attention {' '.join(work.split())}"
        yield Comparison(work, f"{ours} TFLOP/s", "cuDNN", f"{theirs} TFLOP/s", number(ratio))


def of_launches(text):
    """Launches from Python, microseconds."""
    rows = re.findall(r"^(\S.*?)  +median +([\d.]+) us", text, re.M)
    ours = next((time for name, time in rows if name == "tessera"), None)
    for name, time in rows if ours else ():
        if not name.startswith("tessera"):
            ratio = number(time) / number(ours)
            yield Comparison("launch from Python", f"{ours} us", name, f"{time} us", ratio)


def of_products(text):
    """test/gpu/emitted_products.cu: TFLOP/s beside cuBLAS of the same run; of files with parts only
    those about what is emitted now, since others are of kernels by hand or of an older compiler."""
    parts = re.split(r"^(?:##|==) (.*)$", text, flags=re.M)
    for title, part in zip(parts[1::2], parts[2::2]):
        if title.startswith(("emitted", "new")):
            yield from products_of_part(part)


def products_of_part(text):
    peers = {}
    pattern = r"^(cuBLAS )?(\w+ (?:NN|NT))( \S+)? +(\d+ x +\d+ x +\d+): right, +([\d.]+) TFLOP/s"
    for is_peer, kind, tile, size, speed in re.findall(pattern, text, re.M):
        size = size.replace(" ", "")
        if is_peer:
            peers[kind, size] = speed
        elif (kind, size) in peers and number(peers[kind, size]):
            theirs = peers[kind, size]
            ratio = number(speed) / number(theirs)
            work = f"{kind} {size}, tile{tile}"
            yield Comparison(work, f"{speed} TFLOP/s", "cuBLAS", f"{theirs} TFLOP/s", ratio)


def of_ranks(text):
    """samples/distributed/run.sh: several GPUs beside torch's collectives, and beside one GPU."""
    row = r"^(\w+ [\dx]+.*?) +(\d+) us +one rank +(\d+) us, +[\d.]+ x"
    pattern = rf"{row}(?: +torch +(\d+) us)?"
    for work, ours, alone, torch in re.findall(pattern, text, re.M):
        peers = {"one GPU": alone, "torch and NCCL": torch}
        for peer, theirs in peers.items():
            if theirs and number(ours):
                ratio = number(theirs) / number(ours)
                yield Comparison(work, f"{ours} us", peer, f"{theirs} us", ratio)


READERS = [
    of_samples, of_shapes, of_tile_compiler, of_cutile, of_tilegym, of_cudnn, of_launches,
    of_products, of_ranks,
]  # fmt: skip


def claims():
    """Of each file that a row names: the row's first column, and its last one without dates."""
    found = {}
    for row in (FOLDER / "README.md").read_text().splitlines():
        cells = row.split("|")
        if len(cells) > 3:
            for name in re.findall(r"`([^`]+)\.txt`", cells[2]):
                machine = re.sub(r"\b20\d\d-\d\d-\d\d\b,? ?", "", cells[3]).strip(" ,;")
                found.setdefault(name, (cells[1].strip(), machine))
    return found


def read():
    said, found = claims(), []
    for file in sorted(FOLDER.glob("*.txt")):
        text = file.read_text()
        comparisons = [each for reader in READERS for each in reader(text)]
        found.append(Result(file.stem, *said.get(file.stem, ("", "")), text, comparisons))
    return found


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


# Plots. Colours are those of the page, so that both themes are readable.
PEERS = {
    "cuBLAS": "#3b82c4", "Triton": "#c2703d", "torch": "#8a63b8", "cuDNN": "#2f9e6e",
    "NVIDIA's tile compiler": "#c44569", "NVIDIA's tileiras": "#a08a1f",
}  # fmt: skip


def family(peer):
    return next((name for name in PEERS if peer.lower().startswith(name.lower())), peer)


def over_time(results, title):
    """An SVG: each run's geometric mean beside each peer, with its range, by date."""
    points = []
    for result in results:
        by_peer = {}
        for each in result.comparisons:
            by_peer.setdefault(family(each.peer), []).append(each.ratio)
        for peer, ratios in by_peer.items():
            mean = geometric_mean(ratios)
            points.append((result, peer, mean, min(ratios), max(ratios), len(ratios)))
    return scatter(points, title)


def scatter(points, title):
    width, height, left, right, top, bottom = 860, 380, 58, 16, 16, 64
    dates = [point[0].date for point in points]
    first, last = min(dates), max(dates)
    span = max((last - first).days, 1)
    low, high = 0.25, 128.0

    def x_of(date, shift):
        at = (date - first).days / span
        return left + 24 + at * (width - left - right - 48) + shift

    def y_of(ratio):
        at = math.log2(min(max(ratio, low), high) / low) / math.log2(high / low)
        return height - bottom - at * (height - top - bottom)

    parts = []
    for power in range(-2, 8):
        y = y_of(2.0**power)
        kind = "one" if power == 0 else "grid"
        parts.append(line(kind, left, width - right, y))
        parts.append(label(left - 8, y + 4, f"{2.0**power:g}", "end"))
    for day in range(0, span + 1):
        date = first + datetime.timedelta(days=day)
        if date in dates:
            parts.append(label(x_of(date, 0), height - bottom + 18, f"{date:%m-%d}", "middle"))
    peers = list(dict.fromkeys(point[1] for point in points))
    for result, peer, mean, least, most, count in points:
        x = x_of(result.date, (peers.index(peer) - len(peers) / 2) * 7)
        colour = PEERS.get(peer, "#808080")
        says = (
            f"{result.date}, {result.card}, beside {peer}: {mean:.3f} in the geometric mean of"
            f" {count}, {least:.2f} to {most:.2f} ({result.name})"
        )
        parts.append(
            f'<g><title>{html.escape(says)}</title><line stroke="{colour}" x1="{x:.1f}"'
            f' y1="{y_of(least):.1f}" x2="{x:.1f}" y2="{y_of(most):.1f}"/>'
            f'<circle fill="{colour}" cx="{x:.1f}" cy="{y_of(mean):.1f}" r="4.5"/></g>'
        )
    for index, peer in enumerate(peers):
        x, y = left + index % 4 * 200, height - 26 + index // 4 * 18
        parts.append(f'<circle fill="{PEERS.get(peer, "#808080")}" cx="{x + 5}" cy="{y}" r="5"/>')
        parts.append(label(x + 16, y + 4, peer, "start"))
    return svg(width, height, title, parts)


def series(points, title, unit):
    """An SVG of one work: (date, ours, theirs) by date."""
    width, height, left, right, top, bottom = 420, 190, 52, 14, 14, 30
    first, last = points[0][0], points[-1][0]
    span = max((last - first).days, 1)
    most = 1.1 * max(max(ours, theirs) for _, ours, theirs in points)

    def at(date, value):
        x = left + 14 + (date - first).days / span * (width - left - right - 28)
        return f"{x:.1f},{height - bottom - value / most * (height - top - bottom):.1f}"

    parts = []
    for value in (0, most / 2.2, most / 1.1):
        y = float(at(first, value).split(",")[1])
        parts.append(line("grid", left, width - right, y))
        parts.append(label(left - 6, y + 4, f"{value:.0f}", "end"))
    for index, (kind, colour) in enumerate((("Tessera", "#d9822b"), ("peer", "#808080"))):
        marks = [at(row[0], row[1 + index]) for row in points]
        parts.append(f'<polyline stroke="{colour}" points="{" ".join(marks)}"/>')
        for row, mark in zip(points, marks):
            x, y = mark.split(",")
            says = f"{row[0]}, {kind}: {row[1 + index]:g} {unit}"
            parts.append(
                f'<circle fill="{colour}" cx="{x}" cy="{y}" r="4"><title>{says}</title></circle>'
            )
    for date in dict.fromkeys(row[0] for row in points):
        x = float(at(date, 0).split(",")[0])
        parts.append(label(x, height - 10, f"{date:%m-%d}", "middle"))
    return svg(width, height, title, parts)


def line(kind, left, right, y):
    return f'<line class="{kind}" x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>'


def label(x, y, text, anchor):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def svg(width, height, title, parts):
    return (
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{html.escape(title)}">{"".join(parts)}</svg>'
    )
