"""Compressed files and archives, also cut and hostile ones."""
import gzip
import io
import json
import lzma
import os
import shutil
import subprocess
import tarfile
import zipfile

from program import Case, report, run


class Packed(Case):
    def test_packed(self):
        data = self.broken.read_bytes()
        lines = report(self.broken)["input"]["nccl_lines"]
        gz = gzip.compress(data)
        tar = io.BytesIO()
        with tarfile.open(fileobj=tar, mode="w:xz") as archive:
            archive.add(self.broken, "worker-0.log")
            archive.add(self.healthy, "worker-1.log")
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(self.broken, "worker-0.log")
        self.assertEqual(report(data=gz)["input"]["nccl_lines"], lines)
        self.assertEqual(report(data=gz + gz)["input"]["nccl_lines"], 2 * lines)
        self.assertEqual(report(data=zipped.getvalue())["input"]["nccl_lines"], lines)
        (self.folder / "all.tar.xz").write_bytes(tar.getvalue())
        sources = report(self.folder)["input"]["sources"]
        self.assertEqual([s["name"] for s in sources],
                         [f"{self.folder}/all.tar.xz:worker-{i}.log" for i in range(2)])
        self.assertEqual(sources[0]["nccl_lines"], lines)

    def test_torn_archive_keeps_what_was_read(self):
        done = run("--format", "json", data=gzip.compress(50 * self.broken.read_bytes())[:-20])
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot unpack <stdin>", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["input"]["sources"]), 1)

    def test_packed_members_of_archives(self):
        data = self.broken.read_bytes()
        lines = report(self.broken)["input"]["nccl_lines"]
        with zipfile.ZipFile(self.folder / "all.zip", "w") as archive:
            archive.writestr("w-0.log.gz", gzip.compress(data))
            archive.writestr("w-1.log.xz", lzma.compress(data))
            archive.writestr("w-2.log", data)
        sources = report(self.folder / "all.zip")["input"]["sources"]
        self.assertEqual([(s["name"], s["nccl_lines"]) for s in sources],
                         [(f"{self.folder}/all.zip:w-{i}.log{end}", lines)
                          for i, end in enumerate((".gz", ".xz", ""))])

    def test_every_compression(self):
        lines = report(self.broken)["input"]["nccl_lines"]
        for tool in ("gzip", "bzip2", "xz", "zstd"):
            if shutil.which(tool):
                with self.subTest(tool):
                    packed = subprocess.run([tool, "-c", self.broken], capture_output=True, check=True).stdout
                    self.assertEqual(report(data=packed)["input"]["nccl_lines"], lines)

    def test_bomb(self):
        zeros = gzip.compress(bytes(64 << 20))
        with tarfile.open(self.folder / "bomb.tar", "w") as archive:
            archive.add(self.broken, "a.log")
            member = tarfile.TarInfo("bomb.gz")
            member.size = 160 * len(zeros)  # 10 GiB come out of it.
            archive.addfile(member, io.BytesIO(160 * zeros))
        done = run("-f", "json", self.folder)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"stopped unpacking", done.stderr)
        sources = json.loads(done.stdout)["input"]["sources"]
        self.assertGreater(sources[0]["nccl_lines"], 50)
        self.assertLess(sources[1]["bytes"], 5 << 30)

    def test_locked_member_does_not_end_the_archive(self):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("secret.log", os.urandom(1000))
            archive.write(self.broken, "open.log")
        locked = bytearray(data.getvalue())
        locked[6] |= 1  # The flag of encryption, in the member's header.
        done = run("-f", "json", data=bytes(locked))
        self.assertIn(b"cannot unpack <stdin>:secret.log", done.stderr)
        self.assertEqual([s["name"] for s in json.loads(done.stdout)["input"]["sources"]], ["<stdin>:open.log"])
