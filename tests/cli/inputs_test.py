"""What is read: files, folders, patterns, pipes, devices; a file and its copies count once."""
import json
import os
import subprocess
import threading

from program import BINARY, JOBS, Case, report, run


class Inputs(Case):
    def test_standard_input(self):
        data = self.broken.read_bytes()
        for arguments in ((), ("-",)):
            sources = report(*arguments, data=data)["input"]["sources"]
            self.assertEqual([(s["name"], s["bytes"]) for s in sources], [("<stdin>", len(data))])

    def test_folder(self):
        (self.folder / "b").mkdir()
        (self.folder / "b/late.log").write_bytes(self.broken.read_bytes())
        (self.folder / "a.log").write_bytes(b"nothing\n")
        os.symlink(self.folder, self.folder / "b/loop")
        os.mkfifo(self.folder / "pipe")
        names = [s["name"] for s in report(self.folder)["input"]["sources"]]
        self.assertEqual(names, [f"{self.folder}/a.log", f"{self.folder}/b/late.log"])

    def test_empty_folder(self):
        self.assert_one_line(run(self.folder), "no file to read under the paths named")

    def test_unreadable_input_is_named_and_the_rest_read(self):
        done = run("--format", "json", self.folder / "missing.log", self.broken)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(run(self.folder / "missing.log", self.healthy).returncode, 0)
        self.assertIn(b"missing.log: No such file", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["input"]["sources"]), 1)
        self.assertEqual(run("--fail-on", "never", self.folder / "missing.log").returncode, 2)
        self.assert_one_line(run(self.folder / "missing.log"), "missing.log")

    def test_unreadable_folder_entry(self):
        (self.folder / "a.log").write_bytes(self.broken.read_bytes())
        os.symlink("/proc/self/mem", self.folder / "b.log")
        done = run("--format", "json", self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"b.log", done.stderr)
        self.assertEqual(json.loads(done.stdout)["input"]["sources"][0]["name"], f"{self.folder}/a.log")

    def test_named_pipe(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cp", self.broken, pipe]) as writer:
            timer = threading.Timer(60, writer.kill)  # A program that does not open the pipe leaves it waiting.
            timer.start()
            self.assertGreater(report(pipe)["input"]["nccl_lines"], 50)
            timer.cancel()

    def test_several_files_do_not_depend_on_each_other(self):
        both = report(self.broken, self.healthy)["input"]
        alone = [report(path)["input"]["sources"][0] for path in (self.broken, self.healthy)]
        self.assertEqual(both["sources"], alone)

    def source_names(self, *arguments, data=b""):
        return [source["name"] for source in report(*arguments, data=data)["input"]["sources"]]

    def test_pattern(self):
        for name in ("w-2.log", "w-10.log", "w-1.log", "other.txt", "sub/deep.log"):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"{name}\n")
        os.mkfifo(self.folder / "w-pipe.log")
        self.assertEqual(self.source_names(f"{self.folder}/w-*.log"),
                         [f"{self.folder}/w-{i}.log" for i in ("1", "10", "2")])
        self.assertEqual(self.source_names(f"{self.folder}/w-[12].lo?"), [f"{self.folder}/w-{i}.log" for i in "12"])
        self.assertEqual(self.source_names(f"{self.folder}/s*"), [f"{self.folder}/sub/deep.log"])
        self.assert_one_line(run(f"{self.folder}/x*.log"), "no file matches", "x*.log")
        (self.folder / "a[1].log").write_text("brackets\n")
        self.assertEqual(self.source_names(self.folder / "a[1].log"), [f"{self.folder}/a[1].log"])

    def test_a_file_counts_once_whatever_its_names(self):
        log, link, hard = (self.folder / name for name in ("a.log", "link.log", "hard.log"))
        log.write_bytes(self.broken.read_bytes())
        link.symlink_to(log)
        os.link(log, hard)
        for paths in ((log, log), (log, link), (log, hard), (log, self.folder), (self.folder,),
                      (log, f"{self.folder}/*.log")):
            done = run("-f", "json", *paths)
            self.assertEqual(done.stderr, b"")
            self.assertEqual([s["name"] for s in json.loads(done.stdout)["input"]["sources"]], [str(log)])
        self.assertIn(b"under another name", run("-v", log, link).stderr)
        self.assertEqual(self.source_names("-", "-", data=b"x\n"), ["<stdin>"])
        with open(log, "rb") as file:
            done = subprocess.run([BINARY, "-f", "json", "-", log], stdin=file, capture_output=True, timeout=60)
        self.assertEqual(len(json.loads(done.stdout)["input"]["sources"]), 1)

    def test_a_copy_counts_once_and_is_named(self):
        data = self.broken.read_bytes()
        a, b, other, shorter, empty, void = (self.folder / name for name in "abcdef")
        a.write_bytes(data)
        b.write_bytes(data)
        other.write_bytes(data[:-2] + b"#\n")
        shorter.write_bytes(data[:-1])
        empty.touch()
        void.touch()
        done = run("-f", "json", self.folder)
        self.assertEqual([s["name"] for s in json.loads(done.stdout)["input"]["sources"]],
                         [str(path) for path in (a, other, shorter, empty, void)])
        self.assertEqual(done.stderr.decode(),
                         f"nccl-analyze: warning: {b} is left out: it holds the same bytes as {a}\n")
        self.assertEqual(self.source_names(b, a), [str(a)])  # the order of the arguments plays no part
        self.assertEqual(run("-q", a, b).stderr, b"")

    def test_twin_hosts_have_equal_documents(self):
        ports = b"mlx5_0 port 1 ==> ib0 (Up)\n"
        for host in ("a-0", "b-0"):
            (self.folder / host).mkdir()
            (self.folder / host / "ports.txt").write_bytes(ports)
            (self.folder / host / "log").write_text(f"{host}:1:1 [0] NCCL INFO Using network IB\n")
        made = report(self.folder)
        self.assertEqual([machine["host"] for machine in made["machines"]], [0, 1])

    def test_large_files_that_differ_at_the_end_are_both_read(self):
        for name, end in (("a", b"1"), ("b", b"2"), ("c", b"1")):
            (self.folder / name).write_bytes(b"x\n" * 100_000 + end)
        self.assertEqual(self.source_names(self.folder), [f"{self.folder}/a", f"{self.folder}/b"])

    def test_order_of_paths_changes_no_fact(self):
        logs = sorted(JOBS.glob("*/input.log"))[:6]
        def facts(paths):
            found = report(*paths)
            return (sorted(json.dumps(s, sort_keys=True) for s in found["input"]["sources"]),
                    found["input"]["versions"], found["input"]["coverage"],
                    sorted(c["comm_id"] or "" for c in found["communicators"]),
                    sorted((f["rule"], f["severity"]) for f in found["findings"]))
        self.assertEqual(facts(logs), facts(logs[::-1]))

    def test_devices(self):
        self.assert_one_line(run("/dev/zero"), "/dev/zero", "device")
        done = run("/dev/zero", self.broken)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.source_names("/dev/null"), ["/dev/null"])
        self.assertEqual(self.source_names("/dev/stdin", data=b"x\n"), ["/dev/stdin"])
        (self.folder / "zero.log").symlink_to("/dev/zero")
        self.assert_one_line(run(self.folder), "no file to read")
        self.assert_one_line(run(self.folder / "zero.log"), "zero.log", "device")

    def test_process_substitution(self):
        read, write = os.pipe()
        os.write(write, b"w:1:1 [0] NCCL INFO cudaDriverVersion 12040\n")
        os.close(write)
        done = run("-f", "json", f"/dev/fd/{read}", pass_fds=[read])
        os.close(read)
        self.assertEqual(json.loads(done.stdout)["input"]["nccl_lines"], 1)

    def test_broken_link_is_named(self):
        (self.folder / "a.log").write_bytes(self.broken.read_bytes())
        (self.folder / "gone.log").symlink_to("nowhere")
        done = run(self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"gone.log: No such file", done.stderr)

    def test_many_files(self):
        for i in range(3000):
            (self.folder / f"w-{i:04}.log").write_text(f"w:{i:04}:1 [0] NCCL INFO cudaDriverVersion 12040\n")
        found = report(self.folder)["input"]
        self.assertEqual((len(found["sources"]), found["nccl_lines"]), (3000, 3000))
