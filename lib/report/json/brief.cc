// Writes the report as one line that fits into the termination message of a container.

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/report.h"
#include "nccl_analyze/rule_parts.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/json_writer.h"

namespace nccl_analyze {

namespace {

/// Limits on the length of a report: columns of each text, and number of suspects.
struct Share {
  std::size_t columns, suspects;
};
/// Limits that are tried in turn, the longest first. With the last ones, every text fits, because an escaped character
/// takes at most six bytes.
constexpr std::array<Share, 5> shares{{{1000, 16}, {500, 8}, {250, 8}, {120, 4}, {30, 1}}};

/// Replaces each run of blanks and line breaks by one blank, and removes those at the start.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n';
    if (!is_blank || (!line.empty() && line.back() != ' ')) line += is_blank ? ' ' : c;
  }
  return line;
}

class Brief {
 public:
  Brief(const Model& model, const Report& report, Share share) : model_(model), report_(report), share_(share) {}

  std::string text() {
    json_.begin_object(Layout::line);
    json_.member("schema", "nccl-analyze.brief");
    json_.member("version", 1);
    const Judgement judgement = judge(model_, report_);
    json_.member("status", to_string(judgement.status));
    json_.member("headline", short_text(judgement.headline));
    write_root();
    json_.end();
    json_.finish();
    return std::move(out_).str();
  }

 private:
  std::string short_text(std::string_view text) const { return truncated(visible(on_one_line(text)), share_.columns); }

  std::optional<std::string> known_text(std::string_view text) const {
    return text.empty() ? std::nullopt : std::optional(short_text(text));
  }

  void write_root() {
    const auto is_fault = [](const Finding& finding) { return finding.severity() != Severity::info; };
    const auto root = std::ranges::find_if(report_.findings, is_fault);  // sorted, the likeliest cause first
    json_.member("findings", report_.findings.size());
    json_.key("root");
    if (root == report_.findings.end()) return json_.null();
    json_.begin_object(Layout::line);
    json_.member("rule", root->rule->id);
    json_.member("name", root->rule->name);
    json_.member("severity", to_string(root->severity()));
    json_.member("message", short_text(root->message));
    json_.member("ranks", short_text(rank_set(root->ranks)));
    write_suspects(*root);
    write_evidence(*root);
    json_.member("fix", short_text(fix_of(*root)));
    json_.end();
  }

  void write_suspects(const Finding& finding) {
    json_.begin_array("suspects", Layout::line);
    for (std::size_t i = 0; i < std::min(share_.suspects, finding.suspects.size()); ++i) {
      const Address address = address_of(model_, finding.suspects[i], finding.communicators);
      json_.begin_object(Layout::line);
      json_.member("rank", known(address.rank));
      json_.member("host", known_text(address.host));
      json_.member("pod", known_text(address.pod));
      json_.member("container", known_text(address.container));
      json_.member("pid", known(address.pid));
      json_.member("gpu", known(address.gpu));
      json_.end();
    }
    json_.end();
    json_.member("suspect_count", finding.suspects.size());
  }

  void write_evidence(const Finding& finding) {
    const std::vector<LineRef> lines = quoted_lines(model_, finding.evidence, 1);
    json_.key("evidence");
    if (lines.empty()) return json_.null();
    const LineRef line = lines.front();
    json_.begin_object(Layout::line);
    const auto source = static_cast<std::size_t>(line.source);
    json_.member("source", source < model_.sources.size() ? short_text(model_.sources[source].name) : std::string());
    json_.member("line", model_.place_in_source(line));
    json_.member("text", short_text(model_.quote(line)));
    json_.end();
  }

  const Model& model_;
  const Report& report_;
  Share share_;
  std::ostringstream out_;
  JsonWriter json_{out_};
};

}  // namespace

void write_brief(std::ostream& out, const Model& model, const Report& report) {
  std::string text;
  for (const Share share : shares) {
    text = Brief(model, report, share).text();
    if (text.size() <= max_brief) break;
  }
  out << text;
}

}  // namespace nccl_analyze
