// Suggestions for mistyped names.

#include "text/nearest.h"

#include <array>
#include <string>

#include "catch.h"

namespace nccl_analyze {
namespace {

constexpr std::array<std::string_view, 8> names{"--format",    "--follow",     "explain",         "ranks",
                                                "p5.48xlarge", "p5e.48xlarge", "socket-fallback", "socket-timeout"};

std::string advice(std::string_view word) { return did_you_mean(word, names); }

}  // namespace

TEST_CASE("nearest: a letter wrong, missing, too many or two swapped") {
  CHECK(advice("--foramt") == "; did you mean --format?");
  CHECK(advice("explian") == "; did you mean explain?");
  CHECK(advice("Expain") == "; did you mean explain?");
  CHECK(advice("rankss") == "; did you mean ranks?");
  CHECK(advice("sokcet-falback") == "; did you mean socket-fallback?");
}

TEST_CASE("nearest: the beginning of a part of a name") {
  CHECK(advice("fallback") == "; did you mean socket-fallback?");
  CHECK(advice("p5") == "; did you mean p5.48xlarge or p5e.48xlarge?");
  CHECK(advice("lback").empty());
}

TEST_CASE("nearest: nothing is suggested where nothing is near") {
  CHECK(advice("yaml").empty());
  CHECK(advice("").empty());
  CHECK(advice("x").empty());
  CHECK(advice(std::string(1'000'000, '-')).empty());
  CHECK(did_you_mean("a1", std::array<std::string_view, 5>{"b1", "c1", "d1", "e1", "f1"}).empty());
}

TEST_CASE("nearest: of several names those with the fewest errors are suggested") {
  CHECK(did_you_mean("eth0", std::array<std::string_view, 3>{"eth1", "eth2", "etc"}) == "; did you mean eth1 or eth2?");
  CHECK(did_you_mean("ranks", std::array<std::string_view, 3>{"rank", "ranks", "tanks"}) == "; did you mean ranks?");
}

}  // namespace nccl_analyze
