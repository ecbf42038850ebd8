#!/usr/bin/env python3
"""Runs suites of tests and adds up what they say: the quick tier, all tests, or what takes too long
for these (test/run.sh, test/nightly.sh).

Two suites run side by side, each on half of the cores, so that the end of one leaves no core idle.
A suite is a command. It writes a JUnit report, or its last line is 'N passed, N failed'. What it
printed is shown when something failed.

usage: suites.py TIER --build FOLDER --cuda FOLDER [--kernels N] [--only NAME[,NAME...]]
       suites.py TIER --list
TIER: quick, all or nightly. Writes FOLDER/tests.xml, a JUnit report of all suites; ends with
'N passed, N failed'. --kernels: random kernels of the nightly tier for each technique.
"""

import argparse
import dataclasses
import datetime
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[1]
LANES = 2
RESULT = re.compile(r"(\d+) passed, (\d+) failed")


@dataclasses.dataclass
class Suite:
    """A command, with words in braces for what `Tier.words` has."""

    name: str
    command: str
    after: tuple = ()  # suites that leave what this one reads
    report: str = ""  # the JUnit report in the build's folder
    environment: dict = dataclasses.field(default_factory=dict)


LIT = "/usr/lib/llvm-22/bin/lit -v -j{waiting} --xunit-xml-output {build}/lit.xml {build}/test"
UNIT = "ctest --test-dir {build} --output-on-failure -j{jobs} --output-junit {build}/unit.xml"
PYTHON = {"PYTHONPATH": "{build}/python-package", "PYTHONDONTWRITEBYTECODE": "1"}
PYTHON["TESSERA_TEST_LIBRARIES"] = "1"  # which test/libraries.sh has installed
PYTEST = "{build}/python/bin/python -m pytest -q -p no:cacheprovider python/tests -m "
FUZZ = "python3 test/fuzz/run.py --tessera {tessera} --jobs {jobs}"

QUICK = [
    Suite("unit", UNIT + " --label-exclude 'lit|slow'", report="unit.xml"),
    Suite("lit", LIT + " --filter '^tessera :: (tile|layout|plan|emit|check)/'", report="lit.xml"),
]

# The longest first: what is left at the end is short. Programs leave their texts for GPUs.
ALL = [
    Suite(
        "run",
        "python3 test/run/run_three_ways.py --tessera {tessera} --cuda {cuda} --optimize 0"
        " --together 8 --texts {texts} --jobs {jobs}",
    ),
    Suite("lit", LIT, report="lit.xml"),
    Suite(
        "probes",
        "python3 test/probes/run.py --tessera {tessera} --cuda {cuda} --turn --together 12"
        " --optimize 0 --texts {texts} --jobs {jobs}",
    ),
    Suite("python", PYTEST + "'not long'", environment=PYTHON),
    Suite("unit", UNIT + " --label-exclude lit", report="unit.xml"),
    Suite(
        "mistakes",
        "python3 test/mistakes/run.py --tessera {tessera} --cuda {cuda} --plugin {plugin}"
        " --turn --jobs {jobs}",
    ),
    Suite(
        "emitted",
        "python3 test/emitted.py --tessera {tessera} --cuda {cuda} --texts {texts} --jobs {jobs}",
        after=("run", "probes"),
    ),
    Suite(
        "clangd",
        "python3 test/clangd/language_server.py --cuda {cuda} --program {clangd} --edits 50 --turn",
    ),
    Suite(
        "tileir",
        "python3 test/tileir/run.py --build {build} --cuda {cuda} --turn --jobs {jobs}",
    ),
    Suite("cutile", "python3 test/cutile/run.py --build {build} --jobs {jobs}"),
    Suite("bundle", "bash test/bundle.sh {build}"),
    Suite(
        "Compiler Explorer",
        "python3 test/integrations/compiler_explorer.py --tessera {tessera} --cuda {cuda}",
    ),
    Suite(
        "Visual Studio Code",
        "python3 test/integrations/vscode.py --tessera {tessera}",
    ),
    Suite("site", "bash test/site.sh {build}"),
    Suite("fuzz", FUZZ + " --corpus --seed ci --kernels 30 --minutes 2"),
    Suite(
        "robust",
        "python3 test/robust/mutants.py --tessera {tessera} --cuda {cuda} --plugin {plugin}"
        " --lines 2 --cuts 1 --swaps 1 --jobs {jobs}",
    ),
    Suite("signals", "python3 test/robust/signals.py --tessera {tessera} --nvcc {nvcc} --times 2"),
    Suite("disks", "python3 test/robust/full_disk.py --tessera {tessera} --nvcc {nvcc}"),
    Suite("tidy", "python3 test/tidy.py --build {build} --jobs {jobs}"),
    Suite(
        "twins",
        "python3 test/fuzz/twins.py --tessera {tessera} --seed ci --programs 3 --settings 2"
        " --jobs {jobs}",
    ),
    Suite("products", FUZZ + " --products --seed ci --kernels 10 --batch 10"),
    Suite("nests", FUZZ + " --nests --seed ci --kernels 10 --batch 10"),
]

