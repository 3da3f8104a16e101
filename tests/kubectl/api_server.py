"""A Kubernetes API server for the tests, as small as the real kubectl allows: pods, their logs and events, and the
workloads that they belong to."""
import http.server
import json
import re
import socket
import threading
import urllib.parse

RESOURCES = {
    "/api/v1": [("pods", "Pod", True), ("events", "Event", True), ("serviceaccounts", "ServiceAccount", True),
                ("configmaps", "ConfigMap", True)],
    "/apis/apps/v1": [("deployments", "Deployment", True), ("replicasets", "ReplicaSet", True),
                      ("statefulsets", "StatefulSet", True), ("daemonsets", "DaemonSet", True)],
    "/apis/batch/v1": [("jobs", "Job", True)],
    "/apis/batch.volcano.sh/v1alpha1": [("jobs", "Job", True)],
    "/apis/jobset.x-k8s.io/v1alpha2": [("jobsets", "JobSet", True)],
    "/apis/leaderworkerset.x-k8s.io/v1": [("leaderworkersets", "LeaderWorkerSet", True)],
    "/apis/ray.io/v1": [("rayjobs", "RayJob", True), ("rayclusters", "RayCluster", True)],
    "/apis/trainer.kubeflow.org/v1alpha1": [("trainjobs", "TrainJob", True)],
    "/apis/rbac.authorization.k8s.io/v1": [("roles", "Role", True), ("rolebindings", "RoleBinding", True)],
}


class Container:
    """A container of a pod. `lines` are pairs of a time stamp and a text; the text holds its newline."""

    def __init__(self, name="trainer", lines=(), previous=None, running=False, waiting=None, state=None, last=None):
        self.name, self.lines, self.previous = name, list(lines), previous
        self.running, self.waiting, self.state, self.last = running, waiting, state, last
        self.cuts = []  # a request is cut after so many bytes of its answer; each entry is used once
        self.refuse = 0  # so many requests are refused

    def status(self):
        if self.waiting:
            state = {"waiting": {"reason": self.waiting}}
        elif self.running:
            state = {"running": {"startedAt": "2026-01-31T10:00:00Z"}}
        else:
            state = {"terminated": self.state or {"exitCode": 0, "reason": "Completed"}}
        last = {"terminated": self.last or {"exitCode": 1, "reason": "Error"}} if self.previous is not None else {}
        return {"name": self.name, "state": state, "lastState": last, "restartCount": len(last)}


SHORT = {"leaderworkersets": ["lws"], "statefulsets": ["sts"], "deployments": ["deploy"]}


class Workload:
    """An object that owns pods or other objects. `path` is that of its group and version: `/apis/apps/v1`."""

    def __init__(self, path, resource, name, owner=None, namespace="ml"):
        self.path, self.resource, self.name, self.owner, self.namespace = path, resource, name, owner, namespace
        self.kind = next(kind for one, kind, _ in RESOURCES[path] if one == resource)
        self.version, self.uid = path.split("/", 2)[2], f"{resource}-{name}"

    def json(self):
        return {"apiVersion": self.version, "kind": self.kind, "metadata": metadata_of(self)}


def metadata_of(item):
    metadata = {"name": item.name, "namespace": item.namespace, "uid": item.uid}
    if item.owner:
        metadata["ownerReferences"] = [{"apiVersion": item.owner.version, "kind": item.owner.kind,
                                        "name": item.owner.name, "uid": item.owner.uid, "controller": True}]
    return metadata


class Pod:
    version, kind = "v1", "Pod"

    def __init__(self, name, containers=None, labels=None, namespace="ml", phase=None, conditions=(), env=(), owner=None):
        self.name, self.namespace, self.labels = name, namespace, labels or {}
        self.containers = containers if containers is not None else [Container()]
        self.phase, self.conditions, self.env = phase, list(conditions), list(env)
        self.owner, self.uid = owner, f"pod-{namespace}-{name}"

    def json(self):
        running = any(one.running for one in self.containers)
        waiting = any(one.waiting for one in self.containers)
        phase = self.phase or ("Pending" if waiting else "Running" if running else "Succeeded")
        return {"apiVersion": "v1", "kind": "Pod",
                "metadata": {**metadata_of(self), "labels": self.labels, "annotations": {"token": "secret"}},
                "spec": {"nodeName": "node-1",
                         "containers": [{"name": one.name, "image": "trainer", "env": self.env}
                                        for one in self.containers]},
                "status": {"phase": phase, "conditions": self.conditions,
                           "containerStatuses": [one.status() for one in self.containers
                                                 if phase != "Pending" or one.waiting]}}


def event(pod, reason, message, kind="Pod", namespace="ml"):
    return {"apiVersion": "v1", "kind": "Event", "metadata": {"name": f"{pod}.1", "namespace": namespace},
            "involvedObject": {"kind": kind, "name": pod, "namespace": namespace}, "reason": reason,
            "message": message, "type": "Warning", "count": 3, "lastTimestamp": "2026-01-31T10:05:00Z"}


def selects(selector, labels):
    """Whether a selector of the forms `a=b` and `a in (b,c)` selects the labels."""
    for part in re.findall(r"[^,(]+ in \([^)]*\)|[^,]+", selector):
        if found := re.fullmatch(r"\s*(\S+) in \((.*)\)", part):
            if labels.get(found[1]) not in found[2].split(","):
                return False
        elif "=" in part:
            key, value = re.split("==?", part)
            if labels.get(key) != value:
                return False
    return True


