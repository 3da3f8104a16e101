"""The base of the tests of the plugin: the real kubectl, the API server of the tests and a job."""
import json
import os
import pathlib
import shutil
import subprocess

import program
from api_server import ApiServer, Container, Pod

KUBECTL = shutil.which("kubectl")
LABELS = {"job-name": "llama", "batch.kubernetes.io/job-name": "llama"}  # of the pods of the Job llama
PLUGIN = pathlib.Path(program.BINARY).parent / "kubectl-nccl_analyze"


def stamp(number):
    """The time of a line of a log."""
    return f"2026-01-31T10:{number // 60 % 60:02}:{number % 60:02}.{number % 1000 * 1000000:09}Z"


def job_lines(rank, ranks, host, complete=True):
    """What one rank of a job prints, of one GPU per pod."""
    begin = f"{host}:{100 + rank}:{100 + rank} [0] NCCL INFO "
    comm = f"ncclCommInitRankConfig comm 0x55e{rank:09x} rank {rank} nranks {ranks} cudaDev 0 nvmlDev 0 busId 101c0 " \
           "commId 0xdfd3b53b69a15a72 - Init "
    texts = [f"Bootstrap: Using eth0:10.0.{rank // 250}.{rank % 250 + 1}<0>", "NCCL version 2.27.3+cuda12.4",
             "Using network Socket", comm + "START", comm + "COMPLETE"]
    return [(stamp(i), begin + text + "\n") for i, text in enumerate(texts if complete else texts[:-1])]


def job(ranks, name="llama", **options):
    """The pods of an indexed Job."""
    return [Pod(f"{name}-{rank}-x7k2p", [Container(lines=job_lines(rank, ranks, f"{name}-{rank}"), **options)],
                {"job-name": name, "batch.kubernetes.io/job-name": name,
                 "batch.kubernetes.io/job-completion-index": str(rank)}) for rank in range(ranks)]


class ClusterCase(program.Case):
    def setUp(self):
        super().setUp()
        if KUBECTL is None:
            self.fail("kubectl is missing: .ci/setup test installs it")
        self.kubeconfig = self.folder / "kube config"  # with a blank, as a user may have it
        self.save = self.folder / "saved"

    def serve(self, *pods, events=(), **options):
        api = ApiServer(pods, events, **options)
        self.addCleanup(api.close)
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "clusters": [{"name": "test", "cluster": {"server": api.address}}],
            "users": [{"name": "test", "user": {}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test", "namespace": "ml"}}]}))
        return api

    def environment(self):
        return {**os.environ, "HOME": str(self.folder), "TMPDIR": str(self.folder), "KUBECONFIG": ""}

    def command(self, *arguments):
        first, *rest = map(str, arguments)
        return [str(PLUGIN), first, f"--kubeconfig={self.kubeconfig}", *rest]

    def plugin(self, *arguments, **options):
        return subprocess.run(self.command(*arguments), stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                              text=True, env=self.environment(), **options)

    def report(self, *arguments):
        done = self.plugin(*arguments, "--", "-f", "json", "--fail-on", "never")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), done.stderr

    def saved(self, name):
        return (self.save / name).read_text()

    def texts(self, name):
        """The texts of a saved log without prefix and time."""
        return [line.split(" ", 2)[2] for line in self.saved(name).splitlines(keepends=True)]
