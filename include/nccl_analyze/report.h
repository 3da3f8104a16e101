#pragma once
/// The report writers. They have no effect except on the stream, which stays open and keeps its format flags.

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
/// another program's page), `ranks`, `trace`, `junit`, `sarif`, `github`, `prometheus` (with the time of the call),
/// `otlp` and `dot`, with default options. Returns false, and writes nothing, if `format` is none of these. The
/// functions below describe the formats and take options.
bool write(std::ostream& out, std::string_view format, const Model& model, const Report& report);

/// Writes the report as JSON, `nccl-analyze.report` version 1 (see report.v1.schema.json). Always valid UTF-8.
void write_json(std::ostream& out, const Model& model, const Report& report);

/// The size limit of the output of write_brief() in bytes, with its newline. Kubernetes keeps at most this many bytes
/// of a container's termination message.
inline constexpr std::size_t max_brief = 4096;

/// Writes the verdict, the first finding, its suspects and its fix as one line of JSON. Long texts and lists are cut
/// until the line fits, because a line that Kubernetes cuts would not be valid JSON.
void write_brief(std::ostream& out, const Model& model, const Report& report);

/// The options of the writers of plain text.
struct TextOptions {
  bool color = false;
  bool verbose = false;       ///< Shows every communicator and every explanation.
  std::size_t columns = 100;  ///< Maximum width of a line.
  /// Returns the URL of a source for terminal hyperlinks (OSC 8), in printable ASCII, or an empty string if the source
  /// is not a file. An empty function disables hyperlinks.
  std::function<std::string(const Source& source)> link = {};
};
/// Writes the report for a terminal: verdict, job, findings with evidence and fix. Control characters from the log are
/// shown as escapes.
void write_text(std::ostream& out, const Model& model, const Report& report, const TextOptions& options = {});

/// Writes the report for a ticket, in GitHub's Markdown: verdict, suspects, findings with their evidence, and the rest
/// in collapsed sections. Text from the log is escaped, so that none of it becomes a link, a mention or markup.
void write_markdown(std::ostream& out, const Model& model, const Report& report);

/// Writes the report as one HTML file that loads no external resource, with the graph, a time line, and tables of
/// ranks, settings and communicators. The page is complete without scripts; scripts add sorting, filtering and a search
/// in the graph.
struct HtmlOptions {
  /// Draws DOT as SVG, as `dot -Tsvg` does; returns an empty text if it cannot. The page of a job on at most eight
  /// hosts then contains the pictures of its communicators and machines. Their SVG goes into the page unchanged except
  /// for the ids of its elements, so the function has to escape the texts of the DOT, as Graphviz does. Without a
  /// function the page has no such pictures.
  std::function<std::string(const std::string& dot)> draw = {};
  std::string made_by = {};  ///< The command that makes the page, for the page's last line; any text.
};
void write_html(std::ostream& out, const Model& model, const Report& report, const HtmlOptions& options = {});

/// Writes a time line of initialisations and failures as Chrome trace events, which Perfetto opens. Each rank of each
/// communicator is a track. Times are in microseconds, by the clock that gave most initialisations their timestamps. If
/// no initialisation has a timestamp, each one whose duration NCCL measured (2.22.3+) begins at 0, and failures are
/// left out.
void write_trace(std::ostream& out, const Model& model);

/// Writes a table of the ranks of the largest communicator: host, pod, pid, GPU, state, seconds of the initialisation,
/// last call, and the findings with the rank as a suspect. Columns without any value are omitted. Without a
/// communicator of several ranks, writes one sentence.
void write_ranks(std::ostream& out, const Model& model, const Report& report);

/// Writes a table of the failed processes: a header and a line for each. Processes that died without a message come
/// first, then the others by time, or else by source and line. If none failed, writes one sentence.
void write_failed_ranks(std::ostream& out, const Model& model, const Report& report);

/// Writes the checks and the rules as JUnit XML for CI systems: the suite `job`, a suite for each node if there are
/// expectations, and the suite `rules`. A rule with a finding above info is a failed case; a rule or check that could
/// not be judged is a skipped case.
void write_junit(std::ostream& out, const Model& model, const Report& report);

/// Writes the findings as SARIF 2.1.0 for code scanning: a result for each finding and each consequence, at the lines
/// of its evidence. Names of log files become URIs: an absolute path gets the scheme `file`, other names have no
/// scheme.
void write_sarif(std::ostream& out, const Model& model, const Report& report);

/// Writes the findings as workflow commands of GitHub Actions, which shows them as annotations: root causes first, at
/// most nine because GitHub keeps ten for each step, then the number of the others. Without findings, writes the
/// verdict.
void write_github(std::ostream& out, const Model& model, const Report& report);