class ApiServer:
    def __init__(self, pods=(), events=(), page=500, workloads=(), forbidden=()):
        self.pods, self.events, self.page = list(pods), list(events), page
        self.workloads, self.forbidden = list(workloads), forbidden
        self.changed = threading.Condition()
        self.requests = []  # of paths with their queries
        self.closed = False
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        self.server.daemon_threads = True
        self.server.request_queue_size = 64
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self):
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        self.server.shutdown()
        self.server.server_close()

    def change(self, what):
        """Calls `what()` and wakes the requests that follow logs."""
        with self.changed:
            what()
            self.changed.notify_all()

    def count(self, part):
        return sum(part in path for path in list(self.requests))


def seconds(stamp):
    return stamp[:19]


def handler_of(api):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            api.requests.append(self.path)
            url = urllib.parse.urlsplit(self.path)
            query = {key: values[0] for key, values in urllib.parse.parse_qs(url.query).items()}
            if url.path in ("/api", "/apis") or url.path in RESOURCES:
                return self.answer(discovery(url.path))
            found = re.fullmatch(r"/api/v1(?:/namespaces/([^/]+))?/(pods|events)(?:/([^/]+)(/log)?)?", url.path)
            if not found:
                return self.workload(url.path, query)
            namespace, kind, name, log = found.groups()
            if kind == "events":
                return self.list("EventList", [one for one in api.events
                                               if namespace in (None, one["metadata"]["namespace"])], query)
            with api.changed:
                pods = [pod for pod in api.pods if namespace in (None, pod.namespace)]
            if name is None:
                only = query.get("fieldSelector", "").removeprefix("metadata.name=")
                return self.list("PodList", [pod.json() for pod in pods
                                             if selects(query.get("labelSelector", ""), pod.labels)
                                             and only in ("", pod.name)], query)
            pod = next((pod for pod in pods if pod.name == name), None)
            if pod is None:
                return self.fail(404, "NotFound", f'pods "{name}" not found')
            return self.log(pod, query) if log else self.answer(pod.json())

        def workload(self, path, query):
            found = re.fullmatch(r"(/apis/.+)/namespaces/([^/]+)/([^/]+)(?:/([^/]+))?", path)
            if not found:
                return self.fail(404, "NotFound", f"{path} not found")
            group, namespace, resource, name = found.groups()
            if resource in api.forbidden:
                return self.fail(403, "Forbidden", f"{resource} is forbidden")
            all_of_kind = [one.json() for one in api.workloads
                           if (one.path, one.resource, one.namespace) == (group, resource, namespace)]
            if name is None:
                return self.list("List", all_of_kind, query)
            item = next((one for one in all_of_kind if one["metadata"]["name"] == name), None)
            return self.answer(item) if item else self.fail(404, "NotFound", f'{resource} "{name}" not found')

        def answer(self, value, status=200):
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def fail(self, status, reason, message):
            self.answer({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message,
                         "reason": reason, "code": status}, status)

        def list(self, kind, items, query):
            limit = min(int(query.get("limit", 0)) or len(items), api.page)
            start = int(query.get("continue", 0) or 0)
            metadata = {"continue": str(start + limit)} if start + limit < len(items) else {}
            self.answer({"apiVersion": "v1", "kind": kind, "metadata": metadata,
                         "items": items[start:start + limit]})

        def log(self, pod, query):
            container = next((one for one in pod.containers if one.name == query.get("container")), None)
            if container is None:
                return self.fail(400, "BadRequest", "a container name must be specified")
            who = f'container "{container.name}" in pod "{pod.name}"'
            if container.refuse > 0:
                container.refuse -= 1
                return self.fail(500, "InternalError", "the server is currently unable to handle the request")
            previous = query.get("previous") == "true"
            if previous and container.previous is None:
                return self.fail(400, "BadRequest", f"previous terminated {who} not found")
            if container.waiting and not previous:
                return self.fail(400, "BadRequest", f"{who} is waiting to start: {container.waiting}")
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                self.stream(container, previous, query)
            except (BrokenPipeError, ConnectionResetError):
                pass

        def stream(self, container, previous, query):
            left = container.cuts.pop(0) if container.cuts else None
            since = seconds(query.get("sinceTime", ""))
            follow = query.get("follow") == "true" and not previous
            sent = 0
            while True:
                with api.changed:
                    while follow and sent >= len(container.lines) and container.running and not api.closed:
                        api.changed.wait(1)
                    lines = container.previous if previous else container.lines
                    lines, ended = lines[sent:], not (follow and container.running) or api.closed
                sent += len(lines)
                text = "".join(f"{stamp} {line}" for stamp, line in lines if seconds(stamp) >= since).encode()
                if left is not None and len(text) >= left:
                    self.chunk(text[:left])
                    return self.cut()
                self.chunk(text)
                if ended:
                    break
            self.wfile.write(b"0\r\n\r\n")

        def chunk(self, data):
            if data:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()

        def cut(self):
            """Closes the connection in the middle of the answer."""
            self.close_connection = True
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)

    return Handler


def discovery(path):
    if path == "/api":
        return {"kind": "APIVersions", "versions": ["v1"]}
    if path == "/apis":
        groups = [name.split("/")[2:] for name in RESOURCES if name.startswith("/apis/")]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
            {"name": group, "versions": [{"groupVersion": f"{group}/{version}", "version": version}],
             "preferredVersion": {"groupVersion": f"{group}/{version}", "version": version}}
            for group, version in groups]}
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": path.split("/", 2)[2], "resources": [
        {"name": name, "singularName": "", "namespaced": namespaced, "kind": kind, "shortNames": SHORT.get(name, []),
         "verbs": ["create", "delete", "get", "list", "patch", "update", "watch"]}
        for name, kind, namespaced in RESOURCES[path]]}
