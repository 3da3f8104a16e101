#pragma once
/// Requirements that users state for a job: expectations (`ranks=16`, `network=IB`), profiles of machine types, and a
/// site's own rules. lib/expect/expectations.md describes the keys of expectations, lib/expect/site_rules.md the JSON
/// of rules.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct Record;

/// How an expectation compares a value from the log with its own values.
enum class Comparison : std::uint8_t { present, equal, not_equal, less, at_most, greater, at_least };

/// One requirement: `version>=2.21`, `nics=8|32`, `gdr`.
struct Expectation {
  std::string word;                             ///< The expectation as written; also the name of its check.
  std::string key;                              ///< One of expectation_keys().
  Comparison comparison = Comparison::present;  ///< `present`: a key without a value.
  std::vector<std::string> values;              ///< Alternatives; several only with `=` and `!=`.
};

/// A key that expectations can use. The texts are static.
struct ExpectationKey {
  std::string_view key;
  std::string_view form;   ///< The syntax, such as `nics=N`.
  std::string_view about;  ///< A description in one sentence.
};
/// Returns all keys, in the order of lib/expect/expectations.md.
std::span<const ExpectationKey> expectation_keys();

/// The result of parse_expectations().
struct ParsedExpectations {
  std::vector<Expectation> expectations;
  std::string error;  ///< The error and how to correct it; empty on success.
};
/// Parses comma-separated expectations.
ParsedExpectations parse_expectations(std::string_view words);

/// The expectations for jobs on one type of machine.
struct Profile {
  std::string name;    ///< Such as `p5.48xlarge`.
  std::string about;   ///< A description in one line.
  std::string source;  ///< Where the numbers come from, in one line; empty: the file names no source.
  std::vector<Expectation> expectations;
};
/// Returns the built-in profiles, sorted by name.
std::vector<Profile> builtin_profiles();

/// The result of parse_profile().
struct ParsedProfile {
  Profile profile;
  std::string error;  ///< `path:line: `, the error and how to correct it; empty on success.
};
/// Parses a profile from JSON in the form of write_profile(). `path` is only printed in errors. Text over 1 MiB is an
/// error; memory is a small multiple of the text's size.
ParsedProfile parse_profile(std::string_view path, std::string_view json);

/// Returns `first`, followed by the expectations of `second` whose keys do not occur in `first`. The command line uses
/// this to override the expectations of a profile.
std::vector<Expectation> override_expectations(std::vector<Expectation> first, std::span<const Expectation> second);

/// Judges every expectation. Appends to `report` one check for each expectation, one NCA801 finding for each failed
/// expectation, and one NCA802 finding for all expectations that could not be judged. A finding is appended only if
/// `rules` contains its rule. Sets Report::acceptance if there is any expectation. `report` must be the result of
/// analyze() for the same model. A check passes only if the log shows the required value for every process or host of
/// the model.
void check_expectations(const Model& model, std::span<const Expectation> expectations,
                        std::span<const Rule* const> rules, Report& report);

/// The rules of a site. The set owns the texts of its rules, to which findings point, so it must outlive every report
/// with such findings.
class SiteRules {
 public:
  SiteRules();
  SiteRules(SiteRules&&) noexcept;
  SiteRules& operator=(SiteRules&&) noexcept;
  ~SiteRules();

  /// Adds the rules of one file. Returns an empty string on success. On failure, returns `path:line: `, the error and
  /// how to correct it, and adds no rule. `path` is only printed in errors. Limits: 1 MiB of text, 1,000 rules, 1,000
  /// bytes for a pattern, 16 MiB of memory for matching.
  std::string add(std::string_view path, std::string_view json);

  /// Returns the rules in the order in which they were added. The pointers are valid as long as the set.
  std::vector<const RuleInfo*> infos() const;
  bool empty() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }  ///< For the library itself.

 private:
  std::unique_ptr<Impl> impl_;
};

/// Matches the records of one log against the patterns of site rules. Time is linear in the text. Memory is bounded:
/// for each rule, the matcher keeps a count and a limited number of lines and processes.
class SiteMatcher {
 public:
  /// `rules` must outlive the matcher and must not change during the matcher's lifetime.
  explicit SiteMatcher(const SiteRules& rules);
  SiteMatcher(SiteMatcher&&) noexcept;
  SiteMatcher& operator=(SiteMatcher&&) noexcept;
  ~SiteMatcher();

  /// Copies what the matcher keeps; the record's views need not outlive the call.
  void add(const Record& record) {
    if (has_patterns_) match(record);
  }

  /// Adds the findings of the rules in `wanted` to `report`, and the quotes of their lines to `model`. `messages_seen`:
  /// whether all records were passed to add(). It is false for a summary, which keeps few messages; rules with a
  /// pattern are then reported as not evaluated.
  void judge(std::span<const RuleInfo* const> wanted, bool messages_seen, Model& model, Report& report) const;

 private:
  void match(const Record& record);

  struct Impl;
  std::unique_ptr<Impl> impl_;
  bool has_patterns_ = false;
};

}  // namespace nccl_analyze
