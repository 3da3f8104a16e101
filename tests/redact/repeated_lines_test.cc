// Tests that a line becomes the same whether its parts were seen before or not.

#include <algorithm>
#include <string>
#include <string_view>

#include "catch.h"
#include "redact/redaction.h"

namespace nccl_analyze::redact {
namespace {

/// The log as it is redacted when it is fed in pieces of `step` bytes.
std::string redacted_in_pieces(std::string_view log, std::size_t step = std::string_view::npos) {
  Redaction redaction(false);
  std::string text;
  const auto feed = [&](auto&& take) {
    for (std::string_view rest = log; !rest.empty(); rest.remove_prefix(std::min(step, rest.size())))
      take(rest.substr(0, step));
  };
  redaction.begin("input.log");
  feed([&](std::string_view bytes) { redaction.survey(bytes); });
  redaction.end();
  redaction.choose();
  redaction.begin_rewriting();
  const auto out = [&](std::string_view bytes) { text += bytes; };
  feed([&](std::string_view bytes) { redaction.rewrite(bytes, out); });
  redaction.end_rewriting(out);
  return text;
}

bool has_text(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

std::string line(std::string_view host, std::string_view level, std::string_view message) {
  return std::string(host).append(":152:386 [0] NCCL ").append(level).append(" ").append(message).append("\n");
}

/// Whether both halves of the result are equal.
bool is_repeated(std::string_view text) { return text.substr(0, text.size() / 2) == text.substr(text.size() / 2); }

TEST_CASE("redact: the second of two equal logs becomes what the first became") {
  const std::string log =
      line("llama-0", "INFO", "NET/Plugin: Plugin name set by env to libsecret-net.so") +
      line("llama-0", "WARN", "NET/Plugin: Plugin name set by env to libsecret-net.so") +
      line("llama-0", "INFO", "Bootstrap: Using eth0:10.0.4.51<0>") +
      line("llama-1", "INFO", "ACME_TOKEN set by environment to 1234567.") +
      line("llama-1", "INFO", "comm 0x55d04a3714b0 rank 0 nranks 2 cudaDev 0 busId 1b000 - Init COMPLETE") +
      "Traceback (most recent call last):\n  File \"/home/alice/secret.py\", line 3, in main\n" +
      "RuntimeError: NCCL error in: secret.cpp:12, unhandled system error\n";
  const std::string text = redacted_in_pieces(log + log);
  CHECK(is_repeated(text));
  for (const char* const hidden : {"secret", "llama", "alice", "1234567", "10.0.4.51"})
    CHECK_FALSE(has_text(text, hidden));
  CHECK(has_text(text, "NCCL INFO NET/Plugin"));
  CHECK(has_text(text, "NCCL WARN NET/Plugin"));
}

TEST_CASE("redact: many lines become the same however their bytes are cut") {
  std::string log;
  for (int i = 0; i < 300; ++i) {
    const std::string number = std::to_string(i);
    log += "[pod/train-" + number + "/main] 2025-12-28T16:04:25.000" + std::to_string(1000 + i) + "Z " +
           line("train-" + number, "INFO", "Channel 00/0 : 1[0] -> 2[0] via P2P/CUMEM");
    log += "step " + number + " of somebody's program\n";
    if (i % 50 == 7)
      log += "RuntimeError: NCCL error in: secret.cpp:12, unhandled\n system error of secret-" + number + "\n";
  }
  const std::string whole = redacted_in_pieces(log);
  for (const std::size_t step : {std::size_t{1}, std::size_t{97}, std::size_t{4096}})
    CHECK(redacted_in_pieces(log, step) == whole);
  for (const char* const hidden : {"train", "secret", "somebody"}) CHECK_FALSE(has_text(whole, hidden));
  CHECK(has_text(whole, "2025-12-28T16:04:25.0001299Z "));
}

TEST_CASE("redact: NCCL's own words stay in its messages of channels and calls, whatever hosts are called") {
  std::string log;
  for (const char* const host : {"AllReduce", "c1000", "IB", "RING", "acme"})
    for (int i = 0; i < 3; ++i)
      log += line(host, "INFO", "Channel 00/0 : 0[c1000] -> 8[c1000] [send] via NET/IB/0(3)/GDRDMA") +
             line(host, "INFO", "Ring 00 : 7 -> 0 -> 1") +
             line(host, "INFO", "AllReduce: 4194304 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..23}") +
             line(host, "INFO", "Channel 00/0 : 0[0] -> 8[0] [send] via NET/acme/0");
  const std::string text = redacted_in_pieces(log);
  for (const std::size_t step : {std::size_t{1}, std::size_t{97}}) CHECK(redacted_in_pieces(log, step) == text);
  const auto times = [&](std::string_view words) {
    int count = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++count;
    return count;
  };
  CHECK(times("Channel 00/0 : 0[c1000] -> 8[c1000] [send] via NET/IB/0(3)/GDRDMA\n") == 15);
  CHECK(times("AllReduce: 4194304 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..23}\n") == 15);
  CHECK(times("Ring 00 : 7 -> 0 -> 1\n") == 15);
  CHECK(times("acme") == 0);
  CHECK(times("c1000:152") == 0);
}

TEST_CASE("redact: a name that reads as a part of a time is replaced in times too") {
  const std::string prefix = "[pod/t16/main] 2025-12-28T16:04:25.000015679Z ";
  const std::string log = prefix + line("28t16", "INFO", "Using network Socket") + prefix +
                          line("28t16", "INFO", "Using network IB") + prefix +
                          line("28t16", "INFO", "Using network IB");
  const std::string text = redacted_in_pieces(log);
  CHECK_FALSE(has_text(text, "28t16:152"));
  const std::size_t second = text.find('\n') + 1, third = text.find('\n', second) + 1;
  CHECK(text.substr(second, third - second) == text.substr(third));
}

}  // namespace
}  // namespace nccl_analyze::redact
