"""examples/slurm on a cluster of real daemons: each node summarises its logs, and the merged report names the nodes
whose logs are missing."""
import json
import subprocess
import sys

import program
from engine import HOSTS, Engine
from slurm_cluster import Cluster, wait_until

TRAINING = """#!/bin/sh
# Prints what the ranks of this node would log into the file of NCCL_DEBUG_FILE.
[ "$SLURM_LOCALID" = 0 ] || exit 0
[ "$SILENT" != "$SLURMD_NODENAME" ] || exit 0
name=$(echo "$NCCL_DEBUG_FILE" | sed "s/%h/$SLURMD_NODENAME/; s/%p/1000/")
cat "{folder}/logs/$SLURMD_NODENAME.log" >"$name"
if [ "$DIES" = "$SLURMD_NODENAME" ]; then kill -9 "$(cat "{folder}/$DIES.pid")" "$PPID" $$; fi
"""


class Slurm(Engine):
    @classmethod
    def setUpClass(cls):
        print(subprocess.run(["slurmctld", "-V"], capture_output=True, text=True, check=True).stdout.strip(),
              subprocess.run(["munged", "--version"], capture_output=True, text=True, check=True).stdout.split()[0],
              file=sys.stderr)

    def setUp(self):
        super().setUp()
        training = self.folder / "training.sh"
        training.write_text(TRAINING.format(folder=self.folder))
        training.chmod(0o755)
        self.training = training

    def start(self, more="", **settings):
        cluster = Cluster(self.folder, HOSTS, more)
        cluster.configure(program.BINARY, **settings)
        self.addCleanup(cluster.stop)
        cluster.start()
        return cluster

    def check(self, engine, cluster, job, step):
        """The merged report of a step is the report of one process on the logs of all nodes."""
        expected = ("--expect", "hosts=worker-[0-3]")
        merged = cluster.run(program.BINARY, "merge", *expected, f"shared/{job}/{step}").stdout
        self.assertEqual(merged, self.report_on(*expected, *sorted(self.folder.glob(f"local/*/nccl.{job}/{step}"))))
        self.assertIn("Acceptance: 4 of 4 nodes pass", merged)
        self.assert_same_checksum(engine, f"shared/{job}/{step}")
        for host in HOSTS:
            writer = json.loads((cluster.summaries / f"{job}/{step}/{host}.sum").read_text().splitlines()[1])["writer"]
            self.assertEqual((writer["job"], writer["step"], writer["node"]), (job, str(step), host))
        return merged

    def test_a_job_reads_its_own_logs(self):
        cluster = self.start()
        with self.subTest("healthy: the report is that of one process"):
            job = cluster.submit("scripts/job.sh", self.training)
            printed = cluster.wait(job)
            self.assertIn("job " + job + ", step 0: worker-[0-3]", printed)
            self.assertIn("Acceptance: 4 of 4 nodes pass", printed)
            self.assertEqual(cluster.report(job).stdout, self.check("Slurm", cluster, job, 0))
        with self.subTest("a node without logs is named"):
            job = cluster.submit("scripts/job.sh", self.training, options=["--export=ALL,SILENT=worker-2"])
            self.assertIn("worker-2: no log in this input", cluster.wait(job))
        with self.subTest("a node that dies is named, and the logs of the others are read"):
            job = cluster.submit("scripts/job.sh", self.training, options=["--export=ALL,DIES=worker-3"])
            printed = cluster.wait(job)
            self.assertIn("Acceptance: 3 of 4 nodes pass", printed)
            self.assertIn("worker-3: no log in this input", printed)

    def test_two_steps_at_once_have_a_report_each(self):
        cluster = self.start("Epilog={folder}/scripts/epilog.sh\nTaskProlog={folder}/scripts/task_prolog.sh")
        both = self.folder / "both.sh"
        step = f"srun --exact --ntasks=4 --ntasks-per-node=1 {self.training}"
        both.write_text(f"#!/bin/sh\n{step} &\n{step} &\nwait\n")
        job = cluster.submit(both)
        cluster.wait(job)
        report = cluster.report(job)
        for step in ("0", "1"):
            self.assertIn(f"job {job}, step {step}: worker-[0-3]", report.stderr)
        both = [self.check(f"Slurm's epilog, step {step}", cluster, job, step) for step in (0, 1)]
        self.assertEqual(report.stdout, "".join(both))
        self.never_drains(cluster)

    def never_drains(self, cluster):
        """Whatever fails in the epilog, the node goes on."""
        hangs = self.folder / "hangs"
        hangs.write_text("#!/bin/sh\ntrap '' TERM\nsleep 600\n")
        hangs.chmod(0o755)
        for what, act in (("the program fails", lambda: cluster.configure("/bin/false")),
                          ("there is no program", lambda: cluster.configure("/no/such/program")),
                          ("the program hangs", lambda: cluster.configure(hangs, seconds=1)),
                          ("the settings are no shell", lambda: self.settings(cluster).write_text("seconds='")),
                          ("there are no settings", lambda: self.settings(cluster).unlink())):
            with self.subTest(what):
                act()
                cluster.wait(cluster.submit("--wrap", f"srun {self.training}", nodes=1))
                self.assertTrue(wait_until(lambda: cluster.states() == {node: "idle" for node in HOSTS}, 60),
                                cluster.states())

    @staticmethod
    def settings(cluster):
        return cluster.folder / "scripts/nccl.conf"
