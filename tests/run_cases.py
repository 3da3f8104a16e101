"""Runs the test cases of the Catch2 program in a few processes: run_cases.py PROGRAM [PATTERN ...]

Prints what fails. The last line counts cases: `N passed, N failed`; a case that a crash kept from running has failed.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile


def list_cases(program, patterns):
    listed = subprocess.run([program, *patterns, "--list-test-names-only"], stdout=subprocess.PIPE, text=True)
    return listed.stdout.splitlines()


def run_share(program, cases):
    """Returns how many of the cases passed, and what the program printed."""
    with tempfile.NamedTemporaryFile("w", suffix=".cases") as names:
        # Without a backslash these begin another pattern.
        names.write("\n".join(re.sub(r"([\\,\[\]])", r"\\\1", case) for case in cases))
        names.flush()
        done = subprocess.run([program, "--input-file", names.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
    whole = re.search(r"^All tests passed \(.* in (\d+) test cases?\)$", done.stdout, re.M)
    part = re.search(r"^test cases: .*?(\d+) passed", done.stdout, re.M)
    return int((whole or part or [0, 0])[1]), re.sub("^Filters: .*\n", "", done.stdout)


def main(program, *patterns):
    cases = list_cases(program, patterns)
    processors = len(os.sched_getaffinity(0))
    shares = min(len(cases), 4 * processors)  # so that a slow case leaves no processor idle
    passed = 0
    with concurrent.futures.ThreadPoolExecutor(processors) as pool:
        for count, printed in pool.map(lambda i: run_share(program, cases[i::shares]), range(shares)):
            passed += count
            print(printed, end="")
    print(f"{passed} passed, {len(cases) - passed} failed")
    return 0 if cases and passed == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
