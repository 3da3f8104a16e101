// The table of tools. An answer is a page of lines, so that it fits into the small context of a model; the note behind
// the page says how to get the next one.

#include "cli/mcp/tools.h"

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <sstream>

#include "cli/analysis.h"
#include "cli/mcp/call.h"
#include "input/explanation.h"
#include "input/failure.h"
#include "input/reading.h"
#include "input/run.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/report.h"
#include "queries/jobs.h"
#include "report/json/brief.h"
#include "report/text/aligned_rows.h"
#include "text/blanks.h"
#include "text/escape.h"
#include "text/message_text.h"
#include "text/split.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t default_lines = 120, most_lines = 1000, most_bytes = std::size_t{48} << 10U;
constexpr std::size_t default_findings = 5, most_findings = 50;

constexpr std::array<std::string_view, 3> report_formats{"text", "brief", "json"};
constexpr Argument paths_argument{
    "paths", ArgumentKind::paths,
    "Logs, folders of logs or archives of one job, absolute or relative to a folder of the server", true};
constexpr Argument offset_argument{"offset", ArgumentKind::number, "First line of the page, from 0"};
constexpr Argument limit_argument{"limit", ArgumentKind::number, "Lines of the page: 120, at most 1000"};

constexpr std::array files_arguments{
    Argument{"path", ArgumentKind::text,
             "The folder to list, absolute or relative to a folder of the server; without it the folder of the server, "
             "or its folders if it has several"},
    offset_argument, limit_argument};

constexpr std::array analyze_arguments{
    paths_argument,
    Argument{"format", ArgumentKind::text,
             "text (default): the whole report; brief: verdict, first finding, suspects and fix in at most 4096 bytes; "
             "json: verdict and a page of findings (5, at most 50)",
             false, report_formats},
    Argument{"offset", ArgumentKind::number, "First line (json: finding) of the page, from 0; not with brief"},
    Argument{"limit", ArgumentKind::number,
             "Size of the page: lines with text (120, at most 1000), findings with json (5, at most 50); not with "
             "brief"}};
constexpr std::array ranks_arguments{
    paths_argument, Argument{"failed", ArgumentKind::flag, "Only the ranks that failed, the first one marked"},
    Argument{"comm", ArgumentKind::text,
             "Only this communicator: name, id or number (#1); without it the largest, or the failures of all"},
    offset_argument, limit_argument};
constexpr std::array explain_arguments{
    Argument{"what", ArgumentKind::text,
             "Id (NCA302), name or family (NCA3) of a rule, or one line of a log as it was printed", true},
    offset_argument, limit_argument};
constexpr std::array diff_arguments{
    Argument{"old", ArgumentKind::text,
             "The good run: log, folder, archive, summary or JSON report, absolute or relative to a folder of the "
             "server",
             true},
    Argument{"new", ArgumentKind::text, "The other run, named in the same way", true}, offset_argument, limit_argument};
constexpr std::array rules_arguments{
    Argument{"family", ArgumentKind::text, "Beginning of ids: NCA3 for networks; without it all rules"},
    offset_argument, limit_argument};

/// Returns the lines of the call's page, and notes how to get the others.
std::string page_of(std::string_view text, Call& call) {
  const std::size_t first = call.number("offset", 0);
  const std::size_t most = std::clamp(call.number("limit", default_lines), std::size_t{1}, most_lines);
  std::string page;
  std::size_t line = 0, end = first;
  for (; !text.empty(); ++line) {
    const std::string_view one = take_until(text, '\n');
    if (line != end || line >= first + most || page.size() >= most_bytes) continue;
    page += truncated(visible(one), most_bytes) + "\n";
    ++end;
  }
  if (first > 0 && first >= line) throw Failure(concat("offset is too large: there are ", line, " lines"));
  if (end < line) call.note(concat("lines ", first, " to ", end - 1, " of ", line, "; offset=", end, " goes on"));
  return page;
}

