#pragma once
/// Rules of a site's own, read from JSON (lib/expect/site_rules.md): RE2 patterns on messages, conditions on the model.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct Record;

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
