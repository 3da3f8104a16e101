// Tests the built-in profiles, and the messages about mistakes in profile files of users.

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "nccl_analyze/requirements.h"
#include "queries/bandwidth_figures.h"

namespace nccl_analyze::test {

TEST_CASE("profiles: every built-in one has a name in order, and words that --expect reads the same") {
  const std::vector<Profile> profiles = builtin_profiles();
  CHECK(profiles.size() > 10);
  CHECK(std::ranges::is_sorted(profiles, {}, &Profile::name));
  for (const Profile& profile : profiles) {
    INFO(profile.name);
    CHECK(profile.expectations.size() > 5);
    CHECK(std::ranges::count(profile.expectations, "no-warning", &Expectation::key) == 1);
    std::string words;
    for (const Expectation& expectation : profile.expectations) words += expectation.word + ',';
    const ParsedExpectations again = parse_expectations(words);
    CHECK(again.error == "");
    CHECK(std::ranges::equal(again.expectations, profile.expectations, {}, &Expectation::word, &Expectation::word));
    CHECK(std::ranges::equal(again.expectations, profile.expectations, {}, &Expectation::values, &Expectation::values));
  }
}

TEST_CASE("profiles: the figures of each machine agree with what is expected of it") {
  const std::vector<Profile> profiles = builtin_profiles();
  CHECK(all_machine_figures().size() == profiles.size());
  for (const Profile& profile : profiles) {
    INFO(profile.name);
    const MachineFigures* const machine = machine_figures(profile.name);
    REQUIRE(machine != nullptr);
    const auto expected = [&](std::string_view key) {
      const auto found = std::ranges::find(profile.expectations, key, &Expectation::key);
      return found == profile.expectations.end() ? std::vector<std::string>{} : found->values;
    };
    CHECK(expected("gpus") == std::vector{std::to_string(machine->gpus)});
    const std::vector<std::string> nics = expected("nics");
    if (!nics.empty() && profile.name != "p6e-gb200.36xlarge")
      CHECK(std::ranges::count(nics, std::to_string(machine->nics)) == 1);
  }
}

TEST_CASE("profiles: a file's mistakes have a line") {
  const auto error = [](std::string_view text) { return parse_profile("my.json", text).error; };
  const ParsedProfile good = parse_profile("my.json", R"({"name": "a", "expect": ["gdr", "nics=4,gpus=8"]})");
  CHECK(good.error == "");
  CHECK(good.profile.name == "a");
  CHECK(good.profile.expectations.size() == 3);
  CHECK(error("{\n\"expect\": [\n\"gdr\",\n\"nic=4\"\n]\n}").starts_with("my.json:4: nothing is called \"nic\""));
  CHECK(error("{\n\"expcet\": []\n}").starts_with("my.json:2: a profile has no \"expcet\""));
  CHECK(error("{\n\n\"expect\": 4}").starts_with("my.json:3: \"expect\" is an array, not a number"));
  CHECK(error("{\"expect\": []}").starts_with("my.json:1: \"expect\" is empty"));
  CHECK(error("{\"name\": \"x\"}").starts_with("my.json:1: \"expect\" is missing"));
  CHECK(error("{\n\"expect\": [\"gdr\"\n").starts_with("my.json:3: this is no JSON"));
  CHECK(error("[]").starts_with("my.json:1: a profile is an object, not an array"));
  CHECK(error("").starts_with("my.json:1: this is no JSON"));
  CHECK(error("\xff\xfe{").starts_with("my.json:1: this is no JSON"));
  CHECK(error("{\"name\": \"a\", \"name\": \"b\"}").starts_with("my.json:1: \"name\" is there twice"));
  CHECK(error(std::string(100000, '[')).starts_with("my.json:1: this is nested too deep"));
  CHECK(error(std::string(2U << 20U, ' ')).starts_with("my.json:1: the file is larger than 1 MiB"));
}

TEST_CASE("profiles: what is said on the spot replaces their words") {
  const auto said = parse_expectations("gpus=4,version>=2.20,version<2.28").expectations;
  const auto profile = parse_expectations("gpus=8,gdr,version>=2.10").expectations;
  const auto all = override_expectations(said, profile);
  REQUIRE(all.size() == 4);
  std::vector<std::string> words;
  for (const Expectation& one : all) words.push_back(one.word);
  CHECK(words == std::vector<std::string>{"gpus=4", "version>=2.20", "version<2.28", "gdr"});
}

}  // namespace nccl_analyze::test
