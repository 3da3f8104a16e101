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
#include "queries/jobs.h"
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
constexpr std::size_t max_in_list = 8;   ///< Hosts, pods or communicators of a record.
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

/// Returns the manifest of the pod at a location; null if the input has none.
const Pod* manifest_at(const Model& model, const Location& location) {
  const auto found = std::ranges::find_if(model.pods, [&](const Pod& pod) {
    return pod.kind == "Pod" && std::ranges::binary_search(pod.hosts, location.host_index);
  });
  return location.host_index < 0 || found == model.pods.end() ? nullptr : &*found;
}

/// Returns the locations to look at for a finding. A pod that the log does not name has the name in its manifest.
std::set<Location> places_of(const Model& model, const Finding& finding) {
  std::set<Location> places;
  for (Location one : locations_of(model, finding)) {
    if (const Pod* const pod = manifest_at(model, one); one.pod.empty() && pod != nullptr) one.pod = pod->name;
    places.insert(one);
  }
  return places;
}

/// Returns what all locations have in common, of which the first and the last one are enough: they are sorted. Unknown
/// if they have no host in common.
Location shared_by(const std::set<Location>& places) {
  if (places.empty()) return {};
  Location shared = *places.begin();
  const Location& last = *places.rbegin();
  if (shared.host != last.host) return {};
  if (shared.container != last.container || shared.pod != last.pod) shared.container = {};
  if (shared.pod != last.pod) shared.pod = {};
  for (const Location& one : places)
    if (shared.host_index < 0) shared.host_index = one.host_index;
  return shared;
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
    const Location shared = shared_by(places_of(model, *listed[i].finding));
    std::size_t place = 0;
    if (!shared.host.empty() || !shared.pod.empty()) {
      place = known.try_emplace(shared, all.size()).first->second;
      if (place == all.size()) all.push_back({shared, {}});
    }
    all[place].findings.push_back(i);
  }
  return all;
}

/// Whether the name of a source is a path: not that of standard input, nor of a member of an archive, `x.tgz:t.log`.
bool is_path(std::string_view name) { return name != "stdin" && name.find(':') == std::string_view::npos; }

/// Whether a quote is all of a record and is written whole. Marks stand where something was left out before.
bool is_whole(std::string_view quote) {
  constexpr std::string_view left_out = "…";
  return cut(quote, max_quote_bytes) == visible(quote) && quote.find(" ... ") == std::string_view::npos &&
         !quote.starts_with(left_out) && !quote.ends_with(left_out);
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
    if (const Pod* const pod = manifest_at(model_, location); pod != nullptr && !location.pod.empty()) {
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
  /// Writes a list of names as `<key>s`, and where it is cut, their number as `<key>_count`.
  template <class Names>
  void write_names(std::string_view key, const Names& names) {
    if (names.empty()) return;
    begin_attribute(std::string{key}.append("s"));
    json_.begin_object("arrayValue");
    json_.begin_array("values");
    std::size_t left = max_in_list;
    for (auto name = names.begin(); name != names.end() && left > 0; ++name, --left) {
      json_.begin_object();
      json_.member("stringValue", cut(*name, max_name / 4));
      json_.end();
    }
    json_.end();
    json_.end();
    end_attribute();
    if (names.size() > max_in_list) write_number(std::string{key}.append("_count"), names.size());
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
      const std::string name = path_of(model_, lines.front());
      const std::string_view quote = model_.quote(lines.front());
      write_text(is_path(name) ? "log.file.path" : "nccl_analyze.source", name);
      write_number("nccl_analyze.line", model_.place_in_source(lines.front()));
      write_text(is_whole(quote) ? "log.record.original" : "nccl_analyze.quote", quote, max_quote_bytes);
    }
    json_.end();
    json_.end();
  }

  void write_scope(const Finding& finding) {
    std::vector<std::string> communicators;
    for (const Index index : finding.communicators) communicators.push_back(communicator_name(model_, index));
    std::set<std::string_view> hosts, pods;
    for (const Location& place : places_of(model_, finding)) {
      hosts.insert(place.host);
      pods.insert(place.pod);
    }
    hosts.erase("");
    pods.erase("");
    write_names("nccl_analyze.communicator", communicators);
    write_text("nccl_analyze.ranks", short_rank_set(finding.ranks, max_name));
    write_names("nccl_analyze.host", hosts);
    write_names("nccl_analyze.pod", pods);
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
