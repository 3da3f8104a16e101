// Writes the JSON report, `nccl-analyze.report` version 1, with all required keys of report.v1.schema.json in the
// schema's order.

#include <string>
#include <vector>

#include "nccl_analyze/report.h"
#include "queries/jobs.h"
#include "report/json/acceptance.h"
#include "report/json/communicators.h"
#include "report/json/findings.h"
#include "report/json/hosts.h"
#include "report/json/ranks.h"
#include "report/json/tools.h"
#include "report/sentences/failures.h"
#include "report/sentences/next_steps.h"
#include "report/sentences/outcome.h"
#include "report/sentences/verdict.h"
#include "text/json_writer.h"

namespace nccl_analyze {
namespace {

void write_line_ref(JsonWriter& json, const Model& model, LineRef at) {
  json.member("source", static_cast<std::uint32_t>(at.source));
  json.member("line", model.place_in_source(at));
}

void write_tool(JsonWriter& json) {
  json.begin_object("tool", Layout::line);
  json.member("name", "nccl-analyze");
  json.member("version", version());
  json.end();
}

void write_judgement(JsonWriter& json, const Model& model, const Judgement& judgement,
                     const JobOutcome* outcome = nullptr) {
  json.begin_object("verdict", Layout::line);
  json.member("status", to_string(judgement.status));
  json.member("headline", judgement.headline);
  if (outcome != nullptr) {
    json.member("outcome", to_string(outcome->outcome));
    json.begin_array("outcome_lines");
    for (const LineRef at : outcome->lines) {
      json.begin_object();
      write_line_ref(json, model, at);
      json.end();
    }
    json.end();
  }
  json.end();
}

/// Writes the jobs of the input. The list is empty if the input has a single job.
void write_jobs(JsonWriter& json, const Model& model, const Report& report) {
  json.begin_array("jobs");
  for (const Job& job : find_jobs(model)) {
    json.begin_object();
    json.member("nranks", job.nranks);
    json.begin_array("sources", Layout::line);
    for (const SourceId source : job.sources) json.value(static_cast<std::uint32_t>(source));
    json.end();
    write_judgement(json, model, judge(model, report, job));
    json.end();
  }
  json.end();
}

/// Writes the share of recognised NCCL lines; null if there are no NCCL lines.
void write_coverage(JsonWriter& json, std::uint64_t nccl_lines, std::uint64_t unrecognized) {
  json.key("coverage");
  if (nccl_lines == 0) {
    json.null();
  } else {
    json.value(static_cast<double>(nccl_lines - unrecognized) / static_cast<double>(nccl_lines));
  }
}

void write_source(JsonWriter& json, const Source& source) {
  json.begin_object();
  json.member("name", source.name);
  json.member("bytes", source.stats.bytes);
  json.member("lines", source.stats.lines);
  json.member("nccl_lines", source.stats.nccl_lines);
  json.member("unrecognized", source.stats.unrecognized);
  write_coverage(json, source.stats.nccl_lines, source.stats.unrecognized);
  json.member("malformed", source.stats.malformed);
  json.member("truncated", source.stats.truncated);
  if (source.stats.newest_first > 0) json.member("order", "newest first");
  if (source.stats.reversed > 0) json.member("order", "newest first, read from the end");
  if (source.stats.pickles > 0) json.member("form", "pickle, read as JSON");
  json.member("ends_early", source.stats.ends_early > 0);
  json.begin_object("damage", Layout::line);
  for (const Damage damage : {Damage::glued, Damage::joined, Damage::cut, Damage::torn})
    json.member(to_string(damage), source.stats.damage(damage));
  json.end();
  json.end();
}

void write_version(JsonWriter& json, const VersionLines& lines) {
  json.begin_object(Layout::line);
  json.member("library", known(lines.library));
  json.member("version", known(lines.version));
  json.member("nccl_lines", lines.nccl_lines);
  json.member("unrecognized", lines.unrecognized);
  write_coverage(json, lines.nccl_lines, lines.unrecognized);
  json.end();
}

void write_sample(JsonWriter& json, const Model& model, const Sample& sample) {
  json.begin_object(Layout::line);
  json.member("text", sample.text);
  json.member("count", sample.count);
  write_line_ref(json, model, sample.at);
  json.end();
}

/// Writes the damaged lines that the source keeps as samples of each kind. `text` is empty if the text of a line was
/// not kept.
void write_damaged(JsonWriter& json, const Model& model, const Source& source) {
  for (std::size_t kind = 0; kind < damage_kinds; ++kind) {
    for (const LineRef line : source.damaged[kind].lines) {
      json.begin_object(Layout::line);
      json.member("damage", to_string(static_cast<Damage>(kind)));
      json.member("text", model.quote(line));
      write_line_ref(json, model, line);
      json.end();
    }
  }
}

void write_input(JsonWriter& json, const Model& model) {
  std::uint64_t nccl_lines = 0;
  std::uint64_t unrecognized = 0;
  json.begin_object("input");
  json.begin_array("sources");
  for (const Source& source : model.sources) {
    write_source(json, source);
    nccl_lines += source.stats.nccl_lines;
    unrecognized += source.stats.unrecognized;
  }
  json.end();
  json.begin_array("unreadable");
  for (const UnreadableInput& input : model.unreadable) {
    json.begin_object(Layout::line);
    json.member("name", input.name);
    json.member("reason", input.reason);
    json.end();
  }
  json.end();
  json.member("nccl_lines", nccl_lines);
  json.member("unrecognized", unrecognized);
  write_coverage(json, nccl_lines, unrecognized);
  json.begin_array("versions");
  // A version that a framework printed may be that of no line.
  for (const VersionLines& lines : model.versions)
    if (lines.nccl_lines > 0) write_version(json, lines);
  json.end();
  json.member("dropped", model.dropped);
  json.begin_array("unrecognized_samples");
  for (const Sample& sample : model.unrecognized) write_sample(json, model, sample);
  json.end();
  json.begin_array("damaged_samples");
  for (const Source& source : model.sources) write_damaged(json, model, source);
  json.end();
  json.end();
}

void write_plugin(JsonWriter& json, const Plugin& plugin) {
  json.begin_object(Layout::line);
  json.member("kind", plugin.kind);
  json.member("name", known(plugin.name));
  json.member("api", known(plugin.api));
  json.member("library", known(plugin.library));
  json.member("version", known(plugin.version));
  json.member("requested", plugin.requested);
  json.member("status", to_string(plugin.status));
  json.member("reason", known(plugin.reason));
  json.end();
}

void write_bootstrap(JsonWriter& json, const Process& process) {
  json.begin_object("bootstrap");
  json.member("interface", known(process.bootstrap_interface));
  json.member("address", known(process.bootstrap_address));
  json.end();
}

/// Writes `version_inferred`: the release of a process that prints none, inferred from places in NCCL's source.
void write_inferred_version(JsonWriter& json, const Model& model, const InferredVersion& inferred) {
  json.begin_object("version_inferred", Layout::line);
  json.member("library", inferred.library);
  json.begin_array("versions", Layout::line);
  for (const Text& version : inferred.versions) json.value(version);
  json.end();
  json.member("places", inferred.places);
  json.member("matched", inferred.matched.count);
  json.begin_array("lines");
  for (const LineRef at : inferred.matched.lines) {
    json.begin_object();
    write_line_ref(json, model, at);
    json.end();
  }
  json.end();
  json.end();
}

/// Writes `buffers`: the ways for which NCCL registered buffers of the user or refused them.
void write_buffers(JsonWriter& json, const BufferWays& buffers) {
  const auto write = [&json](std::string_view key, std::uint8_t ways) {
    json.begin_array(key);
    for (std::size_t i = 0; i < buffer_ways; ++i)
      if (const auto way = static_cast<BufferWay>(i); (ways & bit_of(way)) != 0) json.value(to_string(way));
    json.end();
  };
  json.begin_object("buffers", Layout::line);
  write("registered", buffers.registered);
  write("refused", buffers.refused);
  json.end();
}

void write_process(JsonWriter& json, const Model& model, const Process& process, std::size_t index) {
  json.begin_object();
  json.member("index", index);
  json.member("host", known(process.host));
  json.member("place", known(process.host_index));
  json.member("pid", known(process.pid));
  json.member("pod", known(process.pod));
  json.member("container", known(process.container));
  json.member("library", known(process.library));
  json.member("version", known(process.version));
  if (process.inferred_version) write_inferred_version(json, model, *process.inferred_version);
  json.member("cuda", known(process.toolkit));
  json.member("driver", process.driver < 0 ? std::nullopt : std::optional{std::to_string(process.driver)});
  write_bootstrap(json, process);
  json.member("network", known(process.network));
  json.member("platform", known(process.platform));
  json.begin_array("plugins");
  for (const Plugin& plugin : process.plugins) write_plugin(json, plugin);
  json.end();
  if (process.buffers != BufferWays{}) write_buffers(json, process.buffers);
  json.begin_object("env");
  for (const auto& [variable, setting] : process.env) {
    json.key_from_log(variable);
    json.value(setting.value);
  }
  json.end();
  json.end();
}

void write_ambiguity(JsonWriter& json, const Model& model, const Ambiguity& ambiguity) {
  json.begin_object(Layout::line);
  json.begin_array("candidates", Layout::line);
  for (const Index candidate : ambiguity.candidates) json.value(candidate);
  json.end();
  json.member("process", known(ambiguity.process));
  json.member("lines", ambiguity.lines);
  write_line_ref(json, model, ambiguity.first);
  json.end();
}

void write_not_evaluated(JsonWriter& json, const NotEvaluated& item) {
  json.begin_object(Layout::line);
  json.member("rule", item.rule);
  json.member("reason", item.reason);
  json.member("needs", known(item.needs));
  json.end();
}

void write_failures(JsonWriter& json, const Model& model, const Report& report) {
  constexpr std::size_t most = 65536;
  const FailureList list = list_failures(model, report);
  json.begin_object("failures");
  json.member("order", known(list.order == FailureOrder::none ? std::string_view{} : to_string(list.order)));
  json.begin_array("processes");
  for (std::size_t i = 0; i < std::min(most, list.failures.size()); ++i) {
    const ProcessFailure& failure = list.failures[i];
    json.begin_object(Layout::line);
    json.member("process", known(failure.process));
    json.member("rank", known(failure.rank));
    json.member("source", static_cast<std::uint32_t>(failure.at.source));
    json.member("line", model.place_in_source(failure.at));
    json.member("message", known(failure.message));
    json.member("first", failure.is_first);
    json.end();
  }
  json.end();
  json.end();
}

void write_next_steps(JsonWriter& json, const Model& model, const Report& report) {
  json.begin_array("next");
  for (const NextStep& step : next_steps(model, report)) {
    json.begin_object(Layout::line);
    json.member("why", step.why);
    json.member("command", step.command);
    json.end();
  }
  json.end();
}

}  // namespace

void write_json(std::ostream& out, const Model& model, const Report& report) {
  JsonWriter json{out};
  json.begin_object();
  json.member("schema", "nccl-analyze.report");
  json.member("version", 1);
  write_tool(json);
  const JobOutcome outcome = outcome_of(model, report);
  write_judgement(json, model, judge(model, report), &outcome);
  write_jobs(json, model, report);
  write_input(json, model);
  json.begin_array("processes");
  for (std::size_t i = 0; i < model.processes.size(); ++i) write_process(json, model, model.processes[i], i);
  json.end();
  write_hosts(json, model);
  write_communicators(json, model);
  const std::vector<CallProgress> progress = find_call_progress(model);
  write_ranks(json, model, progress);
  write_paths(json, model);
  write_progress(json, model, progress);
  write_benchmarks(json, model);
  write_bandwidth(json, model);
  write_machines(json, model);
  write_pods(json, model);
  write_recordings(json, model);
  json.begin_array("ambiguities");
  for (const Ambiguity& ambiguity : model.ambiguities) write_ambiguity(json, model, ambiguity);
  json.end();
  write_failures(json, model, report);
  write_next_steps(json, model, report);
  write_findings(json, model, report);
  json.begin_array("not_evaluated");
  for (const NotEvaluated& item : report.not_evaluated) write_not_evaluated(json, item);
  json.end();
  json.begin_array("checks");
  for (const Check& check : report.checks) write_check(json, check);
  json.end();
  if (report.acceptance) write_acceptance(json, *report.acceptance);
  json.end();
  json.finish();
}

}  // namespace nccl_analyze