Analysis read_job(Call& call) {
  Analyzer analyzer;
  const RecordSink sink{.record = [&](const Record& record) { analyzer.add(record); },
                        .source_read =
                            [&](SourceId source, std::string_view name, const ParseStats& stats) {
                              analyzer.add_source(source, call.folders().shown(std::string(name)), stats);
                            },
                        .wanted = [] { return true; },
                        .wait = [](int) { return true; }};
  const ReadCounts counts = read_inputs(call.folders().list(call.texts("paths")), sink, false, call.log());
  for (UnreadableInput& input : unreadable_inputs(counts.unreadable)) analyzer.add_unreadable(std::move(input));
  Analysis job = std::move(analyzer).finish();
  if (!check_read(counts, job.model.has_tool_output(), call.log())) throw Failure("nothing could be read");
  if (const std::size_t jobs = find_jobs(job.model).size(); jobs > 1)
    call.note(concat(jobs, " jobs are in this input; name the logs of one"));
  return job;
}

std::string list_files(Call& call) {
  const std::string path(call.text("path"));
  const FolderList list = call.folders().look_into(call.has("path") ? &path : nullptr);
  std::vector<std::vector<std::string>> rows;
  for (const FolderEntry& entry : list.entries)
    rows.push_back(
        {entry.size ? "file" : "folder", entry.size ? std::to_string(*entry.size) : "", printable(entry.name)});
  std::ostringstream out;
  write_aligned_rows(out, rows);
  if (list.left_out > 0)
    call.note(concat(list.left_out, " left out: no file and no folder within those of this server"));
  return rows.empty() ? "No file and no folder.\n" : page_of(out.view(), call);
}

std::string analyze_logs(Call& call) {
  if (call.text("format") == "brief" && (call.has("offset") || call.has("limit")))
    throw Failure("the format brief has no pages: leave out offset and limit");
  const Analysis job = read_job(call);
  std::ostringstream out;
  const std::string_view format = call.text("format");
  if (format == "brief") {
    write_brief(out, job.model, job.report);
  } else if (format == "json") {
    const std::size_t most = std::clamp(call.number("limit", default_findings), std::size_t{1}, most_findings);
    const std::size_t first = call.number("offset", 0), all = job.report.findings.size();
    if (first > 0 && first >= all) throw Failure(concat("offset is too large: there are ", all, " findings"));
    write_finding_page(out, job.model, job.report, {.offset = first, .limit = most, .bytes = most_bytes});
  } else {
    write_text(out, job.model, job.report);
    return page_of(out.view(), call);
  }
  return std::move(out).str();
}

std::string list_ranks(Call& call) {
  if (call.has("comm") && call.text("comm").empty()) throw Failure("comm is empty: leave it out");
  Analysis job = read_job(call);
  const std::string names = known_communicators(job.model);
  const auto of_several = std::ranges::count_if(job.model.communicators, [](auto& comm) { return comm.nranks > 1; });
  if (call.has("comm")) {
    restrict_to({.host = {}, .comm = std::string(call.text("comm"))}, job.model, job.report);
    if (job.model.communicators.empty()) throw Failure("no communicator fits comm; " + names);
  } else if (of_several > 1 && !call.flag("failed")) {
    call.note("for another communicator give comm; " + printable(names));
  }
  std::ostringstream out;
  (call.flag("failed") ? write_failed_ranks : write_ranks)(out, job.model, job.report);
  return page_of(out.view(), call);
}

std::string explain(Call& call) {
  std::ostringstream out;
  const std::string word(trimmed(call.text("what")));
  if (!write_explanation(out, {&word, 1}, {}, {})) call.note("This line is not recognised.");
  return page_of(out.view(), call);
}

std::string compare_runs(Call& call) {
  const auto read = [&](std::string_view name) {
    const std::string path(call.text(name));
    return read_run(path, call.folders().list({path}), call.log());
  };
  const RunFacts before = read("old"), after = read("new");
  const RunDiff diff = compare(before, after);
  std::ostringstream out;
  write_diff_text(out, diff);
  return diff.same() && out.view().empty() ? "Both runs show the same.\n" : page_of(out.view(), call);
}

