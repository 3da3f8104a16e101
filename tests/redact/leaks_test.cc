// Tests what once stayed and told something: addresses in the names of files, sizes of models, registries of addresses.

#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "redact/redaction.h"

namespace nccl_analyze::redact {
namespace {

struct Redacted {
  std::string log, name;
};

Redacted redacted_file(std::string_view log, std::string_view name = "input.log") {
  Redaction redaction(true);
  Redacted made;
  const auto out = [&](std::string_view bytes) { made.log += bytes; };
  redaction.begin(name);
  redaction.survey(log);
  redaction.end();
  redaction.choose();
  made.name = redaction.rewritten_name(name);
  redaction.begin_rewriting();
  redaction.rewrite(log, out);
  redaction.end_rewriting(out);
  return made;
}

bool holds(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

TEST_CASE("redact: an address in the name of a file is replaced, whatever separates its numbers") {
  constexpr std::string_view log = "acme-1:152:386 [0] NCCL INFO Using network IB\n";
  for (const char* const name : {"203-0-113-77-worker-0.log", "job-203.0.113.77-acme.log", "run_203_0_113_77x.log"}) {
    const std::string made = redacted_file(log, name).name;
    CHECK(made.size() == std::string_view(name).size());
    CHECK(made.ends_with(".log"));
    CHECK_FALSE(holds(made, "113"));
    CHECK_FALSE(holds(made, "77"));
  }
}

TEST_CASE("redact: the size of a model in the name of a host is replaced, the number of the host stays") {
  const std::string text = redacted_file("llama-70b-node-3:152:386 [0] NCCL INFO Using network IB\n").log;
  CHECK_FALSE(holds(text, "70"));
  CHECK(holds(text, "-3:152:386"));
  CHECK(holds(redacted_file("acme-node-1b:152:386 [0] NCCL INFO Using network IB\n").log, "-1"));
}

TEST_CASE("redact: of a public prefix of IPv6, only the first digit stays; a private one stays private") {
  const std::string text =
      redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap: Using eth0:2a01:7e01:1f2b:9c3d::55<0>\n").log;
  CHECK_FALSE(holds(text, "eth0:2a"));
  CHECK(holds(text, "eth0:2"));
  CHECK(holds(redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap: Using eth0:fd12:3456:789a:1::5<0>\n").log, "eth0:fd"));
}

TEST_CASE("redact: a firm in a path is masked") {
  CHECK_FALSE(holds(redacted_file("RuntimeError: NCCL error in: /opt/microsoft/x.cpp:12, timeout\n").log, "microsoft"));
}

/// The host that stands for `host` in the prefix of NCCL.
std::string stand_in_of_host(std::string_view host) {
  const std::string text = redacted_file(std::string(host) + ":152:386 [0] NCCL INFO Using network IB\n").log;
  return text.substr(0, text.find(":152:"));
}

TEST_CASE("redact: an id in a name loses its digits, the number of a series stays") {
  for (const char* const id : {"0a1b2c3d4e5f", "9f3a7c1d", "i-0123a4567b89c0de1", "aa464b9b", "x2k9p", "7fk2x93",
                               "5c0a3f1e-2b7d-4e11-9d3a-0f1e2d3c4b5a", "73e9f9f45158", "p4de24sadoca", "123abc",
                               "92732890-0458-4444-8369-123456789012"}) {
    INFO(id);
    const std::string made = stand_in_of_host(id);
    CHECK(made.size() == std::string_view(id).size());
    CHECK(made.find_first_of("0123456789") == made.npos);
  }
  for (const auto& [host, end] : {std::pair("node012", "012"), std::pair("rack1gpu3", "3"), std::pair("acme-7", "-7")})
    CHECK(stand_in_of_host(host).ends_with(end));
  const std::string text = redacted_file(
                               "k-9f3a7c1d:1:2 [0] NCCL INFO Using network IB\n"
                               "k-9f3a7c1e:1:2 [0] NCCL INFO Using network IB\n")
                               .log;
  CHECK(text.substr(0, 10) != text.substr(text.find('\n') + 1, 10));
}

TEST_CASE("redact: no part of an address stays in a name, and no address of the unassigned networks") {
  CHECK_FALSE(holds(stand_in_of_host("ip-250-58-4-253"), "58"));
  CHECK_FALSE(holds(stand_in_of_host("n122-246-085"), "246"));
  CHECK_FALSE(holds(stand_in_of_host("gpu-cip-144-103"), "144"));
  CHECK_FALSE(holds(stand_in_of_host("VM-0-14-ubuntu"), "14"));
  CHECK(holds(stand_in_of_host("rack-001-002"), "-001-002"));
  for (const char* const address : {"250.58.4.253", "240.58.4.253", "0.44.7.91", "127.44.7.91", "169.254.17.23"}) {
    const std::string text =
        redacted_file("acme-1:1:2 [0] NCCL INFO Bootstrap : Using eth0:" + std::string(address) + "<0>\n").log;
    CHECK_FALSE(holds(text, std::string_view(address).substr(4)));
  }
}

TEST_CASE("redact: of a manifest, numbers stay under resources and capabilities under add alone") {
  const std::string yaml =
      redacted_file(
          "apiVersion: v1\nkind: Pod\nmetadata:\n  name: acme-0\n  labels:\n    max.titan: y\n    87654321: x\n"
          "spec:\n  containers:\n  - name: t\n    command: [\"python\", \"--db-password\", \"76543210\"]\n    args:\n"
          "    - 441277\n    - PAGE\n    env:\n    - name: DB\n      value: 65432109\n    - {name: PIN, value: "
          "332211}\n"
          "    securityContext:\n      capabilities:\n        add:\n        - IPC_LOCK\n    resources:\n      limits:\n"
          "        nvidia.com/gpu: 8\n        vpc.amazonaws.com/efa: \"4\"\n")
          .log;
  for (const char* const hidden : {"titan", "87654321", "76543210", "441277", "PAGE", "65432109", "332211"})
    CHECK_FALSE(holds(yaml, hidden));
  for (const char* const kept : {"- IPC_LOCK\n", "nvidia.com/gpu: 8\n", "vpc.amazonaws.com/efa: \"4\"\n"})
    CHECK(holds(yaml, kept));
  const std::string json =
      redacted_file(
          R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "acme-0", "annotations": {"pin": "441277", "7654321": "1"}},)"
          R"( "spec": {"containers": [{"name": "t", "args": ["87654321", 76543210], "env": [{"name": "P", "value": "332211"}],)"
          R"( "resources": {"limits": {"nvidia.com/gpu": "8"}}}]}})"
          "\n")
          .log;
  for (const char* const hidden : {"87654321", "76543210", "441277", "332211", "7654321"})
    CHECK_FALSE(holds(json, hidden));
  CHECK(holds(json, R"("nvidia.com/gpu": "8")"));
}

}  // namespace
}  // namespace nccl_analyze::redact
