"""A full disk."""
import subprocess

from program import BINARY, Case


class Disk(Case):
    def test_full_disk_ends_following_at_once(self):
        log = self.folder / "a.log"
        log.write_bytes(self.broken.read_bytes())
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, "--follow", "-q", "-f", "events", str(log)], stdout=full, stderr=subprocess.PIPE,
                                  timeout=20)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b"nccl-analyze: error: cannot write standard output: No space left on device\n")
