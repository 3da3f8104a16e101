// Writes a report as gauges for the textfile collector of Prometheus' node_exporter.

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "nccl_analyze/report.h"
#include "report/sentences/finding_list.h"
#include "report/sentences/paths.h"
#include "report/sentences/verdict.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

/// Escapes the value of a label.
std::string label_text(std::string_view raw) {
  std::string out;
  for (const char c : visible(raw)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

class Metrics {
 public:
  Metrics(std::ostream& out, std::string_view job) : out_(out), job_(job) {}

  void begin(std::string_view name, std::string_view help) {
    name_ = name;
    out_ << "# HELP " << name << ' ' << help << "\n# TYPE " << name << " gauge\n";
  }
  /// Writes a sample of the metric that was begun last. `labels` are pairs such as `state="logged"`, separated by
  /// commas.
  void add(std::string labels, std::uint64_t value) {
    if (!job_.empty()) labels.append(labels.empty() ? "" : ",").append("job=\"").append(label_text(job_)).append("\"");
    out_ << name_;
    if (!labels.empty()) out_ << '{' << labels << '}';
    out_ << ' ' << value << '\n';
  }

 private:
  std::ostream& out_;
  std::string_view job_, name_;
};

std::string labels_of(const Finding& finding) {
  return std::string{"rule=\""}
      .append(label_text(finding.rule->id))
      .append("\",name=\"")
      .append(label_text(finding.rule->name))
      .append("\",severity=\"")
      .append(to_string(finding.severity()))
      .append("\"");
}

}  // namespace

void write_prometheus(std::ostream& out, const Model& model, const Report& report, const PrometheusOptions& options) {
  Metrics metrics(out, options.job);
  std::map<std::string, std::uint64_t> findings;
  for (const ListedFinding& listed : list_findings(report)) ++findings[labels_of(*listed.finding)];
  metrics.begin("nccl_analyze_findings", "Findings of the last run by rule.");
  for (const auto& [labels, count] : findings) metrics.add(labels, count);

  const JobStatus status = judge(model, report).status;
  metrics.begin("nccl_analyze_status", "The verdict of the last run: 1 for the status that holds, 0 for the others.");
  for (const JobStatus one : {JobStatus::ok, JobStatus::warning, JobStatus::error, JobStatus::unknown})
    metrics.add(std::string{"status=\""}.append(to_string(one)).append("\""), one == status ? 1 : 0);

  if (const Communicator* const largest = widest_communicator(model); largest != nullptr && largest->nranks > 0) {
    const std::uint64_t logged = largest->ranks.size();
    const auto all = static_cast<std::uint64_t>(largest->nranks);
    metrics.begin("nccl_analyze_ranks", "Ranks of the largest communicator, with and without a log in the input.");
    metrics.add("state=\"logged\"", logged);
    metrics.add("state=\"unlogged\"", all > logged ? all - logged : 0);
  }
  metrics.begin("nccl_analyze_last_run_timestamp_seconds", "When the analysis ran.");
  metrics.add("", static_cast<std::uint64_t>(options.time));
}

}  // namespace nccl_analyze
