"""`nccl-analyze redact`: the report on redacted logs is the report on the logs with the names replaced, and no name remains."""
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import stat
import tempfile
import unittest

import program

KINDS = ("jobs", "rules", "damaged", "messages", "diff")


def cases():
    return sorted({log.parent for kind in KINDS for log in (program.TESTDATA / kind).rglob("*.log")})


def read_map(path):
    rows = [line.split("\t") for line in path.read_text().splitlines()]
    assert rows[0] == ["stand-in", "kind", "original"], rows[0]
    return [row for row in rows[1:] if row[1] != "file"]


def drop_advice(finding):
    """Steps depend on what an address or a foreign message tells: a bridge of Docker, a fault of a release."""
    for key in ("fix", "steps", "title"):
        del finding[key]
    for consequence in finding["consequences"]:
        drop_advice(consequence)


def comparable(report):
    """Without the names and sizes of the files: a line of another program is replaced by a short one."""
    text = json.dumps(report)
    for index, source in enumerate(report["input"]["sources"]):
        text = text.replace(json.dumps(source["name"])[1:-1], f"<{index}>")
    report = json.loads(text)
    for source in report["input"]["sources"]:
        source["bytes"] = None
    del report["next"]
    for finding in report["findings"]:
        drop_advice(finding)
    return report


class Renaming:
    """Whether texts are equal but for stand-ins: as long, with the same signs, and each word always replaced by the same
    one. Of a damaged text, pieces of words have stand-ins of their own."""

    def __init__(self):
        self.words = {}

    def __call__(self, one, other, path):
        if one == other:
            return True
        one, other = re.sub("[^\x00-\x7f]", "x", one), re.sub("[^\x00-\x7f]", "x", other)
        is_alike = len(one) == len(other) and all(a == b or (a.isalnum() and b.isalnum()) for a, b in zip(one, other))
        if not is_alike or "damaged" in path or " ... " in one:
            return is_alike
        pairs = zip(re.findall("[A-Za-z0-9]+", one), re.findall("[A-Za-z0-9]+", other))
        return all(a == b or len(a) < 5 or self.words.setdefault(a.lower(), b.lower()) == b.lower() for a, b in pairs)


def first_difference(one, other, same=None, path=""):
    """The first place where two values of JSON differ, since a whole difference of reports takes minutes to print."""
    same = same or Renaming()
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(key, one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(index, a, b) for index, (a, b) in enumerate(zip(one, other))]
    else:
        is_same = same(one, other, path) if isinstance(one, str) and isinstance(other, str) else one == other
        return None if is_same else f"{path}: {other!r} instead of {one!r}"[:2000]
    return next((found for key, a, b in pairs if (found := first_difference(a, b, same, f"{path}/{key}"))), None)


def redact(*paths, folder, options=()):
    """Returns the folder of the redacted logs, the table, and the names that are common words too."""
    out, table = folder / "out", folder / "map"
    done = program.run("redact", "-o", out, "--map", table, *options, *paths)
    assert done.returncode == 0, done.stderr.decode()
    found = re.search("common words, .*: (.*)", done.stderr.decode())
    return out, read_map(table), found[1].split(", ") if found else []


def name_left(out, rows, common):
    """The first name of the table that still stands in a log or in the name of a file."""
    text = b"\n".join(path.read_bytes() + path.name.encode() for path in sorted(out.rglob("*")) if path.is_file())
    text = text.decode(errors="replace").lower()
    for stand_in, kind, original in rows:
        if len(stand_in) != len(original) and kind != "word":
            return f"{stand_in} is not as long as {original}"
        original = original[2:] if kind in ("guid", "prefix") else original
        if len(original) < 3 or original in common or kind == "word":
            continue
        if found := re.search(rf"(?<![0-9.]){re.escape(original)}(?![a-z0-9])", text):
            return f"{kind} {original} is still there: {text[:found.end()][-80:]}"
    return None


def fault_of(case):
    """Why the report on the redacted logs of a case is not the renamed report, or which name remains."""
    logs = sorted(case.glob("*.log"))
    with tempfile.TemporaryDirectory() as folder:
        out, rows, common = redact(*logs, folder=pathlib.Path(folder))
        before, after = comparable(program.report(*logs)), comparable(program.report(out))
        return first_difference(before, after) or name_left(out, rows, common)


# What these reports say rests on names that redaction hides: folders of libraries, frames of a traceback, a segment.
HIDDEN = {
    "rules/application-error/fires_segment_gone", "rules/cuda-error/fires_deepep",
    "rules/cuda-error/fires_symmetric_memory",
    "rules/fabric-manager-down/fires_symmetric_memory", "rules/nvshmem-failed/fires",
    "rules/nvshmem-failed/fires_address_handle",
}  # fmt: skip


