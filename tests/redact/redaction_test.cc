// Tests which names are replaced, by what, and which lines stay.

#include "redact/redaction.h"

#include <initializer_list>
#include <string>
#include <string_view>

#include "catch.h"
#include "text/training_steps.h"

namespace nccl_analyze::redact {
namespace {

std::string redacted(std::string_view log, bool keep_other = false, std::size_t step = std::string_view::npos) {
  Redaction redaction(keep_other);
  std::string text;
  const auto out = [&](std::string_view bytes) { text += bytes; };
  const auto feed = [&](auto&& take) {
    for (std::string_view rest = log; !rest.empty(); rest.remove_prefix(std::min(step, rest.size())))
      take(rest.substr(0, step));
  };
  redaction.begin("input.log");
  feed([&](std::string_view bytes) { redaction.survey(bytes); });
  redaction.end();
  redaction.choose();
  redaction.begin_rewriting();
  feed([&](std::string_view bytes) { redaction.rewrite(bytes, out); });
  redaction.end_rewriting(out);
  return text;
}

constexpr std::string_view info = ":152:386 [0] NCCL INFO ";

std::string line(std::string_view host, std::string_view message) {
  return std::string(host).append(info).append(message) + '\n';
}

TEST_CASE("redact: a host becomes another word of the same form, everywhere and in any case") {
  const std::string log = line("llama-node-6", "Bootstrap: Using eth0:10.0.4.51<0>") +
                          line("llama-node-10", "Connection closed by remote peer LLAMA-NODE-6.acme.internal<41234>");
  const std::string text = redacted(log);
  CHECK(text.size() == log.size());
  const std::string host = text.substr(0, text.find(':'));
  CHECK(host.ends_with("-6"));
  CHECK(text.find(host.substr(0, host.size() - 1) + "10:152") != text.npos);
  CHECK(text.find("llama") == text.npos);
  CHECK(text.find("LLAMA") == text.npos);
  CHECK(text.find("acme") == text.npos);
}

TEST_CASE("redact: words by which rules know a pod or an instance of EC2 stay") {
  CHECK(redacted(line("acme-train-worker-3", "Using network IB")).find("-worker-3:152") != std::string::npos);
  const std::string text = redacted(line("ip-10-0-4-51", "Bootstrap: Using eth0:10.0.4.51<0>"));
  CHECK(text.starts_with("ip-10-"));
  CHECK(text.find("0-4-51") == text.npos);
}

TEST_CASE("redact: lines of other programs are replaced, or stay with known names replaced") {
  const std::string log = "starting on secret-project\n\n" + line("dgx007", "Using network Socket") +
                          "dgx007 says: epoch 1, 10.0.4.51, /home/alice/run\n";
  const std::string text = redacted(log);
  CHECK(text.starts_with("# redacted\n\ngxx007:152:386 [0] NCCL INFO Using network Socket\n# redacted\n"));
  const std::string other = redacted(log, true);
  CHECK(other.starts_with("starting on "));
  CHECK(other.find("secret-project") == other.npos);
  CHECK(other.find("hxx007 says: epoch 1, 10.") != other.npos);
  CHECK(other.find("alice") == other.npos);
  CHECK(other.size() == log.size());
}

TEST_CASE("redact: the result does not depend on where the bytes are cut") {
  const std::string log = "a line of Python\n" + line("node-a-1", "Using network IB") +
                          "RuntimeError: NCCL error at /home/alice/x\n" + line("node-a-1", "cudaDriverVersion 12080");
  const std::string whole = redacted(log);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}}) CHECK(redacted(log, false, step) == whole);
}

TEST_CASE("redact: a host that is a common word is replaced only where hosts stand") {
  const std::string text = redacted(line("network", "Using network Socket"));
  CHECK(text.find("Using network Socket") != text.npos);
  CHECK_FALSE(text.starts_with("network"));
}

