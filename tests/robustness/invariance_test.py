"""The report on a case depends on its logs alone."""
import random
import subprocess

from program import BINARY, TESTDATA, Case, run


class Invariance(Case):
    def test_surroundings_change_no_byte(self):
        folders = sorted({log.parent for log in TESTDATA.rglob("input.log")})
        self.assertGreater(len(folders), 200)
        surroundings = [{"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Kathmandu"}, {"LC_ALL": "tr_TR.UTF-8", "COLUMNS": "20"},
                        {"LC_ALL": "C", "TZ": "", "TERM": "dumb"}]
        for number, folder in enumerate(folders):
            logs = sorted(folder.glob("*.log"))
            plain = run("-f", "json", *logs)
            other = run("-f", "json", "--threads", str(1 + number % 8), *reversed(logs),
                        env=surroundings[number % len(surroundings)])
            self.assertEqual((other.returncode, other.stdout), (plain.returncode, plain.stdout), folder)

    def test_cuts_of_a_pipe_change_no_byte(self):
        chance = random.Random(5)
        for log in sorted(TESTDATA.rglob("input.log"))[::7]:
            data = log.read_bytes()[:20_000]
            plain = run("-f", "json", data=data)
            process = subprocess.Popen([BINARY, "-f", "json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
            while data:
                size = chance.choice((1, 7, 100, 513, 4096))
                process.stdin.write(data[:size])
                process.stdin.flush()
                data = data[size:]
            out, _ = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out), (plain.returncode, plain.stdout), log)
