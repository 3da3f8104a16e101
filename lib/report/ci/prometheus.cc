// Writes a report as gauges for the textfile collector of Prometheus' node_exporter.

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "nccl_analyze/report.h"
#include "report/ci/metrics.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

/// Formats a label with its value, escaped.
std::string label_text(std::string_view name, std::string_view raw) {
  std::string out{name};
  out += "=\"";
  for (const char c : visible(raw)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out + '"';
}

void write_gauge(std::ostream& out, const Metric& metric, std::string_view job) {
  const std::string name = std::string{"nccl_analyze_"}.append(metric.name);
  out << "# HELP " << name << ' ' << metric.about << "\n# TYPE " << name << " gauge\n";
  for (const Count& count : metric.counts) {
    std::string labels;
    for (const auto& [label, value] : count.labels) append_item(labels, label_text(label, value), ",");
    if (!job.empty()) append_item(labels, label_text("job", job), ",");
    out << name;
    if (!labels.empty()) out << '{' << labels << '}';
    out << ' ' << count.value << '\n';
  }
}

}  // namespace

void write_prometheus(std::ostream& out, const Model& model, const Report& report, const PrometheusOptions& options) {
  for (const Metric& metric : list_metrics(model, report)) write_gauge(out, metric, options.job);
  write_gauge(
      out,
      {"last_run_timestamp_seconds", "s", "When the analysis ran.", {{{}, static_cast<std::uint64_t>(options.time)}}},
      options.job);
}

}  // namespace nccl_analyze
