"""A cut archive gives all that its own tool gives."""
import bz2
import gzip
import io
import json
import lzma
import random
import shutil
import subprocess
import tarfile
import zipfile

from program import Case, run


def tar_of(members):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return archive.getvalue()


def zip_of(members):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return archive.getvalue()


class Archives(Case):
    TOOLS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": None, "lz4": None}

    def packed(self):
        """By tool, the log packed; those of this machine."""
        data = self.broken.read_bytes() * 40
        for name, compress in self.TOOLS.items():
            if compress:
                yield name, compress(data), data
            elif shutil.which(name):
                yield name, subprocess.run([name, "-c"], input=data, capture_output=True, check=True).stdout, data

    def bytes_read(self, packed):
        done = run("-f", "json", "--fail-on", "never", data=packed)
        if not done.stdout:
            return 0, done.stderr
        return sum(source["bytes"] for source in json.loads(done.stdout)["input"]["sources"]), done.stderr

    def test_a_cut_archive_gives_what_its_own_tool_gives(self):
        for name, packed, data in self.packed():
            self.assertEqual(self.bytes_read(packed), (len(data), b""), name)
            for cut in (1, 4, 9, len(packed) // 3, len(packed) // 2):
                tool = subprocess.run([name, "-dc"], input=packed[:-cut], capture_output=True).stdout
                read, errors = self.bytes_read(packed[:-cut])
                self.assertGreaterEqual(read, len(tool), (name, cut))
                self.assertEqual(errors.count(b"it is cut off; what came before is read"), 1, (name, cut, errors))

    def test_what_follows_is_left_out(self):
        for name, packed, data in self.packed():
            self.assertEqual(self.bytes_read(packed + packed), (2 * len(data), b""), name)
            self.assertEqual(self.bytes_read(packed + b"\0" * 512), (len(data), b""), name)
            read, errors = self.bytes_read(packed + b"and more bytes")
            self.assertEqual(read, len(data), name)
            self.assertEqual(errors, b"nccl-analyze: error: what follows the compressed part of <stdin> is left out\n", name)

    def test_a_changed_byte_costs_no_more_than_what_follows(self):
        for name, packed, data in self.packed():
            middle = len(packed) // 2
            read, errors = self.bytes_read(packed[:middle] + bytes([packed[middle] ^ 0x55]) + packed[middle + 1:])
            self.assertLess(read, 3 * len(data), name)  # bzip2 notices damage at the end of a block
            self.assertLessEqual(errors.count(b"\n"), 2)

    def test_members_before_the_cut_are_read(self):
        data = self.broken.read_bytes() * 40
        for name, make in (("tar", tar_of), ("zip", zip_of)):
            archive = make({"a.log": data, "b.log": data})
            self.assertEqual(self.bytes_read(archive)[0], 2 * len(data), name)
            read, errors = self.bytes_read(archive[:len(archive) * 3 // 4])
            self.assertGreater(read, len(data), name)
            self.assertEqual(errors.count(b"\n"), 1, errors)
        packed = gzip.compress(tar_of({"a.log": data, "b.log": data}))
        read, errors = self.bytes_read(packed[:-10])
        self.assertGreaterEqual(read, 2 * len(data) - 65536)
        self.assertEqual(errors.count(b"\n"), 1, errors)

    def test_random_damage_gives_a_report_or_an_error(self):
        chance = random.Random(3)
        data = self.broken.read_bytes()
        for name, packed in (("tar", tar_of({"a.log": data})), ("zip", zip_of({"a.log": data})),
                             *((name, packed) for name, packed, _ in self.packed())):
            for _ in range(12):
                broken = bytearray(packed)
                for _ in range(chance.randint(1, 20)):
                    broken[chance.randrange(len(broken))] = chance.randrange(256)
                done = run("-f", "json", data=bytes(broken[:chance.randint(1, len(broken))]))
                self.assertIn(done.returncode, (0, 1, 2), name)
                self.assertLess(done.stderr.count(b"\n"), 4)
                if done.stdout:
                    json.loads(done.stdout)
