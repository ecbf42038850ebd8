#!/usr/bin/env python3
"""Makes the site: static pages of docs, samples, the reference of the API and the measurements. It
needs no server, also not for its search.

usage: build.py [--output FOLDER] [--tessera PROGRAM] [--few]
  --few   pages of explain for few programs, which is quicker (tests); without it for all samples
          and all programs of the guide

scripts/site.sh installs what this needs. The pages are in FOLDER/html (build/site/html).
"""

import argparse
import concurrent.futures
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import reference  # noqa: E402
import results  # noqa: E402

PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/results/README.md"]
CONTENTS = {
    "Start": ["docs/user/guide", "samples/index", "benchmarks"],
    "Use": [f"docs/user/{name}" for name in (
        "language", "diagnostics", "explain", "debugging", "numerics", "nvcc", "python", "arrays",
        "cutile", "tileir", "editors", "compiler-explorer", "glossary",
    )],
    "Reference": ["reference/index"],
    "Development": ["CONTRIBUTING", "CHANGELOG", "docs/internals/*", "bench/results/README"],
}  # fmt: skip
FEW = ["vector_add", "softmax", "matmul"]  # programs with pages of explain in tests


class Site:
    def __init__(self, options):
        self.output, self.tessera, self.few = options.output, options.tessera, options.few
        self.source = self.output / "source"
        self.results = results.read()
        self.explained = []  # (program, page, options) to be made
        self.samples = sorted(ROOT.glob("samples/*.cu"))

    def write(self, name, text):
        file = self.source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    # -- links

    def target(self, name, page):
        """Where the site has a file of the project, from a page; or None."""
        found = None
        if name == "README.md":
            found = "index.md"
        elif name == "docs/README.md":
            found = "index.md"
        elif name in PAGES or re.fullmatch(r"docs/(user|internals)/[\w-]+\.md", name):
            found = name if (ROOT / name).exists() else None
        elif match := re.fullmatch(r"bench/results/([\w.-]+)\.txt", name):
            found = name[:-3] + "md" if match[1] in [each.name for each in self.results] else None
        elif match := re.fullmatch(r"samples/(\w+)\.cu", name):
            found = f"samples/{match[1]}.md" if (ROOT / name).exists() else None
        return found and os.path.relpath(found, pathlib.PurePath(page).parent)

    def linked(self, text, page):
        """A page's text, in which names of files that the site has are links."""

        def link(match):
            target = self.target(match[1], page)
            if target is None and page.startswith("bench/results"):
                target = self.target(f"bench/results/{match[1]}", page)
            return f"[{match[0]}]({target})" if target else match[0]

        parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
        for index in range(0, len(parts), 2):
            parts[index] = re.sub(r"(?<!\[)`([\w./-]+\.(?:md|txt|cu))`(?!\])", link, parts[index])
            # Links of pages to README and to the folder of pages.
            parts[index] = re.sub(
                r"\]\((\.\./)*(?:README|docs/README)\.md", f"]({self.target('README.md', page)}",
                parts[index],
            )  # fmt: skip
        return "".join(parts)

    # -- pages of explain

    def explain(self, program, name, page, *options):
        """HTML that shows the page of explain of a program, which is made at the end."""
        if self.few and name.split("-")[-1] not in FEW:
            return ""
        self.explained.append((program, f"{name}.html", options))
        address = os.path.relpath(f"explain/{name}.html", pathlib.PurePath(page).parent)
        return (
            "```{raw} html\n"
            '<details class="explain"><summary>What Tessera decides for this program</summary>\n'
            f'<iframe loading="lazy" src="{address}" title="explain: {name}"></iframe>\n'
            f'<p><a href="{address}">The page alone</a></p></details>\n```\n'
        )

    def make_explained(self):
        folder = self.source / "extra/explain"
        folder.mkdir(parents=True, exist_ok=True)

        def make(job):
            program, name, words = job
            command = [self.tessera, "explain", "--registers=false", *words, program]
            done = subprocess.run(
                [*command, "-o", folder / name], check=False, capture_output=True, text=True
            )
            if done.returncode:
                raise RuntimeError(f"there is no page of explain for {program}:\n{done.stderr}")

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(make, self.explained))

    # -- pages

    def copy_pages(self):
        files = [*PAGES, *(str(file.relative_to(ROOT)) for file in ROOT.glob("docs/*/*.md"))]
        for name in files:
            page = "index.md" if name == "README.md" else name
            text = self.linked((ROOT / name).read_text(), page)
            if name == "docs/user/guide.md":
                text = self.tutorial(text, page)
            if name == "README.md":
                text += self.contents()
            self.write(page, text)
        for picture in ROOT.glob("docs/*.webp"):
            place = self.source / "extra/docs" / picture.name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, place)

    def contents(self):
        text = ""
        for caption, pages in CONTENTS.items():
            glob = ":glob:\n" if any("*" in page for page in pages) else ""
            text += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n{glob}\n"
            text += "\n".join(pages) + "\n```\n"
        return text

    def tutorial(self, text, page):
        """The guide, each of whose programs has its page of explain below."""
        folder = self.output / "programs"
        folder.mkdir(parents=True, exist_ok=True)

        def add(match):
            name = match[2]
            if "__tile_global__" not in match[1] or name in ("mistakes", "lie"):
                return match[0]
            program = folder / f"{name}.cu"
            program.write_text(match[1])
            # What its commands have.
            options = re.findall(rf"^\$ tessera .*(--extensions)\b.* {name}\.cu", text, re.M)[:1]
            shown = self.explain(program, f"guide-{name}", page, *options)
            return f"{match[0]}\n\n{shown}"

        return re.sub(r"^```cpp\n(// (\w+)\.cu\b.*?)^```$", add, text, flags=re.M | re.S)

    def gallery(self):
        rows = ["| sample | what it is |", "|---|---|"]
        for file in self.samples:
            about = head_of(file.read_text(), "//")
            name, page = file.stem, f"samples/{file.stem}.md"
            first = re.split(r"(?<=[.:])\s", about.partition(": ")[2] or about)[0]
            rows.append(f"| [{name}]({name}.md) | {escaped(first)} |")
            text = f"# {name}\n\n{escaped(about)}\n\n"
            figures = self.figures_of(name)
            if figures:
                text += "## Measured\n\n| date | machine | figure |\n|---|---|---|\n"
                text += "".join(figures) + "\n"
            else:
                text += "No figure of this sample alone is in `bench/results`.\n\n"
            text += self.explain(file, f"sample-{name}", page)
            text += f"\n## Program\n\n```cpp\n{file.read_text()}```\n"
            self.write(page, text)
        others = []
        folders = ("python", "distributed")
        for file in sorted(file for each in folders for file in ROOT.glob(f"samples/{each}/*.py")):
            about = re.search(r'"""(.*?)"""', file.read_text(), re.S)[1]
            about = re.split(r"(?<=\.)\s", " ".join(about.split()))[0]
            others.append(f"| `{file.relative_to(ROOT)}` | {escaped(about)} |\n")
        pages = "\n".join(file.stem for file in self.samples)
        self.write(
            "samples/index.md",
            "# Samples\n\nEach sample is one file; it checks its result, and prints its time."
            " `bash samples/run.sh` runs all of them.\n\n" + "\n".join(rows) + "\n\n"
            "## From Python, and on several GPUs\n\n| sample | what it is |\n|---|---|\n"
            + "".join(others) + f"\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n",
        )  # fmt: skip

    def figures_of(self, name):
        """Rows of a table: lines of results that begin with the sample's name and have a figure."""
        rows = []
        for result in reversed(self.results):
            for line in result.text.splitlines():
                if line.startswith(tuple(f"{name}{c}" for c in " ,:")) and re.search(
                    r"\d (?:us|TFLOP/s|GB/s)\b", line
                ):
                    link = f"[{result.date}](../bench/results/{result.name}.md)"
                    rows.append(f"| {link} | {result.card} | {escaped(' '.join(line.split()))} |\n")
        return rows[:12]

    def reference_pages(self):
        names = []
        for section in reference.sections():
            name = re.sub(r"\W+", "-", section.title.lower()).strip("-")
            names.append(name)
            text = f"# {section.title}\n\n{escaped(section.about)}\n\n"
            for entity in section.entities:
                text += f"## `{entity.name}`\n\n"
                if entity.declarations:
                    code = "\n\n".join(entity.declarations)
                    text += f"```{entity.language}\n{code}\n```\n\n"
                text += paragraphs(entity)
                if entity.remark:
                    text += f"{escaped(entity.remark[0].upper() + entity.remark[1:])}.\n\n"
                if entity.place:
                    text += f"*{escaped(entity.place)}*\n\n"
            self.write(f"reference/{name}.md", text)
        self.write(
            "reference/index.md",
            "# Reference\n\nWhat the public headers and the Python package declare, with their"
            " comments. Constraints of a template's parameters say which element types and shapes"
            " a function takes: others are errors when the program is compiled, as are"
            " [diagnostics](../docs/user/diagnostics.md).\n\n```{toctree}\n:maxdepth: 1\n\n"
            + "\n".join(names) + "\n```\n",
        )  # fmt: skip

    def result_pages(self):
        for result in self.results:
            versions = ", ".join(f"{name} {value}" for name, value in result.versions().items())
            rows = {
                "shows": escaped(result.claim),
                "date": result.date, "machine": result.card, "Tessera": f"at {result.commit()}",
                "versions": versions or "not recorded", "comparisons": len(result.comparisons),
            }  # fmt: skip
            table = "".join(f"| {name} | {value} |\n" for name, value in rows.items())
            self.write(
                f"bench/results/{result.name}.md",
                f"---\norphan: true\nnosearch: true\n---\n# {result.name}\n\n"
                f"| | |\n|---|---|\n{table}\n"
                f"````text\n{result.text}\n````\n",
            )

    def benchmarks(self):
        compared = [each for each in self.results if each.comparisons]
        count = sum(len(each.comparisons) for each in compared)
        text = (
            "# Benchmarks\n\nEvery figure of `bench/results` that stands beside one of a peer from"
            f" the same card and run: {count} of {len(compared)} files. Tessera's version is a"
            " commit. `bench/run.sh` measures again on a machine with a GPU.\n\n"
            "## Over time\n\nThe speed of Tessera over that of a peer, one mark for each run and"
            " peer: the geometric mean, with the range. Above 1 Tessera is faster. Runs differ in"
            " what they measure; the names of files are in the marks' titles.\n\n"
            f"```{{raw}} html\n{results.over_time(compared, 'Speed over time')}\n```\n\n"
            "## The same work on several dates\n\nTessera (orange) beside the peer (grey) of the"
            " same run.\n\n```{raw} html\n" + self.repeated(compared) + "\n```\n\n"
            "## All figures\n\n```{raw} html\n" + self.table(compared) + "\n```\n"
        )
        self.write("benchmarks.md", text)

    def repeated(self, compared):
        """Plots of works that were measured on several dates; one of each kind of work."""
        works = {}
        for result in compared:
            for each in result.comparisons:
                ours, theirs = each.ours.split(), each.theirs.split()
                key = (each.work, results.family(each.peer), result.card, ours[1])
                works.setdefault(key, {})[result.date] = (float(ours[0]), float(theirs[0]))
        kinds, figures = set(), []
        for (work, peer, card, unit), dates in works.items():
            kind = (re.split(r"[ ,(]", work)[0], peer, card)
            if len(dates) < 2 or kind in kinds:
                continue
            kinds.add(kind)
            points = [(date, *dates[date]) for date in sorted(dates)]
            title = f"{work}: {unit}, beside {peer}, {card}"
            plot = results.series(points, title, unit).replace('"plot"', '"plot small"')
            figures.append(f"<figure>{plot}<figcaption>{html.escape(title)}</figcaption></figure>")
        return f'<div class="plots">{"".join(figures)}</div>'

    def table(self, compared):
        heads = ["work", "Tessera", "at", "peer", "version", "its figure", "ratio", "card", "date"]
        rows = []
        for result in reversed(compared):
            versions = result.versions()
            for each in result.comparisons:
                version = version_of(each.peer, versions)
                cells = [
                    each.work, each.ours, result.commit(), each.peer, version, each.theirs,
                    f"{each.ratio:.2f}", result.card,
                ]  # fmt: skip
                link = f'<a href="bench/results/{result.name}.html">{result.date}</a>'
                said = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
                rows.append(f"<tr>{said}<td>{link}</td></tr>")
        head = "".join(f"<th>{each}</th>" for each in heads)
        return (
            '<input class="filter" type="search" placeholder="words, as: softmax triton h200"'
            ' aria-label="filter the figures">\n<div class="figures"><table><thead><tr>'
            f"{head}</tr></thead><tbody>\n" + "\n".join(rows) + "\n</tbody></table></div>"
        )

    def build(self):
        shutil.rmtree(self.source, ignore_errors=True)
        self.source.mkdir(parents=True)
        shutil.copy(HERE / "conf.py", self.source)
        shutil.copytree(HERE / "_static", self.source / "_static")
        self.copy_pages()
        self.gallery()
        self.reference_pages()
        self.result_pages()
        self.benchmarks()
        self.make_explained()
        pages = self.output / "html"
        shutil.rmtree(pages, ignore_errors=True)
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-j"]
        command += ["auto", "-d", self.output / "doctrees", self.source, pages]
        return subprocess.run(command, check=False).returncode


