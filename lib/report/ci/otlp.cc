// Writes the findings as log records and the counts as gauges of OpenTelemetry, in the JSON encoding of its protocol:
// integers of 64 bits are strings, enumerations are numbers. No time is written that the log does not prove, so that
// equal inputs give equal bytes.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/rule_parts.h"
#include "report/ci/metrics.h"
#include "report/sentences/finding_list.h"
#include "report/sentences/verdict.h"
#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/json_writer.h"
#include "text/message_text.h"
#include "text/rune.h"

namespace nccl_analyze {
namespace {

// Collectors read lines of at most 1 MiB by default; a line with these limits is shorter, whatever the log holds.
constexpr std::size_t max_records = 64;  ///< Findings.
constexpr std::size_t max_in_list = 8;   ///< Hosts or communicators of a record.
constexpr std::size_t max_name = 256, max_body = 1024, max_step = 700, max_quote_bytes = 512;

/// Returns at most `most` bytes of the visible text on one line; a code point that is cut is left out.
std::string cut(std::string_view raw, std::size_t most) {
  std::string line{raw};
  std::ranges::replace(line, '\n', ' ');
  std::string text = visible(line);
  if (text.size() <= most) return text;
  while (most > 0 && continues(static_cast<unsigned char>(text[most]))) --most;
  text.resize(most);
  return text;
}

/// Returns the number of a severity as OpenTelemetry defines it.
int severity_number(Severity severity) {
  constexpr int numbers[] = {9, 13, 17};
  return numbers[static_cast<std::size_t>(severity)];
}

Severity severity_of(JobStatus status) {
  constexpr Severity severities[] = {Severity::info, Severity::warning, Severity::error, Severity::info};
  return severities[static_cast<std::size_t>(status)];  // ok, warning, error, unknown
}

/// Returns the time of the earliest incident of the finding, in nanoseconds since 1970; -1 if no line proves one.
std::int64_t time_of(const Model& model, const Finding& finding) {
  constexpr std::int64_t nanos = 1000, most = std::numeric_limits<std::int64_t>::max() / nanos;  // a damaged year
  std::int64_t first = -1;
  for (const Index index : finding.incidents) {
    const std::int64_t time = model.incidents[index].first_utc;
    if (time >= 0 && time < most && (first < 0 || time * nanos < first)) first = time * nanos;
  }
  return first;
}

/// Returns the number in the name of a file that Slurm writes by default, `slurm-77.out`; empty if there is none.
std::string_view slurm_job_in(std::string_view path) {
  constexpr std::string_view before = "slurm-";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with(before)) return {};
  const std::string_view rest = name.substr(before.size());
  return rest.substr(0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
}

/// Returns the job that Slurm's own lines and the names of the inputs show, or `known` if they show none. Empty if they
/// show several.
std::string slurm_job_of(const Model& model, const std::string& known) {
  std::set<std::string_view> jobs;
  for (const Incident& incident : model.incidents) {
    const std::string_view job = incident.event.as<JobCancelled>().job;
    jobs.insert(job.substr(0, job.find('.')));  // without the step
  }
  for (const Source& source : model.sources) jobs.insert(slurm_job_in(source.name));
  jobs.erase("");
  if (jobs.empty()) return known;
  return jobs.size() == 1 ? std::string{*jobs.begin()} : std::string{};
}

/// The findings of one location; those of the job if `location` is unknown.
struct LocatedFindings {
  Location location = {};
  std::vector<std::size_t> findings = {};  ///< Positions in the list of findings.
};

/// Returns the findings that belong to the job, then those of each location that has findings of its own.
std::vector<LocatedFindings> locate(const Model& model, const std::vector<ListedFinding>& listed) {
  std::vector<LocatedFindings> all(1);
  std::map<Location, std::size_t> known;
  for (std::size_t i = 0; i < std::min(listed.size(), max_records); ++i) {
    const std::set<Location> locations = locations_of(model, *listed[i].finding);
    std::size_t place = 0;
    if (locations.size() == 1) {
      place = known.try_emplace(*locations.begin(), all.size()).first->second;
      if (place == all.size()) all.push_back({*locations.begin(), {}});
    }
    all[place].findings.push_back(i);
  }
  return all;
}

/// Returns the manifest of the pod at a location; null if the input has none.
const Pod* manifest_at(const Model& model, const Location& location) {
  const auto found = std::ranges::find_if(model.pods, [&](const Pod& pod) {
    return pod.kind == "Pod" && std::ranges::binary_search(pod.hosts, location.host_index);
  });
  return location.host_index < 0 || found == model.pods.end() ? nullptr : &*found;
}

class OtlpWriter {
 public:
  OtlpWriter(std::ostream& out, const Model& model, const Report& report, const OtlpOptions& options)
      : json_(out), model_(model), report_(report), listed_(list_findings(report)) {
    slurm_job_ = slurm_job_of(model, options.job);
  }