class Property(unittest.TestCase):
    def test_reports_are_the_same_but_for_the_names(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            all_cases = cases()
            self.assertGreater(len(all_cases), 200)
            for case, fault in zip(all_cases, pool.map(fault_of, all_cases)):
                with self.subTest(case.relative_to(program.TESTDATA)):
                    if str(case.relative_to(program.TESTDATA)) in HIDDEN:
                        self.assertIsNotNone(fault)
                    else:
                        self.assertIsNone(fault)


class Redact(program.Case):
    def test_one_log_goes_to_standard_output(self):
        for arguments, data in (([self.broken], b""), ([], self.broken.read_bytes()), (["-"], self.broken.read_bytes())):
            done = program.run("redact", *arguments, data=data)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn(b"llama", done.stdout)
            self.assertEqual(done.stdout.count(b"\n"), self.broken.read_bytes().count(b"\n"))
            self.assertIn(b"look the result over before you share it", done.stderr)

    def test_several_logs_need_a_folder(self):
        self.assert_one_line(program.run("redact", self.broken, self.healthy), "2 logs", "-o DIR")

    def test_no_input_is_replaced_and_the_table_is_not_shared(self):
        log = self.folder / "input.log"
        log.write_bytes(self.broken.read_bytes())
        self.assert_one_line(program.run("redact", "-o", self.folder, log), "is the input", "no output may replace")
        self.assertEqual(log.read_bytes(), self.broken.read_bytes())
        out = self.folder / "out"
        self.assert_one_line(program.run("redact", "-o", out, "--map", out / "map", log), "folder that is to be shared")

    def test_only_the_owner_reads_the_table(self):
        table = self.folder / "map"
        program.run("redact", "--map", table, self.broken)
        self.assertEqual(stat.S_IMODE(table.stat().st_mode), 0o600)
        self.assertIn(["host", "llama-3-8b-node-0-0"], [row[1:] for row in read_map(table)])

    def test_the_same_name_has_the_same_stand_in_in_all_files(self):
        folder = self.folder / "logs"
        for name in ("acme-0/nccl.log", "acme-1/nccl.log.gz"):
            (folder / name).parent.mkdir(parents=True)
            text = b"acme-0:1:1 [0] NCCL INFO Using network Socket\nacme-1:2:2 [0] NCCL INFO Using network Socket\n"
            text = text.replace(b"acme-0", b"acme-1") if "gz" not in name else text
            (folder / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
        out, rows, _ = redact(folder, folder=self.folder)
        hosts = {original: stand_in for stand_in, kind, original in rows if kind == "host"}
        self.assertEqual(sorted(hosts), ["acme-0", "acme-1"])
        files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.log"))
        self.assertEqual(files, [f"{hosts['acme-0']}/nccl.log", f"{hosts['acme-1']}/nccl.log"])
        for file in files:
            self.assertIn(hosts["acme-1"].encode(), (out / file).read_bytes())

    def test_what_is_no_log_is_left_out_and_said(self):
        summary = self.folder / "one.sum"
        program.run("-f", "summary", "-o", summary, self.broken)
        done = program.run("redact", "-o", self.folder / "out", summary, self.broken)
        self.assertIn(b"is left out", done.stderr)
        self.assertEqual(len(list((self.folder / "out").iterdir())), 1)
        self.assert_one_line(program.run("redact", "-q", self.folder / "none"), "none")

    def test_lines_of_other_programs(self):
        log = b"loading secret\nworker-7:1:1 [0] NCCL INFO Using network Socket\nhello worker-7\n"
        self.assertTrue(program.run("redact", data=log).stdout.startswith(b"# redacted\n"))
        kept = program.run("redact", "--keep-other", data=log).stdout
        self.assertRegex(kept, rb"^loading [^s]\w{5}\n")
        self.assertNotIn(b"worker-7", kept)

    def test_the_words_that_stay_are_told(self):
        log = b"worker-7:1:1 [0] NCCL INFO Using network Socket\nRuntimeError: CUDA error for project zorblax\n"
        done = program.run("redact", data=log)
        self.assertIn(b"stay beside NCCL's own text and numbers: ", done.stderr)
        for word in (b"cuda", b"runtimeerror"):
            self.assertIn(word, done.stderr)
        self.assertNotIn(b"zorblax", done.stderr + done.stdout)

    def test_a_table_is_read_again(self):
        part = b"%b:1:1 [0] NCCL INFO Bootstrap: Using eth0:10.0.4.%d<0>\nRuntimeError: %b fd00:1148:9000::%x\n"
        logs = [b"".join(part % (host, number, word, number) for host, number, word in rows)
                for rows in ([(b"acme-1", 51, b"zorblax"), (b"dell-2", 52, b"quux")], [(b"beta-3", 53, b"frobnik"), (b"acme-1", 51, b"zorblax")])]
        table = self.folder / "map"
        first, second = [program.run("redact", "--map", table, data=log).stdout.splitlines() for log in logs]
        self.assertEqual(second[2:], first[:2])
        self.assertEqual(len({row[0] for row in read_map(table)}), len(read_map(table)))
        for log, lines in zip(logs, (first, second)):
            self.assertEqual(program.run("redact", "--map", table, data=log).stdout.splitlines(), lines)
        other = self.folder / "notes"
        other.write_text("my notes\n")
        self.assert_one_line(program.run("redact", "--map", other, data=logs[0]), "is no table of stand-ins")
        self.assertEqual(other.read_text(), "my notes\n")


if __name__ == "__main__":
    unittest.main()
