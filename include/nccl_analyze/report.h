#pragma once
/// The report writers. Each is a pure function that writes to a stream, leaves the stream open and restores its format
/// flags.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

struct Record;

/// Writes a report in one of the formats `text`, `json`, `markdown`, `html`, `html-fragment` (verdict and findings for
/// another program's page), `ranks`, `trace`, `junit`, `sarif`, `github`, `prometheus` (with the time of the call) and
/// `dot`, by default options. Returns false, and writes nothing, for another word. The functions below say what each
/// format is, and take options.
bool write(std::ostream& out, std::string_view format, const Model& model, const Report& report);

/// The report as JSON, `nccl-analyze.report` version 1 (see report.v1.schema.json). Always valid UTF-8.
void write_json(std::ostream& out, const Model& model, const Report& report);

/// The size limit of a line of write_brief() in bytes, with its newline: what Kubernetes keeps of the termination
/// message of a container.
inline constexpr std::size_t max_brief = 4096;

/// Writes the verdict, the first finding, its suspects and its fix as one line of JSON. Long texts and lists are cut
/// until the line fits, because a line that Kubernetes cuts would not be valid JSON.
void write_brief(std::ostream& out, const Model& model, const Report& report);

/// The options of write_text().
struct TextOptions {
  bool color = false;
  bool verbose = false;       ///< Shows every communicator and every explanation.
  std::size_t columns = 100;  ///< Maximum width of a line.
  /// Returns the URL of a source for terminal hyperlinks (OSC 8), in printable ASCII, or an empty string if the source
  /// is not a file. An empty function disables hyperlinks.
  std::function<std::string(const Source& source)> link = {};
};
/// The report for a terminal: verdict, job, findings with evidence and fix. Control characters from the log are made
/// visible.
void write_text(std::ostream& out, const Model& model, const Report& report, const TextOptions& options = {});

/// The report for a ticket, in GitHub's Markdown: verdict, suspects, findings with the lines that prove them, the rest
/// in collapsed sections. Text from the log is escaped, so that none of it becomes a link, a mention or markup.
void write_markdown(std::ostream& out, const Model& model, const Report& report);

/// The report as one HTML file that loads no external resource, with the graph, a time line, and tables of ranks,
/// settings and communicators. The page is complete without scripts; scripts add sorting, filtering and a search in the
/// graph.
void write_html(std::ostream& out, const Model& model, const Report& report);

/// The initialisations of ranks and the failures on a time line, as Chrome trace events, which Perfetto opens. Each
/// rank of each communicator is a track. Times are in microseconds, by the clock from which most initialisations have
/// their timestamps. If no initialisation has a timestamp, each initialisation whose duration NCCL measured (2.22.3+)
/// begins at 0.
void write_trace(std::ostream& out, const Model& model);

/// The ranks of the largest communicator as columns: host, pod, pid, GPU, state, seconds of the initialisation, last
/// call, and the findings that suspect the rank. Columns without any value are omitted.
void write_ranks(std::ostream& out, const Model& model, const Report& report);

/// The failed processes, first to last, as columns: a header and a line for each process, two blanks between columns.
void write_failed_ranks(std::ostream& out, const Model& model, const Report& report);

/// The checks and the rules as JUnit XML for CI systems: the suite `job`, a suite for each node if there are
/// expectations, and the suite `rules`. A rule with a finding above info is a failed case; what could not be judged is
/// a skipped case.
void write_junit(std::ostream& out, const Model& model, const Report& report);

/// The findings as SARIF 2.1.0 for code scanning: a result for each finding and each consequence, at the lines of its
/// evidence. Names of log files are written as URIs: an absolute path gets the scheme `file`, other names have none.
void write_sarif(std::ostream& out, const Model& model, const Report& report);

/// The findings as workflow commands of GitHub Actions, which shows them as annotations: root causes first, at most
/// nine because GitHub keeps ten for each step, then the number of the others. Without findings, the verdict.
void write_github(std::ostream& out, const Model& model, const Report& report);

/// The options of write_prometheus().
struct PrometheusOptions {
  std::string job = {};   ///< The value of the label `job`; empty: no such label.
  std::int64_t time = 0;  ///< When the analysis ran, in seconds since 1970.
};
/// Gauges for node_exporter's textfile collector: findings by rule, the verdict, ranks with and without a log, the time
/// of the run. No label holds a host, a rank or an id of a communicator, so that the number of series is bounded.
void write_prometheus(std::ostream& out, const Model& model, const Report& report,
                      const PrometheusOptions& options = {});

/// The names of profiles, each with one line of description.
void write_profiles(std::ostream& out, std::span<const Profile> profiles);
/// One profile as the JSON that parse_profile() reads.
void write_profile(std::ostream& out, const Profile& profile);

/// The event of a record as one JSON object and a newline.
void write_event(std::ostream& out, const Record& record);

/// Which connections between ranks a picture shows.
enum class DotView : std::uint8_t {
  /// The links of rings and all connections. Two ranks have one edge if the transports of both directions are equal,
  /// else one edge for each direction.
  automatic,
  rings,  ///< Only the links of rings, with their channels.
  trees,  ///< Only the links of trees, from parent to child, with their channels.
};
/// The options of write_dot().
struct DotOptions {
  DotView view = DotView::automatic;
  /// Selects the hosts that are drawn completely; empty: every host. A rank of another host is drawn only if it is
  /// connected to a selected host.
  std::function<bool(std::string_view host)> inside = {};
  std::size_t hosts_from = 128;  ///< With at least this many ranks, hosts are drawn instead of ranks.
};
/// The graph of a job in Graphviz's DOT: hosts as clusters, ranks as nodes, trees level by level, suspects marked, the
/// verdict as title. Each transport has its own edge colour, dashes, width and letter, which the legend explains. With
/// at least DotOptions::hosts_from ranks, a node is a host, or several hosts in very large jobs, so that the size of
/// the graph is bounded. Notes in the graph name what is not drawn. Nodes, edges and labels have positions
/// (`layout=nop2`), so that Graphviz only draws. Text of the log is escaped: Graphviz finds no attribute, entity or
/// markup in it.
void write_dot(std::ostream& out, const Model& model, const Report& report, const DotOptions& options = {});

/// Rules as a Markdown page.
void write_rules_markdown(std::ostream& out, std::span<const RuleInfo* const> rules);
void write_rules_markdown(std::ostream& out);  ///< All rules.
/// Rules as a table of id, name, severity and title, which is broken at TextOptions::columns.
void write_rules_table(std::ostream& out, std::span<const RuleInfo* const> rules, const TextOptions& options = {});
void write_rules_table(std::ostream& out);  ///< All rules, as Markdown.
/// Rules as JSON.
void write_rules_json(std::ostream& out, std::span<const RuleInfo* const> rules);
void write_rules_json(std::ostream& out);  ///< All rules.
/// One rule as plain text.
void write_rule_text(std::ostream& out, const RuleInfo& rule, const TextOptions& options = {});
/// Writes what the line means, since and until when it is printed, its part in a failure, the rule that reports it and
/// the rule's steps. The line may have any prefix, be cut, or come from a framework. For a line that nothing
/// recognises, writes the nearest wordings. Returns whether the line was recognised.
bool write_line_page(std::ostream& out, std::string_view line, const TextOptions& options);

}  // namespace nccl_analyze
