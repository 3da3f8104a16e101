// Lists of host names: Slurm's notation, expanded and folded.

#include "text/host_list.h"

#include <string>
#include <vector>

#include "catch.h"

namespace nccl_analyze {
namespace {

using Names = std::vector<std::string>;

Names expanded(std::string_view list) {
  const HostList hosts = expand_host_list(list);
  INFO(list);
  CHECK(hosts.error == "");
  return hosts.names;
}

std::string error_of(std::string_view list) { return expand_host_list(list).error; }

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("host list: brackets expand as Slurm expands them") {
  CHECK(expanded("dgx[001-003,010],login1") == Names{"dgx001", "dgx002", "dgx003", "dgx010", "login1"});
  CHECK(expanded("n[9-11]") == Names{"n9", "n10", "n11"});
  CHECK(expanded("n[08-11]") == Names{"n08", "n09", "n10", "n11"});
  CHECK(expanded("r[1-2]n[01-02]-ib") == Names{"r1n01-ib", "r1n02-ib", "r2n01-ib", "r2n02-ib"});
  CHECK(expanded("a.b_c-d, [1-2]x") == Names{"a.b_c-d", "1x", "2x"});
  CHECK(expanded("n[0099-0101]") == Names{"n0099", "n0100", "n0101"});
}

TEST_CASE("host list: a list that no one can mean is an error of one line") {
  CHECK(says(error_of("n[0-999999999999]"), "more than 200000 hosts"));
  CHECK(says(error_of("n[0-999][0-999]"), "more than 200000 hosts"));
  CHECK(says(error_of("n[0-18446744073709551615]"), "no range of host numbers"));
  CHECK(says(error_of("n[1-150000],m[1-150000]"), "more than 200000 hosts"));
  CHECK(expand_host_list("n[1-200000]").names.size() == max_hosts);
  CHECK(says(error_of("n[1-2"), "closing bracket"));
  CHECK(says(error_of("n1-2]"), "no host name"));
  CHECK(says(error_of("n[]"), "no range"));
  CHECK(says(error_of("n[3-1]"), "no range"));
  CHECK(says(error_of("n[1-x]"), "no range"));
  CHECK(says(error_of("n[1,[2]]"), "no range"));
  CHECK(says(error_of("n[-1]"), "no range"));
  CHECK(says(error_of("a,,b"), "empty"));
  CHECK(says(error_of(""), "empty"));
  CHECK(says(error_of("a b"), "no host name"));
  CHECK(says(error_of("a|b"), "no host name"));
  CHECK(says(error_of(std::string(300, 'a')), "more than 255 characters"));
  CHECK(error_of("\x1b[31m\n").find('\n') == std::string::npos);
}

TEST_CASE("host list: names fold back, with their leading zeros") {
  CHECK(fold_host_list({"dgx001", "dgx003", "dgx002", "dgx100"}, 4) == "dgx[001-003,100]");
  CHECK(fold_host_list({"n9", "n10", "n11"}, 4) == "n[9-11]");
  CHECK(fold_host_list({"n099", "n100", "n1000"}, 4) == "n1000, n[099-100]");
  CHECK(fold_host_list({"w-7", "x", "w"}, 4) == "w, w-7, x");
  CHECK(fold_host_list({"a", "b", "c"}, 2) == "a, b and 1 more");
  CHECK(fold_host_list({"n007"}, 2) == "n007");
  CHECK(fold_host_list({}, 2) == "");
  const HostList hosts = expand_host_list("rack[01-12]");
  CHECK(fold_host_list({hosts.names.begin(), hosts.names.end()}, 4) == "rack[01-12]");
}

}  // namespace nccl_analyze
