"""`kubectl nccl-analyze` when logs are cut or rotated, and pods ended or named to deceive."""
import json
import signal
import subprocess

import program
from api_server import Container, Pod, event
from cluster import ClusterCase, LABELS, job, job_lines, stamp


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
        kept = self.saved("llama-0-x7k2p/pod.json") + self.saved("llama-0-x7k2p/events.json")
        self.assertIn("back-off", kept)
        for secret in ("hunter2", "secret", "of another"):
            self.assertNotIn(secret, kept)
