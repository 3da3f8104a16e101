// Tests the words of --expect and the messages about mistakes in them.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.h"
#include "expect/judged_job.h"
#include "testdata.h"

namespace nccl_analyze::test {
namespace {

std::string error_of(std::string_view words) { return parse_expectations(words).error; }

}  // namespace

TEST_CASE("expectations: words become data") {
  const auto parsed = parse_expectations("ranks=16, gdr,version>=2.21,nics=8|32,network!=Socket,");
  CHECK(parsed.error == "");
  REQUIRE(parsed.expectations.size() == 5);
  CHECK(parsed.expectations[0].key == "ranks");
  CHECK(parsed.expectations[0].word == "ranks=16");
  CHECK(parsed.expectations[1].comparison == Comparison::present);
  CHECK(parsed.expectations[2].comparison == Comparison::at_least);
  CHECK(parsed.expectations[3].values == std::vector<std::string>{"8", "32"});
  CHECK(parsed.expectations[4].comparison == Comparison::not_equal);
}

TEST_CASE("expectations: mistakes say what would be right") {
  CHECK(says(error_of("nic=4"), "did you mean nics?"));
  CHECK(says(error_of("flavour=4"), "what can be expected: ranks, nodes"));
  CHECK(says(error_of(""), "empty"));
  CHECK(says(error_of("gdr,,nvlink"), "empty"));
  CHECK(says(error_of("ranks"), "write ranks=N"));
  CHECK(says(error_of("ranks=x"), "needs a number"));
  CHECK(says(error_of("ranks=-1"), "needs a number"));
  CHECK(says(error_of("ranks=99999999999999999999"), "needs a number"));
  CHECK(says(error_of("ranks="), "needs a value"));
  CHECK(says(error_of("gdr=1"), "stands alone"));
  CHECK(says(error_of("network>IB"), "= and != only"));
  CHECK(says(error_of("version>=2|3"), "several values"));
  CHECK(says(error_of("version>=new"), "needs a version"));
  CHECK(says(error_of("gdr!"), "write gdr"));
  CHECK(parse_expectations("gdr,nonsense").expectations.size() == 1);
}

TEST_CASE("expectations: a list of hosts keeps its commas, up to the next key") {
  const auto parsed = parse_expectations("gdr,hosts=dgx[001-003,010],login1,nics=8,init<=1.5m");
  CHECK(parsed.error == "");
  REQUIRE(parsed.expectations.size() == 4);
  CHECK(parsed.expectations[1].word == "hosts=dgx[001-003,010],login1");
  CHECK(parsed.expectations[1].values == std::vector<std::string>{"dgx001", "dgx002", "dgx003", "dgx010", "login1"});
  CHECK(parsed.expectations[2].key == "nics");
  CHECK(parse_expectations("hosts=a,b,").expectations.size() == 1);
  CHECK(says(error_of("hosts=n[0-999999999999]"), "more than 200000 hosts"));
  CHECK(says(error_of("hosts=n[1-2"), "closing bracket"));
  CHECK(says(error_of("hosts!=a"), "knows = only"));
  CHECK(says(error_of("hosts"), "write hosts="));
  CHECK(says(error_of("hosts="), "empty"));
  CHECK(says(error_of("hosts=a,gdr,hosts=b"), "hosts is there twice"));
  CHECK(says(error_of("hosts=a,nic=4"), "nothing is called \"nic\""));
}

TEST_CASE("expectations: times and bandwidths are compared, not equal") {
  CHECK(says(error_of("init=60s"), "<, <=, > and >= only"));
  CHECK(says(error_of("init<=soon"), "needs a time such as 60s"));
  CHECK(says(error_of("init<=1e999s"), "needs a time"));
  CHECK(says(error_of("init<=nan"), "needs a time"));
  CHECK(says(error_of("busbw>=60s"), "needs a number"));
  CHECK(says(error_of("busbw>=1|2"), "several values"));
  CHECK(error_of("busbw>=380.5") == "");
}

TEST_CASE("expectations: every key has its row on the page") {
  const std::string page = read_file(std::filesystem::path(NCCL_ANALYZE_SOURCE_DIR) / "lib/expect/expectations.md");
  for (const ExpectationKey& key : expectation_keys()) {
    INFO(key.key);
    CHECK(says(page, "| `" + std::string(key.form) + "` |"));
    CHECK(parse_expectations(std::string(key.form).replace(std::min(key.form.find('N'), key.form.size()),
                                                           key.form.ends_with("N") ? 1 : 0,
                                                           key.form.ends_with("N") ? "4" : ""))
              .error == "");
  }
}

}  // namespace nccl_analyze::test