  void write_logs() {
    begin_signal("resourceLogs");
    for (const LocatedFindings& one : locate(model_, listed_)) {
      begin_resource(one.location, "scopeLogs", "logRecords");
      if (one.location.host.empty() && one.location.pod.empty()) write_verdict();
      for (const std::size_t position : one.findings) write_finding(position);
      end_resource();
    }
    end_signal();
  }

  void write_metrics() {
    begin_signal("resourceMetrics");
    begin_resource({}, "scopeMetrics", "metrics");
    for (const Metric& metric : list_metrics(model_, report_))
      if (!metric.counts.empty()) write_gauge(metric);
    end_resource();
    end_signal();
  }

 private:
  void begin_signal(std::string_view key) {
    json_.begin_object(Layout::line);
    json_.begin_array(key);
  }
  void end_signal() {
    json_.end();
    json_.end();
    json_.finish();
  }

  /// Begins a resource, the only scope in it, and the list of records in that.
  void begin_resource(const Location& location, std::string_view scopes, std::string_view records) {
    json_.begin_object();
    json_.begin_object("resource");
    json_.begin_array("attributes");
    write_text("service.name", "nccl-analyze");  // own_output() recognises the format by this
    write_text("slurm.job.id", slurm_job_);
    write_text("host.name", location.host);
    write_text("k8s.pod.name", location.pod);
    write_text("k8s.container.name", location.container);
    if (const Pod* const pod = manifest_at(model_, location); pod != nullptr) {
      write_text("k8s.namespace.name", pod->name_space);
      write_text("k8s.node.name", pod->node);
    }
    json_.end();
    json_.end();
    json_.begin_array(scopes);
    json_.begin_object();
    json_.begin_object("scope");
    json_.member("name", "nccl-analyze");
    json_.member("version", version());
    json_.end();
    json_.begin_array(records);
  }
  void end_resource() {
    for (int open = 0; open < 4; ++open) json_.end();
  }

  void begin_attribute(std::string_view key) {
    json_.begin_object();
    json_.member("key", key);
    json_.begin_object("value");
  }
  void end_attribute() {
    json_.end();
    json_.end();
  }
  /// Writes an attribute; nothing if the text is empty.
  void write_text(std::string_view key, std::string_view text, std::size_t most = max_name) {
    if (text.empty()) return;
    begin_attribute(key);
    json_.member("stringValue", cut(text, most));
    end_attribute();
  }
  void write_number(std::string_view key, std::uint64_t number) {
    begin_attribute(key);
    json_.member("intValue", std::to_string(number));
    end_attribute();
  }
  void write_texts(std::string_view key, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    begin_attribute(key);
    json_.begin_object("arrayValue");
    json_.begin_array("values");
    for (std::size_t i = 0; i < std::min(texts.size(), max_in_list); ++i) {
      json_.begin_object();
      json_.member("stringValue", cut(texts[i], max_name / 4));
      json_.end();
    }
    json_.end();
    json_.end();
    end_attribute();
  }