TEST_CASE("redact: colours, escapes of JSON and cut names hide no name") {
  const std::string log =
      "\x1b[32mrack1-gpu3\x1b[0m" + line("", "Using network Socket") +
      R"({"log":"\u001b[32mrack1-gpu3:1:2 [0] NCCL INFO Using network Socket\nrack1-gpu3:1:2 [0] NCCL INFO NCCL_DEBUG)"
      R"( set","kubernetes":{"labels":{"team":"secret"}},"stream":"stdout"})"
      "\n" +
      line("rack1-gpu3", "Connection closed by remote peer rack1-gp");
  const std::string text = redacted(log);
  CHECK(text.find("rack1") == text.npos);
  CHECK(text.find("secret") == text.npos);
  CHECK(text.find('\x1b') == text.npos);
  CHECK(text.find(R"("stream":"stdout")") != text.npos);
}

TEST_CASE("redact: secrets of documents are masked, what is read stays") {
  const std::string manifest =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: train-0\n  labels: {team: secretteam}\nspec:\n  containers:\n"
      "  - name: main\n    image: registry.secret.example/x:1\n    env:\n    - name: TOKEN\n      value: hunter2\n"
      "    command: [\"python\", \"--key=secret\"]\n    resources:\n      limits:\n        nvidia.com/gpu: 8\n"
      "        vpc.amazonaws.com/efa: \"4\"\n";
  const std::string text = redacted(manifest);
  CHECK(text.size() == manifest.size());
  for (const char* const hidden : {"secret", "hunter2", "train-0"}) CHECK(text.find(hidden) == text.npos);
  for (const char* const kept : {"kind: Pod", "nvidia.com/gpu: 8", "vpc.amazonaws.com/efa: \"4\""})
    CHECK(text.find(kept) != text.npos);
}

TEST_CASE("redact: the usual names of NICs stay in a topology file, where no other name does") {
  const auto file = [](std::string_view name) {
    return std::string("<system version=\"1\">\n<cpu numaid=\"0\">\n<net name=\"")
        .append(name)
        .append("\" dev=\"0\"/>\n");
  };
  const std::string log = line("dgx007", "Using network IB");
  CHECK(redacted(log + file("mlx5_0")).find("<net name=\"mlx5_0\"") != std::string::npos);
  CHECK(redacted(log + file("alice7")).find("alice7") == std::string::npos);
  CHECK(redacted(log + "<user name=\"mlx5_0\"/>\n", true).find("mlx5_0") == std::string::npos);
}

TEST_CASE("redact: of an entry of the journal, only what is read stays, and a list of bytes becomes text") {
  std::string bytes;
  for (const char c : "\x1b[33m" + line("dgx007", "Using network Socket") + "secret of dgx007 {\"a\": 1}")
    bytes += (bytes.empty() ? "" : ",") + std::to_string(static_cast<unsigned char>(c));
  const std::string log = R"({"_CMDLINE":[115,101,99,114,101,116],"MESSAGE":[)" + bytes +
                          R"(],"_EXE":"/home/alice/secret","_HOSTNAME":"dgx007.acme.internal","_PID":"152",)"
                          R"("CONTAINER_NAME":"main","__REALTIME_TIMESTAMP":"1766937600000000"})"
                          "\n";
  const std::string text = redacted(log);
  CHECK(text.find(R"("__REALTIME_TIMESTAMP":"1766937600000000","_HOSTNAME":"gxx007","_PID":"152",)") != text.npos);
  CHECK(text.find(R"("MESSAGE":"gxx007:152:386 [0] NCCL INFO Using network Socket\n)") != text.npos);
  for (const char* const hidden : {"dgx", "acme", "alice", "115", "/home", "\"main\"", "u001b"})
    CHECK(text.find(hidden) == text.npos);
  CHECK(redacted(R"({"_PID":"1","__REALTIME_TIMESTAMP":"1","MESSAGE":["loading","secret"]})") == dropped_line);
}

TEST_CASE("redact: of events of pods, the reason stays, and names of all kinds of objects are replaced") {
  const std::string_view events = R"({
    "apiVersion": "v1",
    "items": [
        {
            "involvedObject": {
                "kind": "Job",
                "name": "llama-job",
                "namespace": "research"
            },
            "message": "Job llama-job: Back-off pulling image \"reg.acme.example/x:1\": reg.acme.example/x:1: not found",
            "metadata": {
                "annotations": {"name": "alice"},
                "labels": {"acme.example/team": "alice", "name": "alice"},
                "name": "llama-job.17a1"
            },
            "reason": "Evicted"
        },
        {
            "kind": "Pod",
            "spec": {"initContainers": [{"name": "fetch-weights", "env": [{"name": "ALICE_KEY", "value": "alice"}]}]},
            "status": {"message": "container fetch-weights in research ended", "phase": "Failed"}
        }
    ],
    "kind": "List"
}
)";
  const std::string text = redacted(events);
  CHECK(text.size() == events.size());
  for (const char* const hidden : {"llama", "research", "reg.acme", "alice", "ALICE", "fetch"})
    CHECK(text.find(hidden) == text.npos);
  for (const char* const kept : {"\"Evicted\"", "Back-off pulling image", "\"Failed\"", "\"Job\""})
    CHECK(text.find(kept) != text.npos);
  std::string in_one_line;
  for (const char c : events)
    if (c != '\n') in_one_line += c;
  const std::string other = redacted("a line of a shell\n" + in_one_line + '\n', true);
  for (const char* const hidden : {"llama", "research", "reg.acme", "alice", "fetch"})
    CHECK(other.find(hidden) == other.npos);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}}) CHECK(redacted(events, false, step) == text);
}

