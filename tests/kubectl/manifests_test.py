"""The manifests of examples/kubernetes, the script in them, the archive for krew and the completion."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile

import program
from cluster import ClusterCase, KUBECTL, PLUGIN, job

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples/kubernetes"
NODE = ROOT / "examples/node"


class ManifestCase(ClusterCase):
    def kubectl(self, *arguments):
        return subprocess.run([KUBECTL, f"--kubeconfig={self.kubeconfig}", *map(str, arguments)], capture_output=True,
                              text=True, timeout=120, env=self.environment())

    def objects(self, name):
        """The objects of a manifest by kind, as kubectl reads them."""
        rest = self.kubectl("create", "--dry-run=client", "--validate=false", "-o", "json", "-f",
                            EXAMPLES / name).stdout
        found = {}
        while rest := rest.lstrip():
            one, end = json.JSONDecoder().raw_decode(rest)
            found[one["kind"]], rest = one, rest[end:]
        return found


class Manifests(ManifestCase):
    def test_every_manifest_is_accepted(self):
        self.serve()
        done = self.kubectl("apply", "--dry-run=client", "--validate=false", "-f", EXAMPLES)
        self.assertEqual(done.returncode, 0, done.stderr)
        kinds = re.findall(r"^(\S+)/\S+ created \(dry run\)$", done.stdout, re.M)
        self.assertEqual(sorted(kinds), ["configmap", "job.batch", "job.batch",
                                         "role.rbac.authorization.k8s.io", "rolebinding.rbac.authorization.k8s.io",
                                         "serviceaccount"])

    def test_the_sidecar_leaves_a_termination_message(self):
        """The script of the ConfigMap runs with folders of the test instead of those of the pod."""
        self.serve()
        script = self.objects("job.yaml")["ConfigMap"]["data"]["watch.sh"]
        logs, message = self.folder / "nccl", self.folder / "message"
        logs.mkdir()
        shutil.copy(self.broken, logs / "worker-0.152.log")
        script = script.replace("/dev/termination-log", str(message)).replace("/nccl", str(logs))
        environment = {**os.environ, "PATH": f"{PLUGIN.parent}:{os.environ['PATH']}"}
        process = subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE, env=environment,
                                   start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        self.assertTrue(program.wait_until(lambda: children.read_text().strip()))
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn(program.FINDING, output.decode())
        self.assertEqual(json.loads(message.read_text())["root"]["rule"], "NCA301")

    def test_rights_of_the_role_suffice(self):
        """The requests of a run, as the rules of an RBAC role name them, are in the role of the example."""
        api = self.serve(*job(9))
        self.plugin("job/llama", "-n", "ml")
        used = set()
        for path in api.requests:
            if found := re.match(r"/api/v1/namespaces/ml/(pods|events)(/[^/?]+)?(/log)?(?:\?|$)", path):
                resource = found[1] + (found[3] or "")
                used.add((resource, "get" if found[2] else "list"))
        given = {(resource, verb) for rule in self.objects("rbac.yaml")["Role"]["rules"]
                 for resource in rule["resources"] for verb in rule["verbs"]}
        self.assertEqual(used, {("pods", "list"), ("pods/log", "get"), ("events", "list")})
        self.assertLessEqual(used, given)


class NodeSummaries(ManifestCase):
    """The DaemonSet of examples/node. tests/engines/node_test.py runs its command."""

    def test_manifests(self):
        self.serve()
        text = self.kubectl("kustomize", NODE).stdout
        path = self.folder / "node.yaml"
        path.write_text(text)
        done = self.kubectl("apply", "--dry-run=client", "--validate=false", "-f", path)
        self.assertRegex(done.stdout, r"^configmap/nccl-node-\w+ created \(dry run\)\ndaemonset.apps/nccl-node created", done.stderr)
        found = self.objects(path)
        self.assertEqual(found["ConfigMap"]["data"], {"nccl-node.sh": (NODE / "nccl-node.sh").read_text()})
        pod = found["DaemonSet"]["spec"]["template"]["spec"]
        container, = pod["containers"]
        self.assertEqual(container["securityContext"], {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "runAsUser": 0,
            "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}})
        self.assertFalse({"hostPID", "hostIPC", "hostNetwork"} & set(pod))
        self.assertFalse(pod["automountServiceAccountToken"])
        self.assertEqual([volume["hostPath"]["path"] for volume in pod["volumes"] if "hostPath" in volume], ["/var/log/nccl"])
        self.assertEqual(pod["volumes"][-1]["configMap"]["name"], found["ConfigMap"]["metadata"]["name"])
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        self.assertEqual(mounted, {volume["name"] for volume in pod["volumes"]})
        used = {variable["name"] for variable in container["env"]}
        self.assertLessEqual(used, set(re.findall(r"NCCL_\w+", (NODE / "nccl-node.sh").read_text())))
        self.assertEqual(set(container["resources"]["limits"]), {"cpu", "memory"})


class Krew(ClusterCase):
    def test_archive_and_manifest(self):
        done = subprocess.run(["cmake", f"-DPROGRAMS={PLUGIN.parent}", f"-DSOURCE={ROOT}", f"-DTO={self.folder}",
                               "-Dversion=1.2.3", "-Darch=amd64", "-Dhome=example.com/nccl-analyze", "-P",
                               ROOT / "cmake/krew.cmake"], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        manifest = (self.folder / "nccl-analyze.yaml").read_text()
        archive = self.folder / "kubectl-nccl_analyze-v1.2.3-linux-amd64.tar.gz"
        self.assertIn(f"sha256: {hashlib.sha256(archive.read_bytes()).hexdigest()}\n", manifest)
        self.assertIn("apiVersion: krew.googlecontainertools.github.com/v1alpha2\n", manifest)
        self.assertIn(f"/v1.2.3/{archive.name}\n", manifest)
        self.assertNotIn("@", manifest)
        self.assertLessEqual(len(re.search(r"shortDescription: (.*)", manifest)[1]), 50)
        self.assertLessEqual(max(map(len, re.search(r"description: \|\n((?:    .*\n)+)", manifest)[1].splitlines())),
                             84)  # 80 and the indent
        with tarfile.open(archive) as packed:
            names = sorted(packed.getnames())
            self.assertEqual(names, ["LICENSE", "kubectl-nccl_analyze", "nccl-analyze"])
            packed.extractall(self.folder / "store")
        self.assertEqual(sorted(re.findall(r"from: (\S+)", manifest)), names)
        environment = {**os.environ, "PATH": f"{self.folder / 'store'}:{os.environ['PATH']}"}
        done = subprocess.run([KUBECTL, "nccl-analyze", "--version"], capture_output=True, text=True, env=environment,
                              timeout=60)
        self.assertEqual((done.returncode, done.stdout.split()[0]), (0, "kubectl-nccl_analyze"), done.stderr)


class Completion(ClusterCase):
    def complete(self, *words):
        path = f"{pathlib.Path(KUBECTL).parent}:{os.environ['PATH']}"
        done = subprocess.run([ROOT / "cli/kubectl/kubectl_complete-nccl_analyze", *words], capture_output=True,
                              text=True, timeout=60,
                              env={**self.environment(), "KUBECONFIG": str(self.kubeconfig), "PATH": path})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        *candidates, directive = done.stdout.splitlines()
        return candidates, directive

    def test_candidates(self):
        self.serve(*job(2))
        kinds = ["pod/", "job/", "jobset/", "mpijob/", "pytorchjob/", "deployment/", "statefulset/", "daemonset/", "lws/",
                 "rayjob/", "raycluster/", "trainjob/"]
        self.assertEqual(self.complete(""), ([*kinds, "llama-0-x7k2p", "llama-1-x7k2p"], ":4"))
        self.assertEqual(self.complete("pod/"), (["pod/llama-0-x7k2p", "pod/llama-1-x7k2p"], ":4"))
        self.assertEqual(self.complete("job/llama", "--context", ""), (["test"], ":4"))
        self.assertEqual(self.complete("job/llama", "--save", ""), ([], ":0"))
        self.assertEqual(self.complete("job/llama", "--", "-o", ""), ([], ":0"))

    def test_every_option_is_a_candidate(self):
        self.serve()
        shown = subprocess.run([PLUGIN, "--help"], capture_output=True, text=True, timeout=60).stdout
        self.assertEqual(sorted(self.complete("-")[0]),
                         sorted(set(re.findall(r"--[a-z][a-z-]+", shown.split("Examples:")[0]))))
