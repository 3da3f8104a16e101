// Tests that the YAML and the JSON of Kubernetes manifests become pods of the model, and that nothing else of them
// does.

#include <sstream>
#include <string>
#include <utility>

#include "catch.h"
#include "model_of.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view pod =
    "apiVersion: v1\n"
    "kind: Pod\n"
    "metadata:\n"
    "  annotations:\n"
    "    note: |\n"
    "      name: secret\n"
    "  name: trainer-0\n"
    "  namespace: ml\n"
    "spec:\n"
    "  containers:\n"
    "  - args:\n"
    "    - |\n"
    "      resources:\n"
    "        limits:\n"
    "          nvidia.com/gpu: 99\n"
    "    env:\n"
    "    - name: TOKEN\n"
    "      value: secret\n"
    "    name: main\n"
    "    resources:\n"
    "      limits:\n"
    "        hugepages-2Mi: 5Gi\n"
    "        memory: 64Gi\n"
    "        nvidia.com/gpu: \"8\"\n"
    "      requests:\n"
    "        nvidia.com/gpu: \"8\"\n"
    "    securityContext:\n"
    "      capabilities:\n"
    "        add:\n"
    "        - IPC_LOCK\n"
    "    volumeMounts:\n"
    "    - mountPath: /dev/shm\n"
    "      name: dshm\n"
    "  - name: sidecar\n"
    "    resources: {}\n"
    "  nodeName: node-7\n"
    "  volumes:\n"
    "  - emptyDir:\n"
    "      medium: Memory\n"
    "      sizeLimit: 64Mi\n"
    "    name: dshm\n"
    "status:\n"
    "  phase: Running\n";

TEST_CASE("pod manifest: kubectl's YAML") {
  const Model model = model_of(pod);
  REQUIRE(model.pods.size() == 1);
  const Pod& one = model.pods[0];
  CHECK(one.kind == "Pod");
  CHECK(one.name == "trainer-0");
  CHECK(one.name_space == "ml");
  CHECK(one.node == "node-7");
  CHECK(one.complete);
  REQUIRE(one.containers.size() == 2);
  const PodContainer& main = one.containers[0];
  CHECK(main.name == "main");
  CHECK(main.amount("nvidia.com/gpu") == 8);
  CHECK(main.amount("hugepages-2Mi") == std::int64_t{5} << 30);
  CHECK(main.amount("memory") == 0);
  CHECK(main.amount("vpc.amazonaws.com/efa") == 0);
  CHECK(main.ipc_lock);
  REQUIRE(one.shm_of(main) != nullptr);
  CHECK(one.shm_of(main)->in_memory);
  CHECK(one.shm_of(main)->limit == 64 << 20);
  CHECK(one.containers[1].name == "sidecar");
  CHECK(one.shm_of(one.containers[1]) == nullptr);
}

TEST_CASE("pod manifest: no variable, annotation or argument is kept") {
  std::ostringstream out;
  Parser parser(SourceId{0}, [&](const Record& record) { write_event(out, record); });
  parser.feed(pod);
  parser.finish();
  CHECK(out.str().find("secret") == std::string::npos);
  CHECK(out.str().find("TOKEN") == std::string::npos);
  CHECK(out.str().find("99") == std::string::npos);
}

TEST_CASE("pod manifest: a list of a pod and a workload, with braces and lists on one line") {
  const Model model = model_of(
      "apiVersion: v1\n"
      "items:\n"
      "- apiVersion: v1\n"
      "  kind: Pod\n"
      "  metadata:\n"
      "    name: a\n"
      "  spec:\n"
      "    hostNetwork: true\n"
      "    containers:\n"
      "    - name: main\n"
      "      securityContext: {privileged: true}\n"
      "- apiVersion: kubeflow.org/v1\n"
      "  kind: PyTorchJob\n"
      "  metadata:\n"
      "    name: train\n"
      "  spec:\n"
      "    pytorchReplicaSpecs:\n"
      "      Worker:\n"
      "        template:\n"
      "          spec:\n"
      "            containers:\n"
      "              - name: pytorch  # the only one\n"
      "                command: [\"sh\", \"-c\", \"{x: y\"]\n"
      "                resources: {limits: {nvidia.com/gpu: 8, \"vpc.amazonaws.com/efa\": 4}}\n"
      "                securityContext: {capabilities: {add: [\"IPC_LOCK\"]}}\n"
      "                volumeMounts:\n"
      "                  - {name: shm, mountPath: /dev/shm}\n"
      "            volumes:\n"
      "              - name: shm\n"
      "                emptyDir: {medium: Memory}\n"
      "kind: List\n");
  REQUIRE(model.pods.size() == 2);
  CHECK(model.pods[0].host_network);
  CHECK(model.pods[0].containers[0].privileged);
  const Pod& job = model.pods[1];
  CHECK(job.kind == "PyTorchJob");
  CHECK(job.name == "train");
  CHECK(job.complete);
  REQUIRE(job.containers.size() == 1);
  CHECK(job.containers[0].amount("vpc.amazonaws.com/efa") == 4);
  CHECK(job.containers[0].ipc_lock);
  REQUIRE(job.shm_of(job.containers[0]) != nullptr);
  CHECK(job.shm_of(job.containers[0])->limit == -1);
}

