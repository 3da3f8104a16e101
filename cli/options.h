#pragma once
/// The command line as a struct.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/color.h"
#include "cli/live/live_options.h"
#include "input/logging.h"
#include "nccl_analyze/compare.h"
#include "nccl_analyze/report.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

enum class Command {
  analyze,
  merge,
  diff,
  redact,
  unrecognized,
  rules,
  explain,
  profiles,
  expect_bandwidth,
  print,
  mcp,
  help
};
enum class Format {
  text,
  markdown,
  html,
  json,
  events,
  trace,
  junit,
  sarif,
  github,
  prometheus,
  otlp,
  ranks,
  dot,
  svg,
  png,
  summary
};
constexpr bool is_picture(Format format) {
  return format == Format::dot || format == Format::svg || format == Format::png;
}
enum class RulesFormat { table, markdown, json };

/// The conditions for exit status 1.
struct FailOn {
  std::optional<Severity> threshold = Severity::error;  ///< Lowest severity that counts; empty: none does.
  bool unknown = false;                                 ///< Whether a job that could not be judged counts as well.
  bool never() const { return !threshold && !unknown; }
};

struct Options {
  Command command = Command::analyze;
  std::vector<std::string> paths;  ///< Logs, or summaries for `merge`; empty: standard input.
  Format format = Format::text;
  bool brief = false;      ///< With the format json: one short line.
  std::string names_from;  ///< A prefix of the names of inputs; reports leave the prefix out.
  std::string made_by;     ///< The command that a page names: this one, or that of the program which runs it.
  std::optional<std::string> output;  ///< Empty: standard output.
  FailOn fail_on;
  bool fail_on_given = false;
  std::vector<std::string> select, ignore;     ///< Rules: id, prefix of ids, or name.
  bool failed = false;                         ///< `ranks --failed`
  std::vector<std::string> expect;             ///< Values of --expect, such as `ranks=16,gdr`.
  std::optional<std::string> profile;          ///< A name or a file.
  std::vector<std::string> site_rules;         ///< Files of --rules.
  std::optional<std::string> baseline;         ///< A good run: a log, folder, summary or JSON report.
  std::optional<std::string> host;             ///< RE2 expression.
  std::optional<std::string> comm;             ///< Name, id, pointer or number of a communicator.
  std::optional<std::string> job, step, node;  ///< The job, step and node that a summary describes.
  std::uint64_t lines_before = 0;              ///< Lines of the log before the part that a summary describes.
  DotView view = DotView::automatic;           ///< For pictures.
  ColorChoice color = ColorChoice::automatic;
  bool follow = false;                      ///< Whether the inputs are still being written.
  std::chrono::milliseconds stall{60'000};  ///< With `follow`: silence before a message; 0: no message.
  LiveOptions live;                         ///< Used only with `follow`.
  std::optional<std::string> save;          ///< File for a copy of standard input; empty: none.
  Verbosity verbosity = Verbosity::normal;
  RulesFormat rules_format = RulesFormat::table;
  /// For `rules` and `explain`: id, number, beginning of ids, or name of a rule. For `explain`, also a line of a log.
  std::vector<std::string> rules;
  std::string profile_name;           ///< For `profiles`; empty: all. For `expect-bandwidth`.
  int hosts = 2;                      ///< For `expect-bandwidth`.
  std::string old_run, new_run;       ///< For `diff`.
  std::vector<Topic> ignored_topics;  ///< For `diff`.
  std::vector<std::string> folders;   ///< For `mcp`: what the server may read.
  std::string_view text;              ///< For `print`: a text of static storage.
  std::string help_topic;             ///< For `help`: a subcommand; empty: the whole program.
  std::optional<std::string> map;     ///< For `redact`: the file with the table of stand-ins.
  bool keep_other = false;            ///< For `redact`: whether lines of other programs are kept.
};

/// Returns the options, or the exit status if the command line was answered (--help, --version) or is wrong. Throws
/// Failure when the answer cannot be written.
std::variant<Options, int> parse_options(int argc, const char* const* argv);

}  // namespace nccl_analyze
