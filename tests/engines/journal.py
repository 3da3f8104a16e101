"""Journals that systemd's own programs write and read, without a running systemd."""
import struct
import subprocess

IMPORT = "/lib/systemd/systemd-journal-remote"
FIRST = 1_772_368_496_000_000  # microseconds since 1970


def field(name, value):
    """A field in the journal's export format: text, or bytes with their number before them."""
    if all(byte >= 32 or byte == 9 for byte in value):
        return name.encode() + b"=" + value + b"\n"
    return name.encode() + b"\n" + struct.pack("<Q", len(value)) + value + b"\n"


def write(path, host, log, coloured=3):
    """Writes a journal whose entries are the lines of a log, as processes print them that systemd started. Every
    `coloured`-th line is in colour, which journalctl prints as a list of bytes."""
    entries = []
    for number, line in enumerate(log.splitlines()):
        message = b"\x1b[33m" + line + b"\x1b[0m" if number % coloured == 0 else line
        entries.append(b"__REALTIME_TIMESTAMP=%d\n" % (FIRST + number) + field("MESSAGE", message) +
                       field("_HOSTNAME", host.encode()) + field("_PID", line.split(b":")[1]) +
                       field("_CMDLINE", b"grep a:1:1 [0] NCCL WARN x") + field("_SYSTEMD_UNIT", b"train.service"))
    subprocess.run([IMPORT, "--output", path, "-"], input=b"\n".join(entries) + b"\n", check=True, capture_output=True,
                   timeout=60)
    return path
