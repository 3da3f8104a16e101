"""How fast the program is beside ordinary tools, and how much memory it takes: benchmark.py prints a Markdown table.

benchmark.py --binary NCCL_ANALYZE --generator GENERATE_LOG [--size 1G] [--rounds 7] [--what ratios,memory]
             [--previous OTHER_NCCL_ANALYZE] [--readme README.md]

Times are CPU time (user and system) of interleaved rounds, the first of which is dropped; ratios are medians of each
round's own ratio. The slow tools read a part of the log and are reckoned up by bytes.
"""
import argparse
import collections
import datetime
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import instructions

HERE = pathlib.Path(__file__).parent
SMALL_INPUT = HERE.parent.parent / "testdata/jobs/efa-fallback/input.log"
BEGIN, END = "<!-- benchmark -->\n", "<!-- /benchmark -->"
SLOW_SHARE = 16  # The slow tools read a sixteenth of the log.
AWKS = ("gawk", "mawk")  # They differ tenfold.
WHAT = ("ratios", "redact", "instructions", "memory", "small")

Tool = collections.namedtuple("Tool", "name label command slow faster")


# Forked from a small process: a program's peak counts the pages of whoever started it.
LAUNCHER = """import os, sys
pid = os.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
sys.stderr.write(f"peak {usage.ru_maxrss}")
sys.exit(os.waitstatus_to_exitcode(status))"""


def tools(binary, previous):
    """Ours first. `faster`: the row says how many times faster we are, not what part of its time we take."""
    ours = [Tool("ours", "", instructions.command(binary), False, False)]
    if previous:
        ours.append(Tool("previous", "÷ previous build", instructions.command(previous), False, False))
    return ours + [
        Tool("wc", "÷ `wc -l`", ["wc", "-l"], False, False),
        Tool("rg", "÷ `rg -c 'NCCL (INFO\\|WARN)'`", ["rg", "-c", "NCCL (INFO|WARN)"], False, False),
        Tool("python3", "× Python's `re` (`user_script.py`)", [sys.executable, HERE / "user_script.py"], True, True),
        *(Tool(awk, f"× {awk} with four patterns (`user_script.awk`)", [awk, "-f", HERE / "user_script.awk"], True, True)
          for awk in AWKS)]


