// The functions of a session that need no log: they list files, compare two runs, and explain rules and lines.

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>
#include <utility>

#include "c_api/session.h"
#include "input/explanation.h"
#include "input/failure.h"
#include "input/inputs.h"
#include "input/run.h"
#include "nccl_analyze/report.h"
#include "text/blanks.h"
#include "text/nearest.h"

namespace nccl_analyze {
namespace {

/// Returns the topics with these names; throws Failure if there is no such topic.
std::vector<Topic> require_topics(const std::vector<std::string>& names) {
  std::array<std::string_view, topics> known{};
  for (std::size_t i = 0; i < topics; ++i) known[i] = to_string(static_cast<Topic>(i));
  std::vector<Topic> found;
  for (const std::string& name : names) {
    const std::optional<Topic> topic = find_topic(name);
    if (!topic) throw Failure("no topic of a comparison is called " + name + did_you_mean(name, known));
    found.push_back(*topic);
  }
  return found;
}

}  // namespace

std::string Session::list(const std::vector<std::string>& paths) {
  const std::size_t notices_before = notices_.size();
  const InputList list = list_inputs(paths);
  for (const std::string& sentence : list.left_out) log_.warn(sentence);
  for (const std::string& sentence : list.failures) log_.error(sentence);
  std::string names;
  for (const Input& input : list.inputs) names.append(input.path).append(1, '\0');
  if (words_.keeps_summary && !list.failures.empty()) kept_summary().add_reading(list.failures);
  check_reading({.sources = static_cast<std::uint32_t>(list.inputs.size()), .failures = list.failures.size()},
                notices_before);
  return names;
}

std::optional<Judged> Session::diff(const std::string& old_path, const std::string& new_path) {
  const std::vector<Topic> ignored = require_topics(words_.required.ignore);
  // Notices about the two runs are about nothing that the job reads.
  const auto take_notices = [this, before = static_cast<std::ptrdiff_t>(notices_.size())] {
    std::vector<std::string> taken(notices_.begin() + before, notices_.end());
    notices_.erase(notices_.begin() + before, notices_.end());
    return taken;
  };
  try {
    ProtectedInputs read;
    const RunFacts old_run = read_run(old_path, log_, read, waiting());
    const RunFacts new_run = read_run(new_path, log_, read, waiting());
    if (!stopped_) return Judged{compare(old_run, new_run, ignored), take_notices()};
  } catch (const Failure&) {
    take_notices();
    if (!stopped_) throw;  // What a stopped reading has not read is no failure.
  }
  return std::nullopt;
}

std::optional<std::string> Session::explain(std::string_view what, std::string_view format) const {
  const SiteRules site = read_site_rules(words_.required.rules);
  std::vector<std::string> words;
  if (!trimmed(what).empty()) words.emplace_back(trimmed(what));
  std::ostringstream out;
  out.exceptions(std::ios::badbit);
  if (format == "text")
    write_explanation(out, words, site, {});
  else if (format == "json")
    write_rules_json(out, require_rules(words, site));
  else if (format == "markdown")
    write_rules_markdown(out, require_rules(words, site));
  else if (format == "table")
    write_rules_table(out, require_rules(words, site), {.columns = std::numeric_limits<std::size_t>::max()});
  else
    return std::nullopt;
  return std::move(out).str();
}

}  // namespace nccl_analyze