def version_of(peer, versions):
    """What a result says of the peer's version. cuBLAS is that of CUDA."""
    for name, version in versions.items():
        if peer.lower().startswith(name.lower()) or peer.startswith(name.split()[0] + " tile"):
            return version
    if peer == "NVIDIA's tileiras":
        return versions.get("NVIDIA's tile compiler", "not recorded")
    if peer == "cuBLAS" and "CUDA" in versions:
        return f"of CUDA {versions['CUDA']}"
    return (re.search(r"\d+\.\d[\d.]*", peer) or ["not recorded"])[0]


def head_of(text, mark):
    """The comment at the top of a program, its usage apart."""
    lines = []
    for line in text.splitlines():
        if not line.startswith(mark) or line.startswith(f"{mark}   "):
            break
        lines.append(line.removeprefix(mark).strip())
    return " ".join(lines).strip()


def paragraphs(entity):
    if entity.language != "python":
        return f"{escaped(entity.comment)}\n\n"
    # A docstring's own indentation shows its lists.
    return f"```text\n{entity.comment}\n```\n\n"


def escaped(text):
    """As text of a page; code in backticks stays."""
    parts = re.split(r"(`[^`]*`)", re.sub(r" ?\[tile:\w+\]", "", text))
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"([\\*_<>\[\]{}#$~^])", r"\\\1", parts[index])
    return "".join(parts).replace("|", "\\|")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/site")
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera", type=pathlib.Path)
    parser.add_argument("--few", action="store_true")
    options = parser.parse_args()
    options.output = options.output.resolve()
    return Site(options).build()


if __name__ == "__main__":
    sys.exit(main())
