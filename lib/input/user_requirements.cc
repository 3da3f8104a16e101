// Reads the values of the options expect, profile, rules and baseline, and the files that they name.

#include "input/user_requirements.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "input/failure.h"
#include "input/run.h"
#include "text/nearest.h"

namespace nccl_analyze {
namespace {

/// One byte over the library's limit for profiles and rules, so that the library reports a larger file as an error.
constexpr std::size_t max_file_bytes = (std::size_t{1} << 20) + 1;

std::string read_text(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure(describe("cannot open", path));
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (file && text.size() < max_file_bytes) {
    file.read(buffer.data(), buffer.size());
    text.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw Failure(describe("cannot read", path));
  return text;
}

std::optional<Profile> find_profile(const std::string& name) {
  std::vector<Profile> profiles = builtin_profiles();
  const auto found = std::ranges::find(profiles, name, &Profile::name);
  return found == profiles.end() ? std::nullopt : std::optional{std::move(*found)};
}

std::string advice_on_profile(const std::string& name) {
  const std::vector<Profile> profiles = builtin_profiles();
  std::vector<std::string_view> names;
  for (const Profile& profile : profiles) names.push_back(profile.name);
  const std::string advice = did_you_mean(name, names);
  return (advice.empty() ? ";" : advice) + " `nccl-analyze profiles` lists them";
}

Profile read_profile(const std::string& name_or_path) {
  if (std::optional<Profile> known = find_profile(name_or_path)) return std::move(*known);
  const bool is_name = name_or_path.find('/') == std::string::npos;
  if (is_name && !std::ifstream(name_or_path))
    throw Failure("no profile and no file is called " + name_or_path + advice_on_profile(name_or_path));
  ParsedProfile parsed = parse_profile(name_or_path, read_text(name_or_path));
  if (!parsed.error.empty()) throw Failure(parsed.error);
  return std::move(parsed.profile);
}

}  // namespace

SiteRules read_site_rules(const std::vector<std::string>& paths) {
  SiteRules rules;
  for (const std::string& path : paths)
    if (const std::string error = rules.add(path, read_text(path)); !error.empty()) throw Failure(error);
  return rules;
}

UserRequirements read_requirements(const RequirementWords& words, Log& log, WaitForBytes wait) {
  UserRequirements read;
  Requirements& required = read.options.requirements;
  for (const std::string& expected : words.expect) {
    ParsedExpectations parsed = parse_expectations(expected);
    if (!parsed.error.empty()) throw Failure("--expect: " + parsed.error);
    std::ranges::move(parsed.expectations, std::back_inserter(required.expectations));
  }
  if (words.profile) {
    Profile profile = read_profile(*words.profile);
    required.expectations = override_expectations(std::move(required.expectations), profile.expectations);
    required.profile = profile.name.empty() ? *words.profile : profile.name;
    required.source = std::move(profile.source);
    if (!find_profile(*words.profile)) read.read.add(*words.profile, "the file of --profile");
  }
  required.site = std::make_shared<const SiteRules>(read_site_rules(words.rules));
  for (const std::string& path : words.rules) read.read.add(path, "a file of --rules");
  RuleSelection& selection = read.options.selection.emplace(select_rules(words.select, words.ignore, *required.site));
  if (!selection.error.empty()) throw Failure(selection.error);
  if (words.baseline)
    required.baseline = std::make_shared<const RunFacts>(read_run(*words.baseline, log, read.read, std::move(wait)));
  return read;
}

Profile require_profile(const std::string& name) {
  std::optional<Profile> profile = find_profile(name);
  if (!profile) throw Failure("no profile is called " + name + advice_on_profile(name));
  return std::move(*profile);
}

}  // namespace nccl_analyze
