// Writes the report as one line that fits into the termination message of a container.

#include "report/json/brief.h"

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
constexpr Share share_of_page{4000, 16};

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
    begin("nccl-analyze.brief");
    write_root();
    return end();
  }

  std::string page(std::size_t offset, std::size_t limit) {
    const std::size_t all = report_.findings.size(), first = std::min(offset, all);
    const std::size_t last = first + std::min(limit, all - first);
    begin("nccl-analyze.findings");
    json_.member("findings_total", all);
    json_.member("next_offset", last < all ? std::optional(last) : std::nullopt);
    json_.begin_array("findings", Layout::line);
    for (std::size_t at = first; at < last; ++at) {
      const Finding& finding = report_.findings[at];
      json_.begin_object(Layout::line);
      write_members(finding);
      json_.begin_array("consequences", Layout::line);
      for (const Finding& consequence : finding.consequences) json_.value(consequence.rule->id);
      json_.end();
      json_.end();
    }
    json_.end();
    return end();
  }

 private:
  void begin(std::string_view schema) {
    json_.begin_object(Layout::line);
    json_.member("schema", schema);
    json_.member("version", 1);
    const Judgement judgement = judge(model_, report_);
    json_.member("status", to_string(judgement.status));
    json_.member("headline", short_text(judgement.headline));
  }

  std::string end() {
    json_.end();
    json_.finish();
    return std::move(out_).str();
  }

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
    write_members(*root);
    json_.end();
  }

  void write_members(const Finding& finding) {
    json_.member("rule", finding.rule->id);
    json_.member("name", finding.rule->name);
    json_.member("severity", to_string(finding.severity()));
    json_.member("message", short_text(finding.message));
    json_.member("ranks", short_text(rank_set(finding.ranks)));
    write_suspects(finding);
    write_evidence(finding);
    json_.member("fix", short_text(fix_of(finding)));
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

void write_finding_page(std::ostream& out, const Model& model, const Report& report, const FindingPage& page) {
  std::string text;
  for (std::size_t limit = page.limit; limit > 0; limit /= 2) {
    text = Brief(model, report, share_of_page).page(page.offset, limit);
    if (text.size() <= page.bytes) break;
  }
  out << text;
}

}  // namespace nccl_analyze
