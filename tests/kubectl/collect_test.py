"""`kubectl nccl-analyze` collects logs of pods with the real kubectl."""
import json
import os
import stat
import subprocess

from api_server import Container, Pod, Workload
from cluster import ClusterCase, KUBECTL, LABELS, PLUGIN, job, job_lines, stamp


class Collect(ClusterCase):
    def test_one_pod(self):
        self.serve(*job(1))
        report, errors = self.report("llama-0")
        self.assertEqual([source["name"] for source in report["input"]["sources"] if source["nccl_lines"]],
                         ["llama-0-x7k2p/trainer.log"])
        self.assertEqual(report["processes"][0]["pod"], "llama-0-x7k2p")
        self.assertIn("1 log of 1 pod", errors)
        self.assertEqual(self.names(), [".kube", "kube config"])  # the temporary folder is gone

    def test_sixteen_pods_of_every_kind_of_workload(self):
        labels = {"job": "job-name", "jobset": "jobset.sigs.k8s.io/jobset-name",
                  "mpijob": "training.kubeflow.org/job-name", "pytorchjob": "training.kubeflow.org/job-name"}
        for kind, label in labels.items():
            with self.subTest(kind=kind):
                ranks = 16 if kind == "jobset" else 2
                pods = job(ranks)
                for pod in pods:
                    pod.labels = {label: "llama"}
                api = self.serve(*pods, Pod("other", [Container(lines=[(stamp(0), "other\n")])]))
                report, errors = self.report(f"{kind}/llama")
                self.assertEqual(report["communicators"][0]["nranks"], ranks)
                self.assertEqual(len(report["communicators"][0]["ranks"]), ranks)
                self.assertIn(f"{ranks} logs of {ranks} pods", errors)
                self.assertEqual(api.count("/log?"), ranks)

    def test_pods_are_found_by_their_owners(self):
        """Any kind: from a pod to what it belongs to, and what that belongs to."""
        apps, batch, jobset = "/apis/apps/v1", "/apis/batch/v1", "/apis/jobset.x-k8s.io/v1alpha2"
        lws, ray, train = ("/apis/leaderworkerset.x-k8s.io/v1", "/apis/ray.io/v1",
                           "/apis/trainer.kubeflow.org/v1alpha1")
        chains = {"deployment": [(apps, "deployments"), (apps, "replicasets")], "sts": [(apps, "statefulsets")],
                  "daemonset": [(apps, "daemonsets")], "job.batch.volcano.sh": [("/apis/batch.volcano.sh/v1alpha1", "jobs")],
                  "rayjob": [(ray, "rayjobs"), (ray, "rayclusters")], "raycluster": [(ray, "rayclusters")],
                  "trainjob": [(train, "trainjobs"), (jobset, "jobsets"), (batch, "jobs")]}
        for kind, chain in chains.items():
            with self.subTest(kind=kind):
                pods, workloads = job(4), []
                for number, name in enumerate(("llama", "other")):
                    owner = None
                    for path, resource in chain:
                        owner = Workload(path, resource, name, owner)
                        workloads.append(owner)
                    for pod in pods[2 * number:2 * number + 2]:
                        pod.labels, pod.owner = {}, owner
                self.serve(*pods, workloads=workloads)
                report, errors = self.report(f"{kind}/llama")
                self.assertIn("2 logs of 2 pods", errors)
                self.assertEqual([one["pod"] for one in report["processes"]], ["llama-0-x7k2p", "llama-1-x7k2p"])

    def test_workers_belong_to_their_leading_pod(self):
        pods = job(3)
        above = Workload("/apis/leaderworkerset.x-k8s.io/v1", "leaderworkersets", "llama")
        leaders = Workload("/apis/apps/v1", "statefulsets", "llama", above)
        pods[0].owner = leaders
        workers = Workload("/apis/apps/v1", "statefulsets", "llama-0", pods[0])
        pods[1].owner = pods[2].owner = workers
        self.serve(*pods, *job(1, "other"), workloads=[above, leaders, workers])
        self.assertIn("3 logs of 3 pods", self.report("lws/llama")[1])
        self.assertIn("1 log of 1 pod", self.report("pod/llama-0-x7k2p")[1])

    def test_owners_that_may_not_be_read_are_named(self):
        pods = job(2)
        above = Workload("/apis/apps/v1", "deployments", "llama")
        pods[0].owner = Workload("/apis/apps/v1", "replicasets", "llama-1", above)
        pods[1].owner = above
        self.serve(*pods, workloads=[above, pods[0].owner], forbidden=["replicasets"])
        self.assertRegex(self.report("deployment/llama")[1],
                         r"could not read ReplicaSet\.v1\.apps, so that pods which .* are missing: .*forbidden")

    def test_kinds_of_owners_have_a_limit(self):
        """Whoever makes a pod names its owners."""
        pods, target = job(2), Workload("/apis/apps/v1", "deployments", "llama")
        pods[0].owner = target
        pods[1].owner = target
        others = [Pod(f"other-{number}") for number in range(40)]
        for number, pod in enumerate(others):
            pod.owner = Workload("/apis/apps/v1", "deployments", f"other-{number}")
            pod.owner.kind = "Secret" if number == 0 else f"Kind{number}"
        self.serve(*pods, *others, workloads=[target])
        errors = self.report("deployment/llama")[1]
        self.assertIn("more than 32 kinds, of which the others were not read", errors)
        self.assertNotIn("Secret", errors)
        self.assertIn("2 logs of 2 pods", errors)

    def test_640_pods_need_few_processes(self):
        api = self.serve(*job(640), page=500)
        report, errors = self.report("job/llama")
        self.assertEqual(len(report["communicators"][0]["ranks"]), 640)
        self.assertIn("640 logs of 640 pods", errors)
        self.assertEqual(api.count("/log?"), 640)
        calls = api.count("labelSelector") - 2  # the first two list the pods, page by page
        self.assertLessEqual(calls, 12)

    def test_regular_expression_selector_and_container(self):
        pods = job(3)
        for pod in pods:
            pod.containers.append(Container("istio-proxy", [(stamp(1), "proxy\n")]))
        self.serve(*pods, *job(2, "other"))
        done = self.plugin("llama-[01]", "-l", "job-name=llama", "-c", "^trainer$", "--save", self.save)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 logs of 2 pods", done.stderr)
        self.assertEqual(sorted(path.name for path in self.save.iterdir()),
                         ["llama-0-x7k2p", "llama-1-x7k2p"])
        self.assertEqual(sorted(path.name for path in (self.save / "llama-0-x7k2p").iterdir()),
                         ["pod.json", "trainer.log"])

    def test_all_namespaces(self):
        pods = job(2)
        pods[1].namespace, pods[1].name = "other", pods[0].name
        self.serve(*pods)
        done = self.plugin("job/llama", "-A", "--save", self.save)
        self.assertIn("2 logs of 2 pods", done.stderr)
        self.assertTrue((self.save / "ml/llama-0-x7k2p/trainer.log").exists())
        self.assertTrue((self.save / "other/llama-0-x7k2p/trainer.log").exists())

    def test_options_behind_two_dashes_are_checked_first(self):
        api = self.serve(*job(2))
        for words in (["--nosuch"], ["-f", "nosuch"], ["--expect", "/nosuch"], ["--host", "("]):
            with self.subTest(words=words):
                done = self.plugin("job/llama", "--save", "new", "--", *words, cwd=self.folder)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
                self.assertIn(words[-1], done.stderr)
        self.assertEqual(api.requests, [])
        self.assertFalse((self.folder / "new").exists())

    def test_options_behind_two_dashes_and_exit_status(self):
        self.serve(*job(2))
        output = self.folder / "report.html"
        done = self.plugin("job/llama", "--", "-f", "html", "-o", "report.html", "--fail-on", "info", cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn("llama-0-x7k2p/trainer.log", output.read_text())
        self.assertRegex(output.read_text(), "made by <code>kubectl nccl-analyze [^<]*job/llama [^<]*-- "
                                             "-f html -o report.html --fail-on info</code>")

    def test_saved_logs_are_evidence_that_can_be_opened(self):
        self.serve(*job(2), Pod("llama-2", [Container(lines=[(stamp(9), "RuntimeError: boom\n")])],
                                LABELS))
        done = self.plugin("job/llama", "--save", "logs", cwd=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("logs/llama-2/trainer.log:1", done.stdout)
        self.assertIn("[pod/llama-2/trainer] ", (self.folder / "logs/llama-2/trainer.log").read_text())
        again = self.plugin("job/llama", "--save", "logs", cwd=self.folder)
        self.assertEqual((again.returncode, again.stdout), (2, ""))
        self.assertIn("the folder is not empty", again.stderr)

    def test_previous_logs_of_restarted_pods(self):
        pods = job(2)
        pods[0].containers[0].previous = [(stamp(0), "before the restart\n")]
        self.serve(*pods)
        self.plugin("job/llama", "--save", self.save)
        self.assertEqual(self.texts("llama-0-x7k2p/trainer.previous.log"), ["before the restart\n"])
        self.assertEqual(len(self.texts("llama-0-x7k2p/trainer.log")), 5)
        self.assertFalse((self.save / "llama-1-x7k2p/trainer.previous.log").exists())
        only = self.folder / "only"
        self.plugin("job/llama", "--previous", "--save", only)
        self.assertEqual([str(path.relative_to(only)) for path in only.rglob("*.log")],
                         ["llama-0-x7k2p/trainer.previous.log"])

    def test_pods_without_logs_are_named_with_the_reason(self):
        pods = job(2) + [
            Pod("llama-2-x7k2p", [Container(waiting="ImagePullBackOff")], LABELS),
            Pod("llama-3-x7k2p", labels=LABELS, phase="Pending",
                conditions=[{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}])]
        self.serve(*pods)
        done = self.plugin("job/llama", "--", "--fail-on", "never")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no NCCL line of 2 of the 4 pods in the manifests: llama-2-x7k2p, llama-3-x7k2p",
                      " ".join(done.stdout.split()))
        self.assertEqual(done.stderr, "kubectl nccl-analyze: 2 logs of 2 pods; 2 pods without: llama-2-x7k2p "
                                      "(ImagePullBackOff), llama-3-x7k2p (Pending: Unschedulable)\n")

    def test_a_pod_that_a_job_waits_for_is_evidence_by_its_name(self):
        self.serve(Pod("llama-0", [Container(lines=job_lines(0, 2, "llama-0", False), running=True)], LABELS),
                   Pod("llama-1", [Container(waiting="ImagePullBackOff")], LABELS))
        done = self.plugin("job/llama")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r'\n    llama-1/pod\.json:\d+  "reason": "ImagePullBackOff"\n')

    def test_nothing_to_collect_is_one_line(self):
        self.serve(Pod("llama-0", [Container(waiting="ContainerCreating")], LABELS))
        self.assert_plugin_fails(["job/llama"], "llama-0 (ContainerCreating)", "kubectl describe pod")
        self.assert_plugin_fails(["job/nothing"], "no pod matches job/nothing", "kubectl get pods")

    def test_wrong_command_lines(self):
        self.serve()
        for arguments, words in [(["--previous"], "name the pods"), (["nothing/a"], "could not read nothing/a"),
                                 (["deploy/a"], 'could not read deploy/a: Error from server (NotFound)'),
                                 (["--", "-a/b"], "name the pods"), (["Deploy/a"], "begins with a kind"),
                                 (["deploy/a", "-A"], "name the namespace with -n"),
                                 (["job/a", "-f", "html"], "the format stands behind --: -- -f html"),
                                 (["job/a", "more"], "more is one word too many"),
                                 (["[("], "is no regular expression"), (["job/--all"], "cannot be the name of a job"),
                                 (["job/a,b=c"], "cannot be the name of a job"), (["a", "--nonsense"], "--nonsense"),
                                 (["a", "-A", "-n", "b"], "-A and -n"), (["a", "-n", "../b"], "cannot be the name"),
                                 (["a", "-f", "-p"], "--follow and --previous")]:
            with self.subTest(arguments=arguments):
                self.assert_plugin_fails(arguments, words)

    def assert_plugin_fails(self, arguments, *words):
        done = self.plugin(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_cluster_that_cannot_be_reached(self):
        self.serve().close()
        done = self.plugin("job/llama")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("kubectl could not list the pods", done.stderr.splitlines()[-1])

    def test_help_and_version(self):
        for option in ("--help", "--version"):
            done = subprocess.run([PLUGIN, option], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("nccl", done.stdout)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
            self.assertNotIn("UINT", done.stdout)


class Commands(ClusterCase):
    def test_as_a_plugin_of_kubectl(self):
        self.serve(*job(1))
        environment = {**self.environment(), "PATH": f"{PLUGIN.parent}:{os.environ['PATH']}"}
        done = subprocess.run([KUBECTL, "nccl-analyze", "job/llama", "--kubeconfig", str(self.kubeconfig)],
                              capture_output=True, text=True, timeout=60, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 log of 1 pod", done.stderr)

    def test_kubectl_is_called_with_arrays(self):
        """A kubectl that only notes its arguments: no shell has split or joined them."""
        fake = self.folder / "bin" / "kubectl"
        fake.parent.mkdir()
        fake.write_text('#!/bin/sh\nprintf "<%s>" "$@" >>"$0.log"; echo >>"$0.log"; exec cat "$0.json"\n')
        fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
        (fake.parent / "kubectl.json").write_text(json.dumps({"items": [job(1)[0].json()]}))
        environment = {**self.environment(), "PATH": f"{fake.parent}:{os.environ['PATH']}"}
        subprocess.run([PLUGIN, "a b.*|llama", "-n", "ml", "-l", "x in (a, b)", "--context", "my context",
                        "--since", "1h"], capture_output=True, timeout=60, env=environment)
        calls = (fake.parent / "kubectl.log").read_text().splitlines()
        self.assertEqual(calls[0], "<--context=my context><get><pods><--output=json><--request-timeout=60s>"
                                   "<--namespace=ml><--selector=x in (a, b)>")
        self.assertEqual(calls[1], "<--context=my context><logs><--namespace=ml><--prefix><--timestamps><--tail=-1>"
                                   "<--ignore-errors><--all-containers><--max-log-requests=10><--since=1h>"
                                   "<llama-0-x7k2p>")