  void begin_record(std::string_view event, Severity severity, std::string_view body) {
    json_.member("severityNumber", severity_number(severity));
    json_.member("severityText", label_of(severity));
    json_.member("eventName", event);
    json_.begin_object("body");
    json_.member("stringValue", cut(body, max_body));
    json_.end();
    json_.begin_array("attributes");
  }

  void write_verdict() {
    const Verdict verdict = verdict_of(model_, report_);
    json_.begin_object();
    begin_record("nccl_analyze.verdict", severity_of(verdict.status), verdict.headline);
    write_text("nccl_analyze.status", to_string(verdict.status));
    write_text("nccl_analyze.outcome", to_string(verdict.outcome));
    write_number("nccl_analyze.findings", listed_.size());
    if (listed_.size() > max_records) write_number("nccl_analyze.findings_left_out", listed_.size() - max_records);
    json_.end();
    json_.end();
  }

  void write_finding(std::size_t position) {
    const ListedFinding& listed = listed_[position];
    const Finding& finding = *listed.finding;
    json_.begin_object();
    if (const std::int64_t time = time_of(model_, finding); time >= 0)
      json_.member("timeUnixNano", std::to_string(time));
    begin_record("nccl_analyze.finding", finding.severity(), concat(finding.shown_title(), ": ", finding.message));
    write_number("nccl_analyze.position", position + 1);
    write_text("nccl_analyze.rule.id", finding.rule->id);
    write_text("nccl_analyze.rule.name", finding.rule->name);
    if (listed.cause != nullptr) write_text("nccl_analyze.cause", listed.cause->rule->id);
    write_scope(finding);
    if (const std::vector<Step> steps = steps_of(finding); !steps.empty()) {
      write_text("nccl_analyze.step", steps.front().text, max_step);
      write_text("nccl_analyze.command", steps.front().command, max_quote_bytes);
    }
    if (const std::vector<LineRef> lines = quoted_lines(model_, finding.evidence, 1); !lines.empty()) {
      write_text("log.file.path", path_of(model_, lines.front()));
      write_number("nccl_analyze.line", model_.place_in_source(lines.front()));
      write_text("log.record.original", model_.quote(lines.front()), max_quote_bytes);
    }
    json_.end();
    json_.end();
  }

  void write_scope(const Finding& finding) {
    std::vector<std::string> communicators, hosts;
    for (const Index index : finding.communicators) communicators.push_back(communicator_name(model_, index));
    for (const Location& location : locations_of(model_, finding))
      if (!location.host.empty() && (hosts.empty() || hosts.back() != location.host)) hosts.emplace_back(location.host);
    write_texts("nccl_analyze.communicators", communicators);
    write_text("nccl_analyze.ranks", short_rank_set(finding.ranks, max_name));
    write_texts("nccl_analyze.hosts", hosts);
  }

  void write_gauge(const Metric& metric) {
    json_.begin_object();
    json_.member("name", std::string{"nccl_analyze."}.append(metric.name));
    json_.member("description", metric.about);
    if (!metric.unit.empty()) json_.member("unit", metric.unit);
    json_.begin_object("gauge");
    json_.begin_array("dataPoints");
    for (const Count& count : metric.counts) {
      json_.begin_object();
      json_.begin_array("attributes");
      for (const auto& [label, value] : count.labels) write_text(label, value);
      json_.end();
      json_.member("asInt", std::to_string(count.value));
      json_.end();
    }
    json_.end();
    json_.end();
    json_.end();
  }

  JsonWriter json_;
  const Model& model_;
  const Report& report_;
  std::vector<ListedFinding> listed_;
  std::string slurm_job_;
};

}  // namespace

void write_otlp(std::ostream& out, const Model& model, const Report& report, const OtlpOptions& options) {
  OtlpWriter writer(out, model, report, options);
  writer.write_logs();
  writer.write_metrics();
}

}  // namespace nccl_analyze
