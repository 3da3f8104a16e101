"""Small seeds for the fuzz targets, one folder for each kind: seeds.py BINARY TESTDATA OUT

lines/      a few neighbouring lines of each log, the same wrapped by pods' prefixes and in CRI's form
logs/       whole logs of at most 6 KiB
summaries/  their summaries
reports/    their JSON reports
documents/  site rules, profiles and expectations behind a byte that says which
archives/   a log packed in every way
evidence/   output of other tools in the logs, behind a byte that chooses format and cut
pickles/    dumps of a flight recorder as PyTorch and Python write them, without the two bytes of the protocol
"""
import bz2
import gzip
import io
import json
import lzma
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

WINDOW, LARGEST = 6, 6 << 10
RULES = {"rules": [{"id": "ACME1", "name": "no-tcp", "severity": "warning", "title": "T", "message": "NET/.* Call to"},
                   {"id": "ACME2", "name": "old", "severity": "error", "title": "T", "fix": "F",
                    "when": {"version<": "2.28", "network": "Socket"}}]}
EXPECTATIONS = "ranks=16,nodes=2,gpus=8,version>=2.21,network=IB|EFA,nics=4,nics-used,gdr,nvlink,one-version,cuda>=12.4"


FORMATS = pathlib.Path(__file__).parents[2] / "lib/evidence/formats.cc"


def signs():
    """The signs of all formats: the texts behind the name in each row of the table."""
    rows = re.findall(r'\{"[^"]*",((?:\s*"(?:[^"\\]|\\.)*",)+)', FORMATS.read_text())
    return [json.loads(row.rsplit(",", 1)[0].split(",")[-1]).encode() for row in rows]


def write(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def windows(data):
    """Three places of a log: its head, its middle and its end."""
    lines = data.splitlines(keepends=True)
    for place in sorted({0, len(lines) // 2, max(0, len(lines) - WINDOW)}):
        yield b"".join(lines[place:place + WINDOW])[:2048]


def main():
    binary, testdata, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(out, ignore_errors=True)
    logs = sorted(testdata.rglob("*.log"))
    known_signs = signs()
    for number, log in enumerate(logs):
        data = log.read_bytes()
        for place, window in enumerate(windows(data)):
            write(out / "lines", f"{number}-{place}", window)
            if number % 8 == 0:
                pods = b"".join(b"[pod/w-0/main] 2025-12-28T16:04:25.123456789Z " + line for line in window.splitlines(True))
                write(out / "lines", f"{number}-{place}-pod", pods)
                cri = b"".join(b"2025-12-28T16:04:25.123456789Z stdout F " + line for line in window.splitlines(True))
                write(out / "lines", f"{number}-{place}-cri", cri)
        places = [data.find(sign) for sign in known_signs if sign in data]
        if places:
            begin = data.rfind(b"\n", 0, min(places)) + 1
            whole = data.lstrip().startswith(b"{") and len(data) <= LARGEST
            write(out / "evidence", str(number), bytes([number % 256]) + data[0 if whole else begin:][:LARGEST])
        if len(data) <= LARGEST:
            write(out / "logs", str(number), data)
        if len(data) <= LARGEST and number % 6 == 0:
            summary = subprocess.run([binary, "-q", "-f", "summary", "--fail-on", "never", str(log)], capture_output=True, check=True).stdout
            write(out / "summaries", str(number), summary)
            report = subprocess.run([binary, "-q", "-f", "json", "--fail-on", "never", str(log)], capture_output=True, check=True).stdout
            write(out / "reports", str(number), report)
    profiles = subprocess.run([binary, "profiles"], capture_output=True, text=True, check=True).stdout.splitlines()
    for number, line in enumerate(profiles):
        done = subprocess.run([binary, "profiles", line.split()[0]], capture_output=True) if line.split() else None
        if done and done.returncode == 0:
            write(out / "documents", f"profile-{number}", b"\x01" + done.stdout)
    write(out / "documents", "rules", b"\x00" + json.dumps(RULES).encode())
    for number, word in enumerate([EXPECTATIONS, *EXPECTATIONS.split(",")]):
        write(out / "documents", f"expect-{number}", b"\x02" + word.encode())
    small = min(logs, key=lambda log: (log.stat().st_size, log)).read_bytes()
    tar, packed = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        for name in ("a.log", "b.log"):
            member = tarfile.TarInfo(name)
            member.size = len(small)
            archive.addfile(member, io.BytesIO(small))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.log", small)
    archives = {"gz": gzip.compress(small, mtime=0), "xz": lzma.compress(small), "bz2": bz2.compress(small),
                "tar": tar.getvalue(), "zip": packed.getvalue(), "tar.gz": gzip.compress(tar.getvalue(), mtime=0)}
    for tool in ("zstd", "lz4"):
        if shutil.which(tool):
            archives[tool] = subprocess.run([tool, "-c"], input=small, capture_output=True, check=True).stdout
    for name, data in archives.items():
        write(out / "archives", name, data)
    for dump in sorted((testdata / "pickles").rglob("nccl_trace_rank_*")):
        data = dump.read_bytes()
        write(out / "pickles", dump.name, data[2:])
        for protocol in (2, 4):
            write(out / "pickles", f"{dump.name}-{protocol}", pickle.dumps(pickle.loads(data), protocol)[2:])


if __name__ == "__main__":
    main()
