"""`kubectl nccl-analyze`: collects logs of pods with the real kubectl."""
import json
import os
import signal
import stat
import subprocess

import program
from api_server import Container, Pod, event
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
                         ["kubectl_get_pods.json", "llama-0-x7k2p", "llama-1-x7k2p"])
        self.assertEqual([path.name for path in (self.save / "llama-0-x7k2p").iterdir()], ["trainer.log"])

    def test_all_namespaces(self):
        pods = job(2)
        pods[1].namespace, pods[1].name = "other", pods[0].name
        self.serve(*pods)
        done = self.plugin("job/llama", "-A", "--save", self.save)
        self.assertIn("2 logs of 2 pods", done.stderr)
        self.assertTrue((self.save / "ml/llama-0-x7k2p/trainer.log").exists())
        self.assertTrue((self.save / "other/llama-0-x7k2p/trainer.log").exists())

    def test_options_behind_two_dashes_and_exit_status(self):
        self.serve(*job(2))
        output = self.folder / "report.html"
        done = self.plugin("job/llama", "--", "-f", "html", "-o", "report.html", "--fail-on", "info", cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn("llama-0-x7k2p/trainer.log", output.read_text())

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
        self.assertEqual(done.stderr, "kubectl nccl-analyze: 2 logs of 2 pods; 2 pods without: llama-2-x7k2p "
                                      "(ImagePullBackOff), llama-3-x7k2p (Pending: Unschedulable)\n")

    def test_nothing_to_collect_is_one_line(self):
        self.serve(Pod("llama-0", [Container(waiting="ContainerCreating")], LABELS))
        self.assert_plugin_fails(["job/llama"], "llama-0 (ContainerCreating)", "kubectl describe pod")
        self.assert_plugin_fails(["job/nothing"], "no pod matches job/nothing", "kubectl get pods")

    def test_wrong_command_lines(self):
        self.serve()
        for arguments, words in [(["--previous"], "name the pods"), (["deploy/a"], "kind deploy/ is unknown"),
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


class Broken(ClusterCase):
    def lines(self, count):
        return [(stamp(i // 3), f"line {i}\n") for i in range(count)]  # three lines share a time stamp

    def test_cut_streams_are_read_on_without_doubling_lines(self):
        pods = job(9)
        for i, pod in enumerate(pods):
            pod.containers[0].lines = self.lines(200)
            pod.containers[0].cuts = [100 + 37 * i] if i % 2 else [3000, 50]
        self.serve(*pods)
        done = self.plugin("job/llama", "--save", self.save)
        self.assertNotIn("not read to the end", done.stderr)
        for pod in pods:
            self.assertEqual(self.texts(f"{pod.name}/trainer.log"), [text for _, text in self.lines(200)])

    def test_words_of_kubectl_in_a_log_are_lines(self):
        lines = [(stamp(0), "one\n"), (stamp(1), "error: unexpected EOF\n"), (stamp(2), "two\n"),
                 (stamp(3), "error: stream error: EOF\n")]
        pods = job(9)
        for pod in pods:
            pod.containers[0].lines = lines
        self.serve(*pods)
        self.plugin("job/llama", "--save", self.save)
        for pod in pods:
            self.assertEqual(self.texts(f"{pod.name}/trainer.log"), [text for _, text in lines])

    def test_log_without_a_newline_at_its_end(self):
        pods = job(9)
        for pod in pods:
            pod.containers[0].lines = [(stamp(0), "one\n"), (stamp(1), "half a line")]
        self.serve(*pods)
        self.plugin("job/llama", "--save", self.save)
        for pod in pods:
            self.assertEqual("".join(self.texts(f"{pod.name}/trainer.log")).rstrip("\n"), "one\nhalf a line")

    def test_refused_requests_are_tried_again(self):
        pods = job(9)
        pods[3].containers[0].refuse = 2
        self.serve(*pods)
        done = self.plugin("job/llama", "--save", self.save)
        self.assertIn("9 logs of 9 pods", done.stderr)
        self.assertEqual(len(self.texts(pods[3].name + "/trainer.log")), 5)

    def test_what_cannot_be_read_is_named(self):
        pods = job(2)
        pods[1].containers[0].refuse = 1000
        self.serve(*pods)
        done = self.plugin("job/llama", "--", "--fail-on", "never")
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 log of 1 pod; 1 pod without: llama-1-x7k2p (", done.stderr)
        self.assertIn("unable to handle the request", done.stderr)

    def test_rotated_log(self):
        """The log is rotated after the answer was cut: the lines between are lost, and this is said."""
        pods = job(1)
        container = pods[0].containers[0]
        container.lines = self.lines(200)
        container.cuts = [3000]
        api = self.serve(*pods)
        rotated = self.lines(400)[300:]
        original = api.requests

        class Watching(list):
            def append(self, path):
                original.append(path)
                if "sinceTime" in path:
                    container.lines = rotated
        api.requests = Watching()
        done = self.plugin("llama", "--save", self.save)
        self.assertIn("lines may be missing, because the log was rotated while it was read: llama-0-x7k2p/trainer",
                      done.stderr)
        texts = self.texts("llama-0-x7k2p/trainer.log")
        self.assertEqual(texts[-100:], [text for _, text in rotated])
        self.assertEqual(len(set(texts)), len(texts))

    def test_very_long_line(self):
        pods = job(1)
        long = "x" * (3 << 20)
        pods[0].containers[0].lines = [(stamp(0), "one\n"), (stamp(1), long + "\n"), (stamp(2), "two\n")]
        self.serve(*pods)
        self.plugin("llama", "--save", self.save)
        self.assertEqual(self.texts("llama-0-x7k2p/trainer.log"), ["one\n", long + "\n", "two\n"])

    def test_interrupt_reports_on_what_was_read(self):
        pods = job(2)
        pods[1].containers[0].running = True
        api = self.serve(*pods)
        pods[1].containers[0].refuse = 1000
        process = subprocess.Popen(self.command("job/llama", "--", "-f", "json"), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.environment(), text=True)
        self.assertTrue(program.wait_until(lambda: api.count("/log?") >= 3))
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(len(json.loads(output)["processes"]), 1, errors)
        self.assertIn("interrupted: the report is on what was read so far", errors)
        self.assertEqual(self.names(), [".kube", "kube config"])


class Pods(ClusterCase):
    """What Kubernetes says about the pods is evidence."""

    def vanished(self, **options):
        """A job whose rank 1 stops in the middle, and its pod."""
        pods = job(3)
        for rank, pod in enumerate(pods):
            pod.containers[0].lines = job_lines(rank, 3, pod.name, complete=False)
        pods[1].containers[0] = Container(lines=pods[1].containers[0].lines[:-1], **options)
        return pods

    def test_container_that_was_killed_for_memory_is_the_root(self):
        pods = self.vanished(state={"exitCode": 137, "reason": "OOMKilled", "finishedAt": "2026-01-31T10:05:00Z"})
        self.serve(*pods)
        root = self.report("job/llama")[0]["findings"][0]
        self.assertEqual(root["rule"], "NCA901")
        self.assertIn("llama-1-x7k2p", root["message"])
        self.assertEqual({suspect["pod"] for suspect in root["suspects"]}, {"llama-1-x7k2p"})

    def test_evicted_pod(self):
        pods = self.vanished(state={"exitCode": 143, "reason": "Error"})
        self.serve(*pods, events=[event(pods[1].name, "Evicted", "The node was low on resource: memory.")])
        root = self.report("job/llama")[0]["findings"][0]
        self.assertEqual(root["rule"], "NCA901")
        self.assertIn("Pod llama-1-x7k2p was taken down: Evicted: The node was low on resource: memory",
                      root["message"])

    def test_pod_that_was_not_scheduled(self):
        pods = self.vanished()
        pods[1] = Pod(pods[1].name, labels=pods[1].labels, phase="Pending")
        self.serve(*pods, events=[event(pods[1].name, "FailedScheduling", "0/4 nodes are available.")])
        root = self.report("job/llama")[0]["findings"][0]
        self.assertEqual(root["rule"], "NCA901")
        self.assertIn("llama-1-x7k2p was not started: FailedScheduling", root["message"])


class Untrusted(ClusterCase):
    def test_names_are_neither_paths_nor_options_nor_commands(self):
        mark = self.folder / "mark"
        evil = ["../../escaped", "--kubeconfig=/etc/passwd", f"$(touch {mark})", f"a;touch {mark}", "\x1b[31mred",
                "a/b", "..", "a b", "a\nb", "", ".hidden", "x" * 300]
        pods = job(1)
        for i, name in enumerate(evil):
            pods.append(Pod(name, labels=LABELS))
            pods.append(Pod(f"pod-{i}", [Container(name)], LABELS))
            pods.append(Pod(f"nowhere-{i}", labels=LABELS, namespace=name))
            pods.append(Pod(f"label-{i}", [Container(lines=[(stamp(0), "line\n")])], {**LABELS, "x": name}))
        self.serve(*pods)
        done = self.plugin("job/llama", "-A", "--save", self.save)
        self.assertIn("left out, because no pod can have such a name: ", done.stderr)
        self.assertNotIn("\x1b", done.stderr + done.stdout)
        self.assertEqual(self.names(), [".kube", "kube config", "saved"])
        self.assertEqual(sorted(path.name for path in (self.save / "ml").iterdir()),
                         sorted(["llama-0-x7k2p"] + [f"label-{i}" for i in range(len(evil))]))
        self.assertFalse(mark.exists())

    def test_query_and_selector_reach_kubectl_as_they_are(self):
        mark = self.folder / "mark"
        self.serve(*job(1))
        for arguments in ([f"$(touch {mark})"], [f"x;touch {mark}"], ["x", "-l", f"a=b;touch {mark}"],
                          ["x", "--since", f"1h;touch {mark}"]):
            self.assertEqual(self.plugin(*arguments).returncode, 2)
        self.assertFalse(mark.exists())

    def test_secrets_of_pods_are_not_kept(self):
        pods = job(1)
        pods[0].env = [{"name": "TOKEN", "value": "hunter2"}]
        self.serve(*pods, events=[event("llama-0-x7k2p", "BackOff", "back-off"), event("other", "BackOff", "of another")])
        self.plugin("job/llama", "--save", self.save)
        kept = self.saved("kubectl_get_pods.json") + self.saved("kubectl_get_events.json")
        self.assertIn("back-off", kept)
        for secret in ("hunter2", "secret", "of another"):
            self.assertNotIn(secret, kept)


class Follow(ClusterCase):
    def begin(self, *arguments):
        errors = open(self.folder / "errors", "w+")
        self.addCleanup(errors.close)
        process = subprocess.Popen(self.command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=errors, env=self.environment(), text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def shown(self):
        return (self.folder / "errors").read_text()

    def wait_for(self, words):
        self.assertTrue(program.wait_until(lambda: words in self.shown(), 60), self.shown())

    def test_follows_new_pods_and_cut_streams_to_the_end(self):
        pods = job(3, running=True)
        late = pods.pop()
        first, second = (pod.containers[0] for pod in pods)
        done = [container.lines.pop() for container in (first, second)]
        second.cuts = [250]
        api = self.serve(*pods)
        process = self.begin("job/llama", "--follow", "--save", self.save, "--", "-f", "json", "--fail-on", "never")
        self.wait_for("2 of 3 ranks started")
        api.change(lambda: api.pods.append(late))
        self.wait_for("3 of 3 ranks started")
        api.change(lambda: (first.lines.append(done[0]), second.lines.append(done[1])))
        self.wait_for("all 3 ranks complete")

        def finish():
            for pod in api.pods:
                pod.containers[0].running = False
        api.change(finish)
        report = json.loads(process.communicate(timeout=90)[0])
        self.assertEqual(process.returncode, 0, self.shown())
        self.assertEqual(len(report["communicators"][0]["ranks"]), 3)
        for rank in range(3):
            self.assertEqual(len(self.texts(f"llama-{rank}-x7k2p/trainer.log")), 5)

    def test_interrupt_ends_with_the_report(self):
        self.serve(*job(2, running=True))
        process = self.begin("job/llama", "-f", "--", "-f", "json", "--fail-on", "never")
        self.wait_for("all 2 ranks complete")
        process.send_signal(signal.SIGINT)
        report = json.loads(process.communicate(timeout=60)[0])
        self.assertEqual(len(report["communicators"][0]["ranks"]), 2)
        self.assertEqual(process.returncode, 0)

    def test_states_of_pods_are_in_the_report(self):
        pods = job(2)
        pods[1].containers[0].lines.pop()
        pods[1].containers[0].state = {"exitCode": 137, "reason": "OOMKilled"}
        self.serve(*pods)
        process = self.begin("job/llama", "-f", "--", "-f", "json", "--fail-on", "never")
        report = json.loads(process.communicate(timeout=90)[0])
        self.assertEqual(report["findings"][0]["rule"], "NCA901", self.shown())
        self.assertIn(pods[1].name, report["findings"][0]["message"])

    def test_too_many_containers(self):
        self.serve(*job(3, running=True))
        done = self.plugin("job/llama", "-f", "--max-log-requests", "2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("more than 2 containers match", done.stderr)


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