TEST_CASE("redact: a message in the middle of a word is no message of NCCL") {
  const std::string log = "[pod/w-0/main] " + line("node-5", "Using network IB") +
                          "[pod/w-0/mainRCCL version : 2.21.5-x " + line("node-5", "Using network IB");
  CHECK(redacted(log).find("mainRCCL") == std::string::npos);
}

TEST_CASE("redact: a line beyond the parser's limit keeps its length and nothing of its rest") {
  std::string blanks(1U << 20U, ' ');
  blanks.append("worker-7");
  const std::string log = line("worker-7", "Using network Socket") + line("worker-7", blanks);
  const std::string text = redacted(log);
  CHECK(text.size() == log.size());
  CHECK(text.find("worker-7") == text.npos);
}

/// What is not known to be harmless, in lines that are kept.
void check_hidden(std::string_view log, std::initializer_list<std::string_view> hidden,
                  std::initializer_list<std::string_view> kept = {}) {
  const std::string text = redacted(log);
  INFO(text);
  for (const std::string_view word : hidden) CHECK(text.find(word) == text.npos);
  for (const std::string_view word : kept) CHECK(text.find(word) != text.npos);
}

TEST_CASE("redact: an address that a word or an address runs into becomes one like the others") {
  check_hidden(
      "h-7:101:101 [0] transport/net_ib.cc:1 NCCL WARN NET/IB : Got completion from peer 203.113.7.9<47330> with "
      "status=12 opcode=0 len=0 vendor err 129 (Send) localGid fe80::9fe0:3ff:feeb:ceb8 "
      "remoteGidsfe80::a088:c203:ab:1234 hca mlx5_0\n",
      {"203.113", "9fe0:3ff", "a088", "ab:1234"}, {"remoteGidsfe80::", "status=12", "mlx5_0"});
  check_hidden(
      "tcpxResult_t tcpxCommProgress(tcpxComm*):1231 NCCL WARN 0x1:0x2, nic 0, enp12s0, 10.98.9.89<39187><-"
      "10.98.9.17<46723> rx rx ctrl timeout cnt 7331502, nanos 10000000585\n",
      {"98.9.89", "98.9.17"}, {"enp12s0", "<39187><-10."});
  for (const char* const before : {"-", "_", "x", "v", "host%3A"})
    check_hidden(line("h-7", std::string("NCCL_UNKNOWN to ").append(before).append("198.51.100.7 end")),
                 {"198.51", "51.100"});
}

TEST_CASE("redact: lines that a document might swallow are lines of other programs") {
  check_hidden("CA 'mlx5_0'\n\tPort 1:\n\t\tState: Active\n" + line("h-7", "NCCL version 2.27.3+cuda12.4") +
                   "  wandb_api_key: 0123456789abcdef\n",
               {"wandb", "0123456789"}, {"State: Active"});
  check_hidden("\tGPU0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \t0-51\t0\n" + line("h-7", "Using network IB") +
                   "hf_token = hf_abcdef\n",
               {"hf_abcdef"}, {"0-51"});
  check_hidden("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: t\ntok_secret_1\n",
               {"tok_secret_1"}, {"kind: Pod"});
}

