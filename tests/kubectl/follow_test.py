"""`kubectl nccl-analyze --follow`."""
import json
import signal
import subprocess

import program
from cluster import ClusterCase, job


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
