// Connects inputs, library and output. Everything about NCCL is decided in the library.

#include "cli/analysis.h"

#include <malloc.h>
#include <re2/re2.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include "cli/color.h"
#include "cli/live/follow.h"
#include "cli/live/merge_follow.h"
#include "cli/output.h"
#include "cli/write_report.h"
#include "input/failure.h"
#include "input/inputs.h"
#include "input/logging.h"
#include "input/merging.h"
#include "input/protected_inputs.h"
#include "input/reading.h"
#include "input/save.h"
#include "input/summary_origin.h"
#include "input/user_requirements.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule_parts.h"
#include "nccl_analyze/summary.h"

namespace nccl_analyze {
namespace {

/// Returns the scope of `--host` and `--comm`. Throws Failure on a bad regular expression, or on --comm with a format
/// that has no communicators.
Scope make_scope(const Options& options) {
  Scope scope;
  if (options.host) {
    const auto pattern = std::make_shared<RE2>(*options.host, RE2::Quiet);
    if (!pattern->ok()) throw Failure("--host " + *options.host + " is no regular expression: " + pattern->error());
    scope.host = [pattern](std::string_view host) {
      return RE2::PartialMatch(re2::StringPiece(host.data(), host.size()), *pattern);
    };
  }
  if (options.comm) {
    if (options.format == Format::events)
      throw Failure("--comm does not go with --format events: most lines do not say which communicator they mean");
    scope.comm = *options.comm;
  }
  return scope;
}

/// Lists the first eight names, separated by commas, and an ellipsis if there are more.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) list += (i == 0 ? "" : ", ") + names[i];
  return names.size() > shown ? list + ", …" : list;
}

std::string known_hosts(const Model& model) {
  std::vector<std::string> hosts;
  for (const Process& process : model.processes) hosts.push_back(process.host.str());
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return listed(hosts);
}

}  // namespace

std::string known_communicators(const Model& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.communicators.size(); ++i) {
    const std::string number = "#" + std::to_string(i);
    std::string name = communicator_name(model, static_cast<Index>(i));
    if (name != number) name.append(" (").append(number).append(")");
    names.push_back(std::move(name));
  }
  return names.empty() ? "this input has no communicator" : "the communicators of this input are " + listed(names);
}

namespace {

/// Restricts model and report to the scope. Throws Failure if nothing is left; the message lists the names in the
/// input.
void apply_scope(const Scope& scope, Model& model, Report& report) {
  if (model.processes.empty() || (!scope.host && !scope.comm)) return;
  const std::string hosts = known_hosts(model), communicators = known_communicators(model);
  restrict_to(scope, model, report);
  if (!model.processes.empty() || !model.communicators.empty()) return;
  if (scope.host && !scope.comm) throw Failure("no host matches --host; the hosts of this input are " + hosts);
  throw Failure("no communicator fits --comm" + std::string(scope.host ? " and --host" : "") + "; " + communicators);
}

std::string dot_text(const Model& model, const Report& report, const DotOptions& options) {
  std::ostringstream text;
  write_dot(text, model, report, options);
  return text.str();
}

/// Restricts model and report to the scope, and writes the report.
void write_scoped_report(const Options& options, const Scope& scope, Model& model, Report& report, Output& output) {
  std::string dot;
  // A picture also shows hosts that --host does not select, so it is drawn before the model is restricted.
  if (is_picture(options.format)) {
    apply_scope({.host = {}, .comm = scope.comm}, model, report);
    dot = dot_text(model, report, {.view = options.view, .inside = scope.host});
    apply_scope({.host = scope.host, .comm = {}}, model, report);
  } else {
    apply_scope(scope, model, report);
  }
  write_report(options, model, report, dot, output);
}

/// Returns the options for the messages of --follow. `lines`: whether standard error shows messages.
MessageOptions message_options_of(const Options& options, bool lines) {
  return {.lines = lines,
          .color = use_color(options.color, ::isatty(STDERR_FILENO) == 1, ::getenv),
          .details = options.verbosity == Verbosity::verbose,
          .stall = options.stall,
          .options = options.live};
}

/// Adds a record of a part of a log, in which `before` lines stand before the part.
void add_behind(std::uint64_t before, const Record& record, Summary& summary) {
  if (before == 0) return summary.add(record);
  Record moved = record;
  moved.at = {record.at.source, record.at.line + before};
  summary.add(moved);
}
/// Ends the part.
void end_behind(std::uint64_t before, SourceId source, std::string_view name, ParseStats stats, Summary& summary) {
  stats.move_behind(before);
  summary.add_source(source, name, stats, before);
}

/// Makes glibc take the blocks of a parser from the system and return them, if there are many logs. Each log has a
/// parser of its own, and what the model keeps of a log would be put between the blocks that the parser frees: 16,384
/// logs of eight ranks took 1.2 GB in place of 0.5.
void return_blocks_of_parsers(std::size_t logs) {
  constexpr std::size_t few = 64;
  if (logs <= few) return;
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 1 << 16);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 24);
#endif
}

