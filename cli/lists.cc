// Prints the program's own tables, such as the table of rules; reads no log.

#include "cli/lists.h"

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/write_report.h"
#include "input/explanation.h"
#include "input/failure.h"
#include "input/user_requirements.h"
#include "nccl_analyze/report.h"

namespace nccl_analyze {
namespace {

void write_rules(const Options& options, std::span<const RuleInfo* const> rules, Output& output) {
  if (options.rules_format == RulesFormat::markdown) return write_rules_markdown(output.stream(), rules);
  if (options.rules_format == RulesFormat::json) return write_rules_json(output.stream(), rules);
  TextOptions how = text_options(options, output);
  // Output that is not for a terminal has one line for each rule, so that grep can search it.
  if (!output.terminal()) how.columns = std::numeric_limits<std::size_t>::max();
  write_rules_table(output.stream(), rules, how);
}

}  // namespace

int run_rules(const Options& options, Log&) {
  const SiteRules site = read_site_rules(options.site_rules);
  const std::vector<const RuleInfo*> rules = require_rules(options.rules, site);
  Output output;
  write_rules(options, rules, output);
  output.commit();
  return 0;
}

int run_explain(const Options& options, Log&) {
  const SiteRules site = read_site_rules(options.site_rules);
  Output output;
  const bool is_known = write_explanation(output.stream(), options.rules, site, text_options(options, output));
  output.commit();
  return is_known ? 0 : 1;
}

int run_profiles(const Options& options, Log&) {
  Output output;
  if (options.profile_name.empty())
    write_profiles(output.stream(), builtin_profiles());
  else
    write_profile(output.stream(), require_profile(options.profile_name));
  output.commit();
  return 0;
}

int run_expect_bandwidth(const Options& options, Log&) {
  const Profile profile = require_profile(options.profile_name);
  const bool is_json = options.rules_format == RulesFormat::json;
  Output output;
  if (!(is_json ? write_expected_bandwidth_json : write_expected_bandwidth)(output.stream(), profile, options.hosts))
    throw Failure("the bandwidths of " + profile.name + " are not known");
  output.commit();
  return 0;
}

int run_print(const Options& options, Log&) {
  Output output;
  output.stream() << options.text;
  output.commit();
  return 0;
}

}  // namespace nccl_analyze
