// Writes the findings as SARIF 2.1.0, within the limits of GitHub's code scanning.

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/report.h"
#include "report/sentences/finding_list.h"
#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/json_writer.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_locations = 100;  // GitHub shows at most this many locations of a result.
constexpr std::size_t max_results = 5000;   // GitHub shows at most this many results of a run.

std::string_view level_of(Severity severity) {
  constexpr std::string_view levels[] = {"note", "warning", "error"};
  return levels[static_cast<std::size_t>(severity)];
}

std::string uri_of(const std::string& path) { return (path.starts_with('/') ? "file://" : "") + uri_text(path); }

/// FNV-1a, 64 bits: the number must be the same on every machine and in every release.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

class SarifWriter {
 public:
  SarifWriter(std::ostream& out, const Model& model, const Report& report)
      : json_(out), model_(model), listed_(list_findings(report)) {
    for (const ListedFinding& one : listed_) rules_.push_back(one.finding->rule);
    std::ranges::sort(rules_, {}, &RuleInfo::id);
    rules_.erase(std::unique(rules_.begin(), rules_.end()), rules_.end());
  }

  void write() {
    json_.begin_object();
    json_.member(
        "$schema",
        std::string_view{"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"});
    json_.member("version", std::string_view{"2.1.0"});
    json_.begin_array("runs");
    json_.begin_object();
    write_driver();
    json_.begin_array("results");
    for (std::size_t i = 0; i < std::min(listed_.size(), max_results); ++i) write_result(listed_[i]);
    json_.end();
    json_.member("columnKind", std::string_view{"unicodeCodePoints"});
    json_.end();
    json_.end();
    json_.end();
    json_.finish();
  }

 private:
  void write_driver() {
    json_.begin_object("tool");
    json_.begin_object("driver");
    json_.member("name", std::string_view{"nccl-analyze"});
    json_.member("version", version());
    json_.begin_array("rules");
    for (const RuleInfo* const rule : rules_) write_rule(*rule);
    json_.end();
    json_.end();
    json_.end();
  }

  void write_text_object(std::string_view key, std::string_view text) {
    json_.begin_object(key, Layout::line);
    json_.member("text", text);
    json_.end();
  }

  void write_rule(const RuleInfo& rule) {
    json_.begin_object();
    json_.member("id", rule.id);
    json_.member("name", rule.name);
    write_text_object("shortDescription", rule.words->title.empty() ? rule.name : rule.words->title);
    if (!rule.words->explanation.empty()) write_text_object("fullDescription", rule.words->explanation);
    if (!rule.words->fix.empty()) {
      json_.begin_object("help");
      json_.member("text", rule.words->fix);
      json_.member("markdown", rule.words->fix);
      json_.end();
    }
    json_.begin_object("defaultConfiguration", Layout::line);
    json_.member("level", level_of(rule.severity));
    json_.end();
    json_.end();
  }

  void write_result(const ListedFinding& listed) {
    const Finding& finding = *listed.finding;
    json_.begin_object();
    json_.member("ruleId", finding.rule->id);
    json_.member("ruleIndex", std::ranges::find(rules_, finding.rule) - rules_.begin());
    json_.member("level", level_of(finding.severity()));
    write_text_object("message", message_of(listed));
    json_.begin_array("locations");
    const std::vector<LineRef> lines = quoted_lines(model_, finding.evidence, max_locations);
    for (const LineRef at : lines) write_location(at);
    // GitHub requires a location, so a result without lines gets the first source.
    if (lines.empty() && !model_.sources.empty()) write_location(LineRef(SourceId{0}, 1));
    json_.end();
    write_fingerprint(finding, lines);
    json_.end();
  }

  void write_location(LineRef at) {
    json_.begin_object();
    json_.begin_object("physicalLocation");
    json_.begin_object("artifactLocation", Layout::line);
    json_.member("uri", uri_of(path_of(model_, at)));
    json_.end();
    json_.begin_object("region");
    json_.member("startLine", model_.place_in_source(at));
    if (const std::string_view quote = model_.quote(at); !quote.empty()) write_text_object("snippet", quote);
    json_.end();
    json_.end();
    json_.end();
  }

  /// The same finding has the same fingerprint in every run as long as its rule and its first line are the same. A
  /// number after the hash distinguishes findings with equal hashes.
  void write_fingerprint(const Finding& finding, const std::vector<LineRef>& lines) {
    const std::string_view quote = lines.empty() ? std::string_view{} : model_.quote(lines.front());
    const std::string hash = to_hex(hash_of(std::string{finding.rule->id}.append("\n").append(quote)));
    json_.begin_object("partialFingerprints", Layout::line);
    json_.member("primaryLocationLineHash", hash + ":" + std::to_string(++seen_[hash]));
    json_.end();
  }

  JsonWriter json_;
  const Model& model_;
  std::vector<ListedFinding> listed_;
  std::vector<const RuleInfo*> rules_;  ///< The rules of the findings, in id order.
  std::map<std::string, int> seen_;     ///< How often each hash was written.
};

}  // namespace

void write_sarif(std::ostream& out, const Model& model, const Report& report) {
  SarifWriter(out, model, report).write();
}

}  // namespace nccl_analyze