/// Reads logs and distributes their records. --format events writes each record to `output` as soon as it is read,
/// --format summary adds it to `summary`. The analyzer gets every record with other formats; with these two, only if
/// --fail-on or --follow needs it.
ReadCounts read_logs(const Options& options, const Scope& scope, const InputList& inputs, StdinCopy* save,
                     Summary& summary, Analyzer& analyzer, Output& output, Log& log) {
  const bool events = options.format == Format::events;
  const bool distil = options.format == Format::summary;
  const bool judge = !(events || distil) || !options.fail_on.never() || options.follow;
  if (options.lines_before != 0 && inputs.inputs.size() != 1) throw Failure("--lines-before is about one input");
  return_blocks_of_parsers(inputs.inputs.size());
  const auto build = [&](const Record& record) { analyzer.add(record); };
  const auto take = [&](const Record& record) {
    if (events && (!scope.host || scope.host(record.origin.host))) write_event(output.stream(), record);
    if (distil) add_behind(options.lines_before, record, summary);
    if (judge) analyzer.add(record);
  };
  const auto end_source = [&](SourceId source, std::string_view name, const ParseStats& stats) {
    if (name.starts_with(options.names_from)) name.remove_prefix(options.names_from.size());
    if (distil) end_behind(options.lines_before, source, name, stats, summary);
    analyzer.add_source(source, name, stats);
  };
  const bool show_progress = options.verbosity != Verbosity::quiet && !(events && output.terminal());
  const auto wanted = [&] {
    if (options.follow) output.stream().flush();  // With --follow, users see each event as soon as it is read.
    return !output.failed();
  };
  const RecordSink sink{.record = events || distil ? Parser::Sink(take) : Parser::Sink(build),
                        .source_read = end_source,
                        .wanted = wanted,
                        .save = save};
  if (!options.follow) return read_inputs(inputs, sink, show_progress, log);
  const auto snapshot = [&](std::span<const OpenSource> sources) {
    Analysis now = analyzer.look(sources);
    restrict_to(scope, now.model, now.report);
    return now;
  };
  return follow_inputs(options.paths, sink,
                       {.snapshot = snapshot, .messages = message_options_of(options, show_progress)}, log);
}

ReadCounts read_merged(const Options& options, const Scope& scope, const InputList& inputs, Summary& summary,
                       const AnalyzerOptions& required, Analyzer& analyzer, Log& log) {
  const auto snapshot = [&](Summary so_far) {
    Analyzer replayed(required);
    replayed.add(std::move(so_far));
    Analysis now = std::move(replayed).finish();
    restrict_to(scope, now.model, now.report);
    return now;
  };
  const bool tell = options.verbosity != Verbosity::quiet;
  ReadCounts counts;
  if (options.follow) {
    counts = follow_summaries(options.paths, summary,
                              {.snapshot = snapshot, .messages = message_options_of(options, tell)}, log);
  } else {
    counts = read_summaries(inputs, summary, log);
    log_summary_origins(summary, log);
    add_left_out(summary, counts.unreadable);
  }
  if (options.format != Format::summary)
    analyzer.add(std::move(summary));
  else if (!options.fail_on.never())
    analyzer.add(summary);
  return counts;
}