/// The options of write_prometheus().
struct PrometheusOptions {
  std::string job = {};   ///< The value of the label `job`; empty: no such label.
  std::int64_t time = 0;  ///< When the analysis ran, in seconds since 1970.
};
/// Writes gauges for node_exporter's textfile collector: findings by rule and, for at most 100 hosts, by host; the
/// verdict, ranks with and without a log, the time of the run. No label contains a rank or a communicator id, so that
/// the number of series is bounded.
void write_prometheus(std::ostream& out, const Model& model, const Report& report,
                      const PrometheusOptions& options = {});

/// The options of write_otlp().
struct OtlpOptions {
  std::string job = {};  ///< The attribute `slurm.job.id`, if the log does not show the job; empty: unknown.
};
/// Writes two lines in the JSON encoding of OpenTelemetry's protocol (OTLP): `resourceLogs` with a log record for the
/// verdict and for each finding, up to 64, and `resourceMetrics` with the gauges of write_prometheus(). Findings that
/// belong to one host or pod have it as their resource. A record has a time only if the log shows it with date and time
/// zone, and no record has the time at which it was observed: equal inputs give equal bytes. Each line is shorter than
/// 1 MiB.
void write_otlp(std::ostream& out, const Model& model, const Report& report, const OtlpOptions& options = {});

/// Writes one line for each profile: its name and description.
void write_profiles(std::ostream& out, std::span<const Profile> profiles);
/// Writes one profile as JSON, which parse_profile() reads.
void write_profile(std::ostream& out, const Profile& profile);

/// Writes the bus bandwidth that each collective can reach at best on one machine of a built-in profile and, if `hosts`
/// is larger, on so many: the links that limit it, the formula, and the figures with their sources. Returns false, and
/// writes nothing, for a profile of the user, of whose machine there are no figures.
bool write_expected_bandwidth(std::ostream& out, const Profile& profile, int hosts);
/// Writes the same as JSON (`nccl-analyze.expected-bandwidth` version 1).
bool write_expected_bandwidth_json(std::ostream& out, const Profile& profile, int hosts);

/// Writes the event of a record, with the record's level and origin, as one JSON object and a newline.
void write_event(std::ostream& out, const Record& record);

/// Which connections between ranks a picture shows.
enum class DotView : std::uint8_t {
  /// The links of rings and all connections. Two ranks have one edge if the transports of both directions are equal,
  /// else one edge for each direction.
  automatic,
  rings,  ///< Only the links of rings, with their channels.
  trees,  ///< Only the links of trees, from parent to child, with their channels.
  /// No communicator but a machine of each kind: GPUs, NVLink, PCIe switches, CPUs and NICs, with the NICs that NCCL
  /// uses and the order of rings. Only DotOptions::inside has an effect.
  machine,
};
/// The options of write_dot().
struct DotOptions {
  DotView view = DotView::automatic;
  /// Selects the hosts that are drawn completely; empty: every host. A rank of another host is drawn only if it is
  /// connected to a selected host.
  std::function<bool(std::string_view host)> inside = {};
  std::size_t hosts_from = 128;  ///< With at least this many ranks, hosts are drawn instead of ranks.
};
/// Writes the graph of a job in Graphviz's DOT: hosts as clusters, ranks as nodes, trees level by level, suspects
/// marked, the verdict as title. Each transport has its own edge colour, dashes, width and letter, which the legend
/// explains. With at least DotOptions::hosts_from ranks, a node is a host, or several hosts in very large jobs, so that
/// the size of the graph is bounded. Notes in the graph list the parts that are not drawn. Nodes, edges and labels have
/// positions (`layout=nop2`), so that Graphviz needs no layout. Text of the log is escaped, so that Graphviz takes none
/// of it for an attribute, an entity or markup.
void write_dot(std::ostream& out, const Model& model, const Report& report, const DotOptions& options = {});

/// Writes rules as a Markdown page.
void write_rules_markdown(std::ostream& out, std::span<const RuleInfo* const> rules);
void write_rules_markdown(std::ostream& out);  ///< All rules.
/// Writes one rule as a Markdown page.
void write_rule_markdown(std::ostream& out, const RuleInfo& rule);
/// Writes rules as a table of id, name, severity and title. Long titles are wrapped at TextOptions::columns.
void write_rules_table(std::ostream& out, std::span<const RuleInfo* const> rules, const TextOptions& options = {});
void write_rules_table(std::ostream& out);  ///< All rules, as Markdown.
/// Writes rules as JSON.
void write_rules_json(std::ostream& out, std::span<const RuleInfo* const> rules);
void write_rules_json(std::ostream& out);  ///< All rules.
/// Writes one rule as plain text.
void write_rule_text(std::ostream& out, const RuleInfo& rule, const TextOptions& options = {});
/// Explains a log line: writes its meaning, the releases that print it, its part in a failure, the rule that reports it
/// and the rule's steps. The line may have any prefix, be cut, or come from a framework. For a line that is not
/// recognised, writes the most similar messages. Returns whether the line was recognised.
bool write_line_page(std::ostream& out, std::string_view line, const TextOptions& options);

}  // namespace nccl_analyze
