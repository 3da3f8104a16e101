#pragma once
/// What users require of a job: expectations (`ranks=16`, `network=IB`), profiles of machines, and rules of a site's
/// own. The words of expectations are those of lib/expect/expectations.md, the form of rules that of
/// lib/expect/site_rules.md.

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

enum class Comparison : std::uint8_t { present, equal, not_equal, less, at_most, greater, at_least };

/// One thing that is expected: `version>=2.21`, `nics=8|32`, `gdr`.
struct Expectation {
  std::string word;                             ///< As it was written: the name of its check.
  std::string key;                              ///< One of expectation_keys().
  Comparison comparison = Comparison::present;  ///< `present`: the key stands alone.
  std::vector<std::string> values;              ///< Any of them fits; several only with `=` and `!=`.
};

/// What can be expected.
struct ExpectationKey {
  std::string_view key;
  std::string_view form;   ///< How it is written: `nics=N`.
  std::string_view about;  ///< One sentence.
};
/// In the order of the page.
std::span<const ExpectationKey> expectation_keys();

struct ParsedExpectations {
  std::vector<Expectation> expectations;
  std::string error;  ///< What is wrong and what would be right; empty when all was understood.
};
/// Reads words with commas between them.
ParsedExpectations parse_expectations(std::string_view words);

/// What a kind of machine should give.
struct Profile {
  std::string name;   ///< p5.48xlarge
  std::string about;  ///< One line.
  std::vector<Expectation> expectations;
};
/// Those that are built in, sorted by name.
std::vector<Profile> builtin_profiles();

struct ParsedProfile {
  Profile profile;
  std::string error;  ///< `path:line: what, and what to do`; empty when all was understood.
};
/// Reads a profile from JSON (the form of write_profile()). `path` names the text in errors. Memory: a small multiple
/// of the text's size, of which 1 MiB is the limit.
ParsedProfile parse_profile(std::string_view path, std::string_view json);

/// `first` and what of `second` has no key there: what is said on the spot replaces what a profile says.
std::vector<Expectation> override_expectations(std::vector<Expectation> first, std::span<const Expectation> second);

/// Answers every expectation: appends a check each, a finding of NCA801 for each that failed and one of NCA802 for all
/// that could not be judged, as far as `rules` hold these two. `report` is what analyze() said of the same model.
/// Pass is said only where the log shows it for every process or host that it shows.
void check_expectations(const Model& model, std::span<const Expectation> expectations,
                        std::span<const Rule* const> rules, Report& report);

/// A set of rules. It owns their words: findings point into it, so it outlives every report on it.
class SiteRules {
 public:
  SiteRules();
  SiteRules(SiteRules&&) noexcept;
  SiteRules& operator=(SiteRules&&) noexcept;
  ~SiteRules();

  /// Adds the rules of one file. Empty when all is well; else `path:line: what, and what to do`, and nothing was added.
  /// `path` names the text in errors. Limits: 1 MiB of text, 1,000 rules, 1,000 bytes a pattern, 16 MiB for matching.
  std::string add(std::string_view path, std::string_view json);

  /// The words of all rules, in the order in which they were added.
  std::vector<const RuleInfo*> infos() const;
  bool empty() const;

 private:
  friend class SiteMatcher;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Holds one log's records against the patterns. Time is linear in the text, memory bounded: of each rule a count, some
/// lines and some processes are kept.
class SiteMatcher {
 public:
  /// `rules` outlives the matcher and does not change meanwhile.
  explicit SiteMatcher(const SiteRules& rules);
  SiteMatcher(SiteMatcher&&) noexcept;
  SiteMatcher& operator=(SiteMatcher&&) noexcept;
  ~SiteMatcher();

  /// Copies what it needs: the record's views may die afterwards.
  void add(const Record& record) {
    if (has_patterns_) match(record);
  }

  /// Judges: adds findings to `report`, and to `model` the quotes of their lines. `wanted`: the ids to judge by.
  /// `messages_seen`: the records went through add(); of a summary, which holds few messages, they do not, and rules
  /// with a pattern are not evaluated.
  void judge(std::span<const RuleInfo* const> wanted, bool messages_seen, Model& model, Report& report) const;

 private:
  void match(const Record& record);

  struct Impl;
  std::unique_ptr<Impl> impl_;
  bool has_patterns_ = false;
};

}  // namespace nccl_analyze
