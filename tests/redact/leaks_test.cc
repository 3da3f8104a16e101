// Tests what once stayed and told something: addresses in the names of files, sizes of models, registries of addresses.

#include <string>
#include <string_view>

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

}  // namespace
}  // namespace nccl_analyze::redact