/// Whether the exit status is 1. Only findings in the report count, so that `--host` and `--comm` narrow the exit
/// status as well.
bool fails(const FailOn& fail_on, const Model& model, const Report& report, Log& log) {
  if (fail_on.threshold && std::ranges::any_of(report.findings, [&](const Finding& finding) {
        return finding.severity() >= *fail_on.threshold;
      }))
    return true;
  if (!fail_on.unknown) return false;
  const std::string question = open_question(model, report);
  if (!question.empty()) log.warn("not judged (--fail-on unknown): " + question);
  return !question.empty();
}

/// Lists the inputs. With --follow, an input need not exist yet, because the inputs are listed again and again.
InputList list_paths(const Options& options) {
  if (options.follow) return list_growing_inputs(options.paths);
  return options.command == Command::merge ? list_inputs_and_copies(options.paths) : list_inputs(options.paths);
}

IsRead kinds_read(const Options& options) { return options.command == Command::merge ? is_log_or_summary : is_log; }

/// Returns the files that no output of this run may replace: its inputs, the files that options name, and its other
/// outputs.
ProtectedInputs read_files(const Options& options, const UserRequirements& user, const InputList& inputs) {
  ProtectedInputs read = user.read;
  read.add(inputs, kinds_read(options));
  if (options.save) read.add(*options.save, "the file of --save");
  if (options.live.news && options.live.news != "-") {
    read.protect_from("--news", *options.live.news);
    read.add(*options.live.news, "the file of --news");
  }
  return read;
}

UserRequirements read_user(const Options& options, Log& log) {
  return read_requirements(
      {options.select, options.ignore, options.expect, options.profile, options.site_rules, options.baseline}, log);
}

/// Writes the summary. A summary of logs is signed with its job, step and node; a merged summary keeps the signatures
/// of its parts.
void write_signed(const Options& options, const ReadCounts& counts, Summary& summary, Output& output) {
  const std::vector<std::string> left_out(counts.unreadable.begin(), counts.unreadable.end());
  if (options.command != Command::merge)
    sign_summary(summary, writer_of({options.job, options.step, options.node}), left_out);
  write_summary(output.stream(), summary);
}

}  // namespace

int check_analysis(const Options& options, Log& log) {
  read_user(options, log);
  make_scope(options);
  return 0;
}

int run_analysis(const Options& options, Log& log) {
  const UserRequirements user = read_user(options, log);
  const Scope scope = make_scope(options);
  const InputList inputs = list_paths(options);  // listed before an output is created in one of the folders
  ProtectedInputs read = read_files(options, user, inputs);
  Output output(options.output, read);
  if (options.format == Format::png && output.terminal())
    throw Failure("a PNG is not for a terminal; use -o FILE, or a pipe");
  if (options.paths.empty() && ::isatty(STDIN_FILENO) == 1) log.info("reading standard input; nccl-analyze --help");
  std::optional<StdinCopy> save;
  if (options.save) save.emplace(*options.save, log);

  Analyzer analyzer(user.options);
  Summary summary;
  const ReadCounts counts =
      options.command == Command::merge
          ? read_merged(options, scope, inputs, summary, user.options, analyzer, log)
          : read_logs(options, scope, inputs, save ? &*save : nullptr, summary, analyzer, output, log);
  for (UnreadableInput& input : unreadable_inputs(counts.unreadable)) analyzer.add_unreadable(std::move(input));
  Analysis job = std::move(analyzer).finish();
  Model& model = job.model;
  Report& report = job.report;
  if (!output.failed() && !check_read(counts, model.has_tool_output(), log)) return 2;
  if (options.format == Format::summary) write_signed(options, counts, summary, output);
  const bool shows_a_job = !model.processes.empty() || !model.communicators.empty();  // before the scope is applied
  write_scoped_report(options, scope, model, report, output);
  if (options.follow) read.add(list_paths(options), kinds_read(options));  // files that appeared meanwhile
  output.commit();

  if (options.fail_on.never()) return 0;
  if (!user.options.requirements.expectations.empty() && !shows_a_job && !options.fail_on.unknown) {
    log.error("nothing in the input can be held against what is expected");
    return 2;
  }
  return fails(options.fail_on, model, report, log) ? 1 : 0;
}

}  // namespace nccl_analyze