NIGHTLY = [
    Suite("lit, with -Dlong=1", LIT + " -Dlong=1", report="lit.xml"),
    Suite("Python's long tests", PYTEST + "long", environment=PYTHON),
    Suite(
        "the corpus of Tile IR with all its images",
        "python3 test/tileir/run.py --build {build} --cuda {cuda} --jobs {jobs}",
    ),
    Suite(
        "the corpus of Tile IR by cuTile Python",
        "python3 test/cutile/run.py --build {build} --only corpus --all --jobs {jobs}",
    ),
    Suite("programs of cuTile Python on a bare machine", "bash test/laptop.sh {build}/bare"),
    Suite(
        "the wheel on bare machines",
        "sh -c 'scripts/wheel.sh && bash test/bare_wheel.sh {build}/bare-machines'",
    ),
    Suite(
        "packages on bare machines",
        "sh -c 'scripts/tarball.sh && cd {build} && cpack -G DEB -B {build}/deb"
        " && cp deb/*.deb packages && bash ../test/packages.sh {build}/bare-machines'",
    ),
    Suite(
        "the site with all pages of explain",
        "sh -c 'TESSERA_BUILD={build} scripts/site.sh"
        " && {build}/site-python/bin/python docs/site/check.py {build}/site/html'",
    ),
    Suite(
        "what explain says of every sample",
        "python3 test/explain/claims.py --tessera {tessera} --nvcc {nvcc} --all",
    ),
    Suite(
        "errors of more arguments, optimized",
        "sh -c '{tessera} run --target=cpu test/numerics/sweep.cu -- 65536"
        " && echo 1 passed, 0 failed'",
    ),
    Suite(
        "words in the text of more samples",
        "python3 test/words.py --tessera {tessera} samples/matmul.cu samples/grouped_matmul.cu",
    ),
    Suite(
        "names in each header of the runtime",
        "python3 test/runtime_names.py --each --cuda {cuda}",
    ),
    Suite(
        "probes, optimized on CPUs as users run them",
        "python3 test/probes/run.py --tessera {tessera} --cuda {cuda} --optimize 2,0"
        " --jobs {jobs}",
    ),
    Suite(
        "programs with all their cases",
        "python3 test/run/run_three_ways.py --tessera {tessera} --cuda {cuda}"
        " --targets cpu,emulate --all-cases --optimize 0 --jobs {jobs}",
    ),
    Suite(
        "mistakes through each door",
        "python3 test/mistakes/run.py --tessera {tessera} --cuda {cuda} --plugin {plugin}"
        " --jobs {jobs}",
    ),
    Suite(
        "programs in clangd",
        "python3 test/clangd/language_server.py --cuda {cuda} --program {clangd} programs",
    ),
    Suite(
        "random edits in clangd",
        "python3 test/clangd/language_server.py --cuda {cuda} --program {clangd} --edits 600 edits"
        " end",
    ),
    Suite(
        "emitted texts, of lit tests too",
        "python3 test/emitted.py --tessera {tessera} --cuda {cuda} --lit --jobs {jobs}",
    ),
    Suite(
        "random scalars",
        "python3 test/scalars/random_scalars.py --tessera {tessera} --files 8 --jobs {jobs}",
    ),
    Suite(
        "twins",
        "python3 test/fuzz/twins.py --tessera {tessera} --seed ci --programs 20 --settings 3"
        " --jobs {jobs}",
    ),
    Suite("names", "python3 test/fuzz/names.py --tessera {tessera} --files 4 --kernels 20"),
    Suite("random products", FUZZ + " --products --seed ci --kernels 40 --batch 20"),
    Suite("random kernels", FUZZ + " --corpus --seed ci --kernels 200"),
    Suite("nests", FUZZ + " --nests --seed ci --kernels 80 --batch 20"),
    Suite(
        "mutants",
        "python3 test/robust/mutants.py --tessera {tessera} --cuda {cuda} --plugin {plugin}"
        " --lines 20 --cuts 4 --swaps 4 --jobs {jobs}",
    ),
    Suite("signals", "python3 test/robust/signals.py --tessera {tessera} --nvcc {nvcc} --times 10"),
    Suite(
        "programs without each technique",
        "python3 test/run/run_three_ways.py --tessera {tessera} --cuda {cuda}"
        " --targets cpu,emulate --without all --all-cases --optimize 2 --seconds 1200"
        " --jobs {jobs}",
    ),
    Suite("faults in emitted texts", "python3 test/seeded/run.py --tessera {tessera}"),
    Suite("mistakes of the plan", "python3 test/seeded/plan.py --tessera {tessera}"),
]


