"""Instructions per line of each kind of log, as callgrind counts them: what start-up takes is left out.

instructions.py --binary NCCL_ANALYZE --generator GENERATE_LOG [--check]

Two runs differ by less than a thousandth, so that a change can be judged on a busy machine. With --check it fails when
a kind takes more than instructions.json allows; without valgrind it exits with status 77.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KINDS = ("init", "coll", "training", "kubectl")
LIMITS = pathlib.Path(__file__).with_name("instructions.json")
SKIPPED = 77


def command(binary):
    """The whole of the work on one thread, whatever it finds."""
    threads = "--threads" in subprocess.run([binary, "--help"], capture_output=True, text=True, check=True).stdout
    return [str(binary), "--fail-on", "never", *(["--threads", "1"] if threads else [])]


def generate(generator, kind, size, path, ranks=640):
    with open(path, "wb") as log:
        subprocess.run([generator, kind, size, "--ranks", str(ranks)], stdout=log, check=True)
    return path


def count_lines(log):
    with open(log, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def count(binary, log):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command(binary), log],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def measure(binary, generator, kinds=KINDS):
    """Instructions per line by kind, on samples of 4 MiB; nothing without valgrind."""
    if not shutil.which("valgrind"):
        return None
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        start_up = count(binary, "/dev/null")
        for kind in kinds:
            # Few enough ranks that a communicator is initialised from its first line to its last.
            log = generate(generator, kind, "4M", pathlib.Path(folder) / kind, ranks=64)
            found[kind] = (count(binary, log) - start_up) / count_lines(log)
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--binary", required=True)
    options.add_argument("--generator", required=True)
    options.add_argument("--check", action="store_true")
    chosen = options.parse_args()
    found = measure(chosen.binary, chosen.generator)
    if found is None:
        print("skipped: valgrind is not installed")
        return SKIPPED
    print(" ".join(f"{kind} {number:.0f}" for kind, number in found.items()))
    if not chosen.check:
        return 0
    cpu = pathlib.Path("/proc/cpuinfo")
    if not cpu.exists() or " avx2 " not in cpu.read_text():
        print("skipped: the limits are those of a machine with AVX2")
        return SKIPPED
    limits = json.loads(LIMITS.read_text())
    above = [f"{kind} {number:.0f} (limit {limits['limits'][kind]} + {limits['margin']:.0%})"
             for kind, number in found.items() if number > limits["limits"][kind] * (1 + limits["margin"])]
    if above:
        print("more instructions per line than tests/benchmark/instructions.json allows: " + ", ".join(above),
              file=sys.stderr)
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
