// Tests that a known sender is recognised by its decoration and prefix.

#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "text/prefix.h"

namespace nccl_analyze::test {

TEST_CASE("text: a cached decoration matches whatever the digits of its timestamp") {
  constexpr std::string_view line = "[pod/train-7/worker] 2025-12-28T16:04:25.123456789Z stderr F ";
  for (std::size_t size = 1; size <= line.size(); ++size) {
    const std::vector<char> exact(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(size));
    const auto known = CachedDecoration::of({exact.data(), size});
    REQUIRE(known != nullptr);
    REQUIRE(known->differs_in_digits_only({exact.data(), size}));
    REQUIRE(!known->differs_in_digits_only({exact.data(), size - 1}));
    for (std::size_t at = 0; at < size; ++at) {
      std::vector<char> other = exact;
      const bool digit = other[at] >= '0' && other[at] <= '9';
      other[at] = digit ? '7' : '~';
      CHECK(known->differs_in_digits_only({other.data(), size}) == digit);
      other[at] = digit ? 'x' : '7';
      CHECK(!known->differs_in_digits_only({other.data(), size}));
    }
  }
  const auto known = CachedDecoration::of(line);
  CHECK(line.substr(known->pod, known->pod_size) == "train-7");
  CHECK(line.substr(known->container, known->container_size) == "worker");
  CHECK(known->size == line.size() - 1);
}

TEST_CASE("text: wrappers that say more than their places are not known again") {
  CHECK(CachedDecoration::of("") == nullptr);
  CHECK(CachedDecoration::of("2025-12-28T16:04:25Z stdout P ") == nullptr);
  CHECK(CachedDecoration::of("'message': '") == nullptr);
  CHECK(CachedDecoration::of("| 1 | ") == nullptr);
  CHECK(CachedDecoration::of(std::string(257, 'x')) == nullptr);
}

TEST_CASE("text: a record begins with its time stamp, also where it is plain") {
  constexpr std::string_view line = "[2026-11-21 00:17:07] node-0:1:2 [0] NCCL INFO Channel 01/02 : 0 1";
  SenderCache senders;
  RecordView plain;
  REQUIRE(senders.read_plain(line, line.find("NCCL"), nullptr, plain, plain.origin));
  std::vector<RecordView> found;
  find_records(line, found);
  REQUIRE(found.size() == 1);
  CHECK(plain.text == found[0].text);
  CHECK(plain.text == line);
  CHECK(plain.start == found[0].start);
  CHECK(plain.origin.timestamp == "2026-11-21 00:17:07");
  CHECK(plain.origin.host == "node-0");
}

TEST_CASE("text: a sender is known again behind what stood before its last line, digits aside") {
  SenderCache senders;
  RecordView one;
  const auto read = [&](std::string_view line) {
    return senders.read_plain(line, line.find("NCCL"), senders.find_head(line), one, one.origin);
  };
  REQUIRE(read("[pod/a-0/pt] 16:04:25 train-node-0:129:1137 [0] NCCL INFO Using network IB"));
  const std::uint64_t number = one.sender;
  for (const std::string_view line :
       {"[pod/a-7/pt] 17:59:01 train-node-0:129:1137 [0] NCCL INFO x", "train-node-0:129:1137 [0] NCCL INFO x"}) {
    INFO(line);
    REQUIRE(read(line));
    CHECK(one.sender == number);
    CHECK(one.message == "x");
    CHECK(one.origin.decoration == (line.starts_with('[') ? "[pod/a-7/pt] 17:59:01" : ""));
    CHECK(one.origin.pod == (line.starts_with('[') ? "a-7" : ""));
  }
  REQUIRE(read("train-node-0:129:1138 [0] NCCL INFO x"));
  CHECK(one.sender != number);
  CHECK_FALSE(read("x:train-node-0:129:1138 [0] NCCL INFO x"));
}

TEST_CASE("text: a prefix that is too long for the cache is read in each line") {
  SenderCache senders;
  for (const std::size_t size : {Sender::max_size, Sender::max_size + 1, std::size_t{1000}}) {
    const std::string prefix = std::string(size - 9, 'h').append(":1:2 [3] ");
    const std::string line = "[pod/a-0/pt] " + prefix + "NCCL INFO x";
    std::uint64_t first = 0;
    for (const bool again : {false, true}) {
      INFO(size << ' ' << again);
      RecordView one;
      REQUIRE(senders.read_plain(line, line.find("NCCL"), senders.find_head(line), one, one.origin));
      CHECK(one.origin.host.size() == size - 9);
      CHECK(one.origin.tid == 2);
      CHECK(one.origin.device == 3);
      CHECK(one.origin.pod == "a-0");
      CHECK(one.message == "x");
      CHECK((one.sender != 0) == (size <= Sender::max_size));
      if (again) CHECK(one.sender == first);
      first = one.sender;
    }
    CHECK(senders.host_at_start(prefix + "NCCL INFO x", size).size() == size - 9);
  }
}

TEST_CASE("text: what is longer than NCCL's buffer is no host") {
  for (const std::string_view numbers : {":1:2 [0] ", ":xxx:xxx [0] "}) {
    for (const std::size_t size : {1024U, 1025U}) {
      std::vector<RecordView> found;
      const std::string line = std::string(size, 'h').append(numbers).append("NCCL INFO Using network IB");
      find_records(line, found);
      REQUIRE(found.size() == 1);
      CHECK(found[0].origin.host.size() == (size == 1024 ? size : 0));
      CHECK(found[0].message == "Using network IB");
    }
  }
}

}  // namespace nccl_analyze::test