TEST_CASE("redact: prefixes of the journal, syslog and pdsh lose their host") {
  const std::string record = line("worker-1", "Using network IB");
  for (const char* const prefix :
       {"Jan 01 10:00:00 zorblax python[101]: ", "2025-01-01T10:00:00+0000 zorblax python[101]: ",
        "<14>1 2025-01-01T10:00:00Z zorblax app 101 - - ", "zorblax: ", "[zorblax:0]: "})
    check_hidden(prefix + record, {"zorblax"}, {"Using network IB"});
}

TEST_CASE("redact: settings, exceptions and tokens keep the words of errors alone") {
  check_hidden(line("h-7", "NCCL_COMM_ID set by environment to zorblax:2222") +
                   line("h-7", "NCCL_ACME_PIN set by environment to 4839201") +
                   line("h-7", "connect to ec2-203-113-7-9.compute-1.amazonaws.com<1>"),
               {"zorblax", "ACME", "4839201", "203-113"}, {"NCCL_COMM_ID set by environment to "});
  check_hidden(
      line("h-7", "Using network IB") +
          "torch.distributed.DistStoreError: Timed out; client socket has timed out after 60000ms while trying to "
          "connect to (zorblax, 29500).\n"
          "RuntimeError: AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENG AKIAIOSFODNN7EXAMPLE /fsx/zorblax/train.py\n"
          "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='zorblax.example', port=443)\n"
          "zorblax.errors.ZorblaxError: GPU-b8cef603-1234-5678-9abc-def012345678\n",
      {"zorblax", "Zorblax", "wJalr", "AKIA", "b8cef603"},
      {"torch.distributed.DistStoreError: Timed out; client socket has timed out after 60000ms", "29500", ".py"});
}

TEST_CASE("redact: what is no UTF-8, or in an encoding of its letters, is masked") {
  check_hidden(line("h-7", "Using network IB") +
                   "RuntimeError: \xff\xc3zorblax \xd0\xb8\xd0\xbc\xd1\x8f %7a%6f%72 \\u007a\\u006f\n",
               {"zorblax", "\xd0\xb8", "\xff", "%7a", "u007a"}, {"RuntimeError: "});
}

TEST_CASE("redact: equal words have equal stand-ins, others have others") {
  const std::string text = redacted(line("h-7", "Using network IB") + "RuntimeError: zorblax frobnik zorblax\n");
  const std::string words = text.substr(text.find("Error: ") + 7);
  CHECK(words.substr(0, 7) == words.substr(16, 7));
  CHECK(words.substr(0, 7) != words.substr(8, 7));
}

TEST_CASE("redact: the sign that shortens a name stays") {
  const std::string text = redacted(line("acme-1", "Connected to \u2026zorb.lab<4711>"));
  CHECK(text.find("\u2026") != std::string::npos);
  CHECK(text.find("zorb") == std::string::npos);
}

TEST_CASE("redact: no stand-in of a word is a name in the log") {
  const std::string text = redacted(line("xxxxxg", "Using network IB") + "RuntimeError: provot Provot\n");
  CHECK(text.find("xxxxxg") == std::string::npos);
  CHECK(text.find("Xxxxxg") == std::string::npos);
}

TEST_CASE("redact: a table of an earlier run gives the same stand-ins again") {
  const std::string log = line("acme-1", "Bootstrap: Using eth0:10.0.4.51<0>") + "RuntimeError: zorblax\n";
  Redaction first(false);
  const auto run = [](Redaction& redaction, std::string_view text) {
    std::string made;
    redaction.begin("input.log");
    redaction.survey(text);
    redaction.end();
    redaction.choose();
    redaction.begin_rewriting();
    redaction.rewrite(text, [&](std::string_view bytes) { made += bytes; });
    redaction.end_rewriting([&](std::string_view bytes) { made += bytes; });
    return made;
  };
  const std::string made = run(first, log);
  Redaction second(false);
  for (const StandIn& row : first.stand_ins()) second.preset(row);
  const std::string before = line("aaa-2", "Bootstrap: Using eth0:10.0.1.50<0>") + "RuntimeError: aaaaaaa\n";
  CHECK(run(second, before + log).ends_with(made));
}

}  // namespace
}  // namespace nccl_analyze::redact
