"""Completions: what the program offers, and that bash, zsh and fish show it."""
import os
import pathlib
import pty
import select
import shlex
import shutil
import subprocess
import time
import unittest

import program
from program import Case, run


def offered(*words):
    """Returns the words that may end a command line, with what they are."""
    lines = run("__complete", *words).stdout.decode().splitlines()
    return dict(line.partition("\t")[::2] for line in lines)


class Offers(Case):
    def test_commands_and_files_come_first(self):
        found = offered("")
        for name in ("rules", "explain", "diff", "completion", "schema", ":files"):
            self.assertIn(name, found)
        self.assertNotIn("version", found)
        self.assertEqual(list(offered("a.log", "ex")), [":files"])

    def test_every_option_of_the_help(self):
        for words in ([], ["diff"], ["merge"], ["rules"]):
            shown = run(*words, "--help").stdout.decode()
            for flag, about in offered(*words, "--").items():
                self.assertIn(flag, shown)
                self.assertTrue(about)
            self.assertIn("--help", offered(*words, "--"))
        self.assertEqual(list(offered("--form")), ["--format"])
        self.assertIn("-f", offered("-"))

    def test_values(self):
        for words, wanted in ((["--format", ""], "sarif"), (["-f", "ht"], "html"), (["--format=ht"], "--format=html"),
                              (["--color", ""], "always"), (["--fail-on", "error,"], "error,unknown"),
                              (["--profile", "p5."], "p5.48xlarge"), (["--profile", ""], ":files"),
                              (["--select", "NCA3"], "NCA301"), (["--select", "NCA301,NCA30"], "NCA301,NCA302"),
                              (["--ignore=socket"], "--ignore=socket-fallback"), (["explain", ""], "NCA3"),
                              (["explain", "late"], "late-rank"), (["rules", "--format", "j"], "json"),
                              (["--expect", "rank"], "ranks="), (["--expect", "gdr,nv"], "gdr,nvlink"),
                              (["--expect", "vers"], "version>="), (["diff", "--ignore", ""], "network"),
                              (["profiles", "dgx"], "dgx-h100"), (["expect-bandwidth", "p5."], "p5.48xlarge"), (["completion", "f"], "fish"),
                              (["schema", ""], "diff"), (["help", "ra"], "ranks"), (["--rules", ""], ":files"),
                              (["-o", ""], ":files"), (["diff", "a", ""], ":files"), (["--", "--x"], ":files")):
            with self.subTest(words):
                self.assertIn(wanted, offered(*words))

    def test_what_has_no_words_offers_none(self):
        for words in (["--host", ""], ["--expect-ranks", ""], ["explain", "\n"], ["--format=x"], ["--nonsense=x"], []):
            self.assertEqual(offered(*words), {})