TEST_CASE("pod manifest: what hides a value makes it incomplete") {
  const std::string head = "kind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: x\n";
  CHECK(model_of(head).pods[0].complete);
  for (const std::string_view rest :
       {"    resources: *gpus\n", "    <<: *common\n", "    resources: {{ .Values.resources }}\n",
        "    {{- toYaml .Values.x }}\n", "    resources: {\n      limits: 1}\n", "  - *sidecar\n",
        "    resources:\n      claims:\n      - name: efa\n"}) {
    INFO(rest);
    CHECK_FALSE(model_of(head + std::string(rest)).pods[0].complete);
  }
  CHECK(model_of(head + "    env: *variables\n").pods[0].complete);
  CHECK(model_of(head + "  affinity: &x {}\n").pods[0].complete);
}

TEST_CASE("pod manifest: lines that are templates hide what they stand for, not what is beside them") {
  const std::string head = "kind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: x\n    image: y\n";
  const std::string end =
      "    resources:\n      limits:\n        nvidia.com/gpu: 8\n  - name: z\n  hostNetwork: true\n";
  for (const std::string_view lines :
       {"    {{- toYaml .Values.x | nindent 4 }}\n", "  {{- if .Values.x }}\n  {{- end }}\n", "    {% if gpu %}\n",
        "    resources:\n    {{- if .Values.x }}\n      requests:\n        nvidia.com/gpu: 4\n    {{- end }}\n"}) {
    INFO(lines);
    const Pod one = model_of(head + std::string(lines) + end).pods[0];
    CHECK_FALSE(one.complete);
    CHECK(one.host_network);
    REQUIRE(one.containers.size() == 2);
    CHECK(one.containers[0].amount("nvidia.com/gpu") == 8);
    CHECK(one.containers[1].name == "z");
  }
  CHECK(model_of(head + "    env:\n      {{- toYaml .Values.env | nindent 4 }}\n" + end).pods[0].complete);
}

TEST_CASE("pod manifest: kubectl's JSON") {
  const Model model = model_of(
      R"({"apiVersion": "v1", "items": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "annotations": )"
      R"({"x": "secret"}}, "spec": {"containers": [{"name": "main", "env": [{"name": "T", "value": "secret"}], )"
      R"("resources": {"limits": {"rdma/hca": 1, "nvidia.com/gpu": "8"}}, "volumeMounts": [{"mountPath": "/dev/shm", )"
      R"("name": "s"}]}], "hostIPC": true, "volumes": [{"name": "s", "emptyDir": {"medium": "Memory", )"
      R"("sizeLimit": "1.5Gi"}}]}}, {"kind": "Job", "metadata": {"name": "j"}, "spec": {"template": {"spec": )"
      R"({"containers": [{"name": "w", "securityContext": {"capabilities": {"add": ["IPC_LOCK"]}}}]}}}}], )"
      R"("kind": "List"})");
  REQUIRE(model.pods.size() == 2);
  const Pod& one = model.pods[0];
  CHECK(one.complete);
  CHECK(one.host_ipc);
  CHECK(one.containers[0].amount("rdma/hca") == 1);
  CHECK(one.containers[0].amount("nvidia.com/gpu") == 8);
  CHECK(one.shm_of(one.containers[0])->limit == std::int64_t{3} << 29);
  CHECK(model.pods[1].kind == "Job");
  CHECK(model.pods[1].containers[0].ipc_lock);
}

TEST_CASE("pod manifest: a log behind it is read") {
  const Model model = model_of(std::string(pod).append("trainer-0:7:7 [0] NCCL INFO NCCL version 2.27.3+cuda12.9\n"));
  REQUIRE(model.processes.size() == 1);
  REQUIRE(model.hosts.size() == 1);
  CHECK(model.pods[0].hosts == std::vector<Index>{0});
}

TEST_CASE("pod manifest: pods of two namespaces with one name join no host") {
  const auto one = [](std::string_view space) {
    return std::string("apiVersion: v1\nkind: Pod\nmetadata:\n  name: w-0\n  namespace: ").append(space) +
           "\nspec:\n  containers:\n  - name: main\n";
  };
  const std::string line = "w-0:7:7 [0] NCCL INFO NCCL version 2.27.3+cuda12.9\n";
  CHECK(model_of(one("a") + one("a") + line).pods[0].hosts.size() == 1);
  CHECK(model_of(one("a") + one("b") + line).pods[0].hosts.empty());
}

}  // namespace
}  // namespace nccl_analyze