def run(command):
    """CPU and wall-clock seconds of one run; what it prints goes to a file, since some tools look."""
    with tempfile.TemporaryFile() as out:
        begin = time.monotonic()
        process = subprocess.Popen([str(part) for part in command], stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, wall


def peak_memory(command, stdin):
    """In MiB."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCHER, *command], stdin=stdin, check=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(re.search(r"peak (\d+)$", done.stderr)[1]) / 1024


def size_in_bytes(text):
    return int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]]


class Benchmark:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.rows, self.notes = {}, []

    def log(self, kind, size):
        path = self.folder / f"{kind}.{size}"
        return path if path.exists() else instructions.generate(self.options.generator, kind, size, path)

    def row(self, label, kind, text):
        self.rows.setdefault(label, {})[kind] = text

    def ratios(self):
        known = tools(self.options.binary, self.options.previous)
        there = [tool for tool in known if shutil.which(tool.command[0])]
        for tool in known:
            if tool not in there:
                self.notes.append(f"{tool.name} is not installed: left out")
        size = size_in_bytes(self.options.size)
        for kind in instructions.KINDS:
            log = self.log(kind, self.options.size)
            part = self.log(kind, f"{max(size // SLOW_SHARE, 1 << 20) >> 10}K")
            seconds = collections.defaultdict(list)
            for number in range(self.options.rounds + 1):
                for tool in there:
                    path = part if tool.slow else log
                    taken = run([*tool.command, path])[0] * log.stat().st_size / path.stat().st_size
                    if number > 0:  # The first round warms the caches.
                        seconds[tool.name].append(taken)
            ours = seconds["ours"]
            self.row("MB/s of CPU time", kind, f"{log.stat().st_size / statistics.median(ours) / 1e6:.0f}")
            for tool in there[1:]:
                pairs = zip(ours, seconds[tool.name])
                ratio = statistics.median(b / a if tool.faster else a / b for a, b in pairs)
                self.row(tool.label, kind, f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2f}")
            self.drop(log)

    def redact(self):
        """How many times the CPU time of a report it takes to redact the log."""
        for kind in instructions.KINDS:
            log = self.log(kind, self.options.size)
            pairs = [(run([self.options.binary, "redact", "-q", log])[0],
                      run([*instructions.command(self.options.binary), log])[0]) for _ in range(self.options.rounds + 1)]
            self.row("redact ÷ report", kind, f"{statistics.median(redact / report for redact, report in pairs[1:]):.2f}")
            self.drop(log)

    def drop(self, log):
        if log.stat().st_size > 1 << 28:
            log.unlink()

    def instructions(self):
        if not shutil.which("valgrind"):
            self.notes.append("valgrind is not installed: no instructions counted")
            return
        for label, binary in (("", self.options.binary), (", previous build", self.options.previous)):
            for kind, number in instructions.measure(binary, self.options.generator).items() if binary else ():
                self.row("instructions a line" + label, kind, f"{number:.0f}")

    def memory(self):
        """Through a pipe: nothing of the log is held elsewhere."""
        for kind in instructions.KINDS:
            with subprocess.Popen([self.options.generator, kind, self.options.size], stdout=subprocess.PIPE) as writer:
                peak = peak_memory(instructions.command(self.options.binary), writer.stdout)
            self.row("peak memory, MiB", kind, f"{peak:.1f}")

    def small(self):
        runs = 200
        command = [*instructions.command(self.options.binary), SMALL_INPUT]
        cpu, wall = (statistics.median(times) * 1e3 for times in zip(*(run(command) for _ in range(runs))))
        lines = SMALL_INPUT.read_bytes().count(b"\n")
        self.notes.append(f"a log of {lines} lines ({SMALL_INPUT.parent.name}), start-up included: "
                          f"{wall:.1f} ms, {cpu:.1f} ms of CPU time, median of {runs} runs")

    def table(self):
        lines = ["| | " + " | ".join(instructions.KINDS) + " |", "|" + " --- |" * (1 + len(instructions.KINDS))]
        for label, cells in self.rows.items():
            lines.append(f"| {label} | " + " | ".join(cells.get(kind, "") for kind in instructions.KINDS) + " |")
        return "\n".join([*lines, "", "; ".join([*self.setting(), *self.notes]) + "."]) + "\n"

    def setting(self):
        cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
        versions = [first_line([self.options.binary, "--version"]), *(
            first_line([tool, "--version"]) for tool in ("wc", "rg", *AWKS, "valgrind") if shutil.which(tool)),
            f"Python {platform.python_version()}"]
        return [f"{datetime.date.today()}, {cpu[1] if cpu else platform.machine()}, one thread, logs of "
                f"{self.options.size} ({self.options.size} / {SLOW_SHARE} for Python and awk), {self.options.rounds} rounds",
                ", ".join(version for version in versions if version)]


def first_line(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).strip().split("\n")[0] if done.returncode == 0 else f"{command[0]}"


def write_between_marks(path, text):
    page = path.read_text()
    if BEGIN not in page or END not in page:
        sys.exit(f"{path} has no {BEGIN.strip()} and {END}: put them where the table belongs")
    head, rest = page.split(BEGIN, 1)
    path.write_text(head + BEGIN + text + END + rest.split(END, 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--previous", help="another build of the program, measured in the same rounds")
    parser.add_argument("--size", default="1G", help="of each log: 64M, 1G")
    parser.add_argument("--rounds", type=int, default=7, help="beside the first, which is dropped")
    parser.add_argument("--what", default="all", help=f"all, or some of {','.join(WHAT)}")
    parser.add_argument("--readme", type=pathlib.Path, help="write the table between the marks of this file")
    options = parser.parse_args()
    chosen = WHAT if options.what == "all" else options.what.split(",")
    if not set(chosen) <= set(WHAT) or not re.fullmatch(r"\d+[KMG]", options.size):
        parser.error(f"--what takes {','.join(WHAT)} or all, --size a number with K, M or G")
    options.chosen = chosen
    with tempfile.TemporaryDirectory() as folder:
        benchmark = Benchmark(options, pathlib.Path(folder))
        for what in chosen:
            getattr(benchmark, what)()
        table = benchmark.table()
    if options.readme:
        write_between_marks(options.readme, table)
    print(table, end="")


if __name__ == "__main__":
    main()