def without_each_technique():
    """Random kernels and products, planned without a technique of the plan, others each day."""
    table = (ROOT / "plugin/support/Techniques.def").read_text()
    for name in re.findall(r"^TESSERA_TECHNIQUE\((\w+)", table, re.M):
        seed = f" --seed {datetime.date.today()}-{name} --kernels {{kernels}}"
        setting = {"TESSERA_PLAN_WITHOUT": name}
        yield Suite(f"random kernels without {name}", FUZZ + seed, environment=setting)
        products = FUZZ + " --products --batch 10" + seed
        yield Suite(f"random products without {name}", products, environment=setting)


TIERS = {"quick": QUICK, "all": ALL, "nightly": [*NIGHTLY, *without_each_technique()]}


@dataclasses.dataclass
class Outcome:
    suite: Suite
    passed: int
    failed: int
    seconds: float
    output: str
    cases: list  # of a JUnit report


def counted(suite, report, output):
    """What a suite says: how many tests passed and failed, and its cases."""
    if not suite.report:
        lines = output.splitlines()
        found = RESULT.fullmatch(lines[-1].strip()) if lines else None
        return (int(found[1]), int(found[2]), []) if found else (0, 1, [])
    try:
        tests = [one for one in xml.parse(report).getroot().iter("testsuite")]
    except (OSError, xml.ParseError):
        return 0, 1, []

    def sum_of(name):
        return sum(int(one.get(name) or 0) for one in tests)

    failed = sum_of("failures") + sum_of("errors")
    cases = [case for one in tests for case in one.findall("testcase")]
    return sum_of("tests") - failed - sum_of("skipped") - sum_of("disabled"), failed, cases