class Shells(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "nccl-analyze").symlink_to(program.BINARY)
        (self.folder / "my logs").mkdir()
        (self.folder / "my logs/rank 0.log").touch()
        self.environment = {"PATH": f"{self.folder}:{os.environ['PATH']}", "HOME": str(self.folder), "TERM": "dumb",
                            "LANG": "C.UTF-8"}

    def shell(self, *arguments, script=""):
        if not shutil.which(arguments[0]):
            raise unittest.SkipTest(f"{arguments[0]} is not there")
        done = subprocess.run(arguments, input=script.encode(), capture_output=True, timeout=120, env=self.environment,
                              cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done)
        return done.stdout.decode()

    def script(self, shell):
        path = self.folder / f"completion.{shell}"
        path.write_bytes(run("completion", shell).stdout)
        return path

    def bash(self, line):
        """Returns the replies of the function, called as bash calls it."""
        return self.shell("bash", "--norc", script=f"""
            source {self.script("bash")}
            compopt() {{ :; }}  # it only works while bash completes
            COMP_LINE={shlex.quote(line)} COMP_POINT=${{#COMP_LINE}}
            _nccl_analyze
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """).splitlines()

    def test_bash(self):
        for line, wanted in (("nccl-analyze expl", ["explain"]), ("nccl-analyze --form", ["--format"]),
                             ("nccl-analyze --format=js", ["json"]), ("nccl-analyze -f js", ["json"]),
                             ("nccl-analyze --select NCA301,NCA302", ["NCA301,NCA302"]),
                             ("nccl-analyze --expect vers", ["version\\>="]), ("nccl-analyze my", ["my logs"]),
                             ("nccl-analyze my\\ logs/", ["my logs/rank 0.log"]), ("nccl-analyze --host x", [""])):
            with self.subTest(line):
                self.assertEqual(self.bash(line), wanted)
        self.assertIn("rules", self.bash("nccl-analyze "))

    def test_fish(self):
        script = self.script("fish")

        def fish(line):
            return self.shell("fish", "--no-config", "-c", f"source {script}; complete -C {line!r}").splitlines()

        self.assertEqual([one.split("\t")[0] for one in fish("nccl-analyze expl")], ["explain"])
        self.assertEqual([one.split("\t")[0] for one in fish("nccl-analyze --format=js")], ["--format=json"])
        self.assertIn("NCA301\tnet-plugin-failed", fish("nccl-analyze explain NCA30"))
        self.assertEqual([one.split("\t")[0] for one in fish("nccl-analyze my")], ["my logs/"])
        self.assertEqual([one.split("\t")[0] for one in fish("nccl-analyze --baseline=my")], ["--baseline=my logs/"])

    def on_terminal(self, command, setup, cases):
        """Types each line and a Tab into a shell, and waits until it shows what is wanted."""
        if not shutil.which(command[0]):
            self.skipTest(f"{command[0]} is not there")
        leader, follower = pty.openpty()
        process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=self.environment,
                                   cwd=self.folder, start_new_session=True)
        os.close(follower)
        try:
            os.write(leader, f"PS1='> '; {setup}; echo rea''dy\n".encode())
            self.wait_for(leader, "ready")
            for line, wanted in cases:
                os.write(leader, f"\x15{line}\t".encode())  # Ctrl-U empties the line
                self.wait_for(leader, wanted)
        finally:
            process.kill()
            process.wait(timeout=60)
            os.close(leader)

    def wait_for(self, leader, wanted):
        shown, end = "", time.monotonic() + 60
        while wanted not in shown and time.monotonic() < end:
            if select.select([leader], [], [], 1)[0]:
                shown += os.read(leader, 4096).decode(errors="replace").replace("\a", "")
        self.assertIn(wanted, shown)

    def test_bash_on_a_terminal(self):
        self.on_terminal(["bash", "--norc", "-i"], f"source {self.script('bash')}",
                         [("nccl-analyze --format=sar", "sarif"), ("nccl-analyze my", "my\\ logs/"),
                          ("nccl-analyze diff --ignore=netw", "network")])

    def test_zsh_on_a_terminal(self):
        self.on_terminal(["zsh", "-f", "-i"],
                         f"autoload -Uz compinit; compinit -u -D; source {self.script('zsh')}",
                         [("nccl-analyze expl", "explain "), ("nccl-analyze --format=sar", "=sarif "),
                          ("nccl-analyze --select NCA301,late", "NCA301,late-rank"), ("nccl-analyze my", "my\\ logs/"),
                          ("nccl-analyze --expect ver", "version\\>="), ("nccl-analyze --baseline=my", "=my\\ logs/")])

    def test_zsh_from_a_folder_of_functions(self):
        functions = self.folder / "functions"
        functions.mkdir()
        shutil.copy(self.script("zsh"), functions / "_nccl-analyze")
        setup = f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D"
        self.on_terminal(["zsh", "-f", "-i"], setup, [("nccl-analyze expl", "explain ")])


class Source(Case):
    def test_the_scripts_are_those_of_the_sources(self):
        folder = pathlib.Path(__file__).resolve().parents[2] / "cli/shell"
        for shell, name in (("bash", "nccl-analyze.bash"), ("zsh", "_nccl-analyze"), ("fish", "nccl-analyze.fish")):
            self.assertEqual(run("completion", shell).stdout, (folder / name).read_bytes())