std::string list_rules(Call& call) {
  std::vector<std::string> words;
  if (!call.text("family").empty()) words.emplace_back(call.text("family"));
  std::ostringstream out;
  write_rules_table(out, require_rules(words, {}), {.columns = std::numeric_limits<std::size_t>::max()});
  return page_of(out.view(), call);
}

struct Tool {
  std::string_view name, title, about;
  std::span<const Argument> arguments;
  std::string (*run)(Call& call);
};
constexpr std::array tools{
    Tool{
        "files", "List files",
        "A line for each entry of a folder that this server may read: kind, bytes, and the path that other tools take. "
        "Call it if you do not know where the logs are.",
        files_arguments, list_files},
    Tool{
        "analyze", "Analyze NCCL logs",
        "Reads the NCCL or RCCL logs of one distributed job (NCCL_DEBUG output, also beside nvidia-smi topo -m, "
        "ibstat, "
        "nccl-tests, flight recorder or RAS dumps) and says what the job is, whether it is healthy, the likely root "
        "cause with the lines that prove it, and what to do. Call it before the tools below, with every log of the job "
        "at once.",
        analyze_arguments, analyze_logs},
    Tool{"explain", "Explain a rule or a log line",
         "What a rule (NCA302) or a pasted line of a log means, why it happens and what to do. Needs no file.",
         explain_arguments, explain},
    Tool{"ranks", "List ranks",
         "A table with a line for each rank: host, pod, pid, GPU, state, last call, findings that suspect it; or who "
         "failed first.",
         ranks_arguments, list_ranks},
    Tool{"diff", "Compare two runs",
         "What changed between a good and a bad run of a job (versions, settings, network, paths, channels, times), "
         "likeliest to matter first.",
         diff_arguments, compare_runs},
    Tool{"rules", "List rules", "Id, name, severity and title of the rules, by which logs are judged.", rules_arguments,
         list_rules}};

void write_argument(JsonWriter& json, const Argument& argument) {
  constexpr std::array<std::string_view, 4> types{"string", "array", "integer", "boolean"};
  json.begin_object(argument.name, Layout::line);
  json.member("type", types[static_cast<std::size_t>(argument.kind)]);
  json.member("description", argument.about);
  if (argument.kind == ArgumentKind::number) json.member("minimum", 0);
  if (argument.kind == ArgumentKind::paths) {
    json.member("minItems", 1);
    json.begin_object("items", Layout::line);
    json.member("type", "string");
    json.end();
  }
  if (!argument.choices.empty()) {
    json.begin_array("enum", Layout::line);
    for (const std::string_view word : argument.choices) json.value(word);
    json.end();
  }
  json.end();
}

void write_schema(JsonWriter& json, std::span<const Argument> arguments) {
  json.begin_object("inputSchema", Layout::line);
  json.member("type", "object");
  json.begin_object("properties", Layout::line);
  for (const Argument& argument : arguments) write_argument(json, argument);
  json.end();
  json.begin_array("required", Layout::line);
  for (const Argument& argument : arguments)
    if (argument.required) json.value(argument.name);
  json.end();
  json.member("additionalProperties", false);
  json.end();
}

}  // namespace

void write_tools(JsonWriter& json) {
  json.begin_array("tools", Layout::line);
  for (const Tool& tool : tools) {
    json.begin_object(Layout::line);
    json.member("name", tool.name);
    json.member("title", tool.title);
    json.member("description", tool.about);
    write_schema(json, tool.arguments);
    json.begin_object("annotations", Layout::line);
    json.member("title", tool.title);
    json.member("readOnlyHint", true);
    json.member("openWorldHint", false);
    json.end();
    json.end();
  }
  json.end();
}

bool is_tool(std::string_view name) { return std::ranges::find(tools, name, &Tool::name) != tools.end(); }

ToolAnswer call_tool(std::string_view name, const LocatedJson* arguments, const Folders& folders) {
  const Tool& tool = *std::ranges::find(tools, name, &Tool::name);
  Call call(arguments, folders);
  try {
    call.check(tool.arguments);
    std::string text = tool.run(call);
    return {std::move(text), call.notes()};
  } catch (const std::exception& failure) {
    return {printable(failure.what()), call.notes(), true};
  }
}

}  // namespace nccl_analyze