class Tier:
    def __init__(self, suites, options):
        build = options.build.resolve()
        cores = os.cpu_count() or 1
        self.lanes = min(LANES, cores)
        jobs = max(cores // self.lanes, 1)
        self.build, self.waiting = build, list(suites)
        self.words = {
            "build": build, "texts": build / "texts", "cuda": options.cuda,
            "nvcc": f"{options.cuda}/bin/nvcc", "tessera": build / "bin/tessera",
            "clangd": build / "bin/tessera-clangd", "plugin": build / "lib/libtessera.so",
            "kernels": options.kernels, "jobs": jobs, "waiting": jobs + 1,
        }  # fmt: skip
        self.outcomes, self.ended = [], set()
        self.names = {suite.name for suite in suites}
        self.turn = threading.Condition()

    def run(self):
        lanes = [threading.Thread(target=self.run_lane) for _ in range(self.lanes)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()

    def run_lane(self):
        while suite := self.next_suite():
            outcome = self.outcome_of(suite)
            with self.turn:
                self.outcomes.append(outcome)
                self.ended.add(suite.name)
                self.show(outcome)
                self.turn.notify_all()

    def next_suite(self):
        """The first one that waits for no other; None: none is left."""
        with self.turn:
            while self.waiting:
                for suite in self.waiting:
                    if self.ended.issuperset(self.names.intersection(suite.after)):
                        self.waiting.remove(suite)
                        print(f"== {suite.name}", flush=True)
                        return suite
                self.turn.wait()
        return None

    def outcome_of(self, suite):
        begin, report = time.monotonic(), self.build / suite.report
        if suite.report:
            report.unlink(missing_ok=True)
        environment = {name: word.format(**self.words) for name, word in suite.environment.items()}
        process = subprocess.run(
            shlex.split(suite.command.format(**self.words)), cwd=ROOT, text=True, errors="replace",
            env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
        passed, failed, cases = counted(suite, report, process.stdout)
        if process.returncode and not failed:
            failed = 1
        (self.build / f"{suite.name.replace(' ', '-')}.log").write_text(process.stdout)
        return Outcome(suite, passed, failed, time.monotonic() - begin, process.stdout, cases)

    def show(self, outcome):
        if outcome.failed:
            lines = outcome.output.splitlines()
            if not outcome.suite.report:  # which has what a test says somewhere in between
                lines = [*(line for line in lines[:-40] if "FAIL" in line), *lines[-40:]]
            print("\n".join(lines))
        for line in outcome.output.splitlines():
            if line.startswith("left out:"):
                print(f"{outcome.suite.name} {line}")
        print(
            f"== {outcome.suite.name}: {outcome.passed} passed, {outcome.failed} failed,"
            f" {outcome.seconds:.0f} s",
            flush=True,
        )

    def write_report(self):
        root = xml.Element("testsuites")
        for outcome in self.outcomes:
            suite = xml.SubElement(
                root, "testsuite", name=outcome.suite.name, time=f"{outcome.seconds:.1f}",
                tests=str(outcome.passed + outcome.failed), failures=str(outcome.failed),
            )  # fmt: skip
            suite.extend(outcome.cases)
            if outcome.failed and not outcome.cases:
                case = xml.SubElement(suite, "testcase", name=outcome.suite.name)
                printable = "".join(c for c in outcome.output if c.isprintable() or c == "\n")
                xml.SubElement(case, "failure").text = printable
        xml.ElementTree(root).write(self.build / "tests.xml", encoding="utf-8")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tier", choices=TIERS)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--cuda", default=os.environ.get("CUDA_HOME", ROOT / "build/cuda"))
    parser.add_argument("--kernels", type=int, default=100)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--list", action="store_true", help="the suites and their commands")
    return parser.parse_args()


def main():
    options = parse_options()
    suites = [one for one in TIERS[options.tier] if not options.only or one.name in options.only]
    if options.list:
        for suite in suites:
            print(f"{suite.name}: {suite.command}")
        return 0
    if not (options.build / "python-package").is_dir():
        of_package = re.compile("pytest|bundle.sh|wheel.sh")
        suites = [suite for suite in suites if not of_package.search(suite.command)]
        print("== left out: the suites of Python; the package is not built", flush=True)
    begin, tier = time.monotonic(), Tier(suites, options)
    tier.run()
    tier.write_report()
    passed = sum(outcome.passed for outcome in tier.outcomes)
    failed = sum(outcome.failed for outcome in tier.outcomes)
    print(f"== the tier '{options.tier}': {time.monotonic() - begin:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
