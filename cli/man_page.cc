// Writes the manual page. The text that is not about options is in the tables of this file.

#include "cli/man_page.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>

#include "cli/help.h"
#include "nccl_analyze/report.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

struct Term {
  std::string_view term, about;
};

constexpr std::array<std::string_view, 4> description{
    "reads what a distributed job prints under NCCL_DEBUG=INFO and reports what the job is (processes, communicators, "
    "rings, trees, transports), whether it is healthy, what is wrong, which lines prove it and what to do.",
    "A PATH is a log, a folder of logs, an archive (.gz .zst .xz .bz2 .tar .zip) or a pattern. Output of other tools "
    "in "
    "the same folder is read beside the logs: nccl-tests, ncclras, PyTorch's flight recorder, the NCCL Inspector, "
    "nvidia-smi topo -m, ibstat, lspci -vvv and others. Without a PATH standard input is read.",
    "For the best report set NCCL_DEBUG=INFO and collect the output of every rank from its first line.",
    "Only the report goes to standard output; everything else goes to standard error."};

constexpr std::array<Term, 3> statuses{
    {{"0", "No finding at or above --fail-on, which is error by default."},
     {"1", "Such a finding; with --fail-on unknown, which --profile sets, also a job that could not be judged."},
     {"2",
      "The work could not be done: a wrong option, no input that can be read, an output that cannot be written."}}};

constexpr std::array<Term, 8> variables{
    {{"NO_COLOR", "If it is set and not empty, nothing is coloured. It overrides the next two; --color overrides it."},
     {"CLICOLOR_FORCE", "If it is set and neither empty nor 0, the report is coloured even where it is no terminal."},
     {"CLICOLOR", "If it is 0, nothing is coloured."},
     {"TERM", "A dumb terminal gets no colours and no line of state that is written over."},
     {"VTE_VERSION, KITTY_WINDOW_ID, KONSOLE_VERSION, WT_SESSION, WEZTERM_PANE, TERM_PROGRAM",
      "By these, terminals that show hyperlinks are known; they get the paths of logs as links."},
     {"GITHUB_STEP_SUMMARY", "The file to which --format github appends the report as Markdown."},
     {"SLURM_JOB_ID", "The label job of --format prometheus, and the job of --format otlp if no log shows it."},
     {"TMPDIR",
      "The folder, /tmp by default, for streams and packed logs that are newest first, until they are read."}}};

constexpr std::array<Term, 2> files{
    {{"FILE.json of --rules", "Rules of your own; the page lib/expect/site_rules.md of the sources describes them."},
     {"FILE.json of --profile",
      "A profile of your own; `nccl-analyze profiles NAME` prints one to begin with. There is no "
      "file of settings."}}};

/// Escapes the characters that troff would take as commands.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string bold_text(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic_text(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

template <std::size_t count>
void write_terms(std::ostream& out, std::string_view title, const std::array<Term, count>& terms) {
  out << ".SH " << title << "\n";
  for (const Term& one : terms) out << ".TP\n" << bold_text(one.term) << "\n" << plain(one.about) << "\n";
}

void write_row(std::ostream& out, const OptionRow& row) {
  std::string term = italic_text(row.positional);
  if (row.positional.empty()) {
    term.clear();
    for (const std::string& flag : row.flags) term += (term.empty() ? "" : ", ") + bold_text(flag);
    if (row.takes_value()) term += " " + italic_text(row.value());
  }
  out << ".TP\n" << term << "\n" << plain(row.about);
  if (!row.choices.empty()) out << plain(": " + joined(row.choices, ", "));
  out << "\n";
}

/// Writes the options of one group. The group "Other" has the options of all groups that are not in option_groups.
void write_group(std::ostream& out, const CommandTable& program, std::string_view name) {
  bool begun = false;
  for (const OptionRow& row : program.rows) {
    const bool grouped = std::ranges::find(option_groups, row.group) != option_groups.end();
    if (grouped ? row.group != name : name != "Other") continue;
    if (!begun) out << ".SS " << name << "\n";
    begun = true;
    write_row(out, row);
  }
}

std::string arguments_of(const CommandTable& command) {
  std::string text;
  for (const OptionRow& row : command.rows)
    if (!row.positional.empty()) {
      const std::string word = italic_text(row.positional) + (row.repeated ? " ..." : "");
      text += row.required ? " " + word : " [" + word + "]";
    }
  return text;
}

void write_synopsis(std::ostream& out, const CommandTable& program) {
  const std::string name = bold_text(program.name);
  out << ".SH SYNOPSIS\n" << name << " [" << italic_text("OPTIONS") << "]" << arguments_of(program) << "\n";
  for (const CommandTable& one : program.commands)
    out << ".br\n" << name << " " << bold_text(one.name) << arguments_of(one) << "\n";
}

void write_commands(std::ostream& out, const CommandTable& program) {
  out << ".SH COMMANDS\n";
  for (const CommandTable& one : program.commands) {
    out << ".SS " << plain(one.name) << "\n" << plain(one.about) << ".\n";
    if (one.name == "merge") {
      out << "It takes the options of the analysis but for those of reading logs.\n";
      continue;
    }
    for (const OptionRow& row : one.rows)
      if (row.flags.empty() || row.flags.back() != "--help") write_row(out, row);
  }
}

}  // namespace

void write_man_page(std::ostream& out, const CommandTable& program) {
  out << ".TH NCCL-ANALYZE 1 \"\" \"nccl-analyze " << version() << "\" \"User Commands\"\n.SH NAME\n"
      << "nccl\\-analyze \\- read NCCL logs and say what is wrong with the job\n";
  write_synopsis(out, program);
  out << ".SH DESCRIPTION\n" << bold_text(program.name) << "\n";
  for (const std::string_view paragraph : description)
    out << (paragraph == description.front() ? "" : ".PP\n") << plain(paragraph) << "\n";
  out << ".SH OPTIONS\n";
  for (const std::string_view group : option_groups) write_group(out, program, group);
  write_group(out, program, "Other");
  write_commands(out, program);
  write_terms(out, "EXIT STATUS", statuses);
  out << ".PP\nOf " << bold_text("diff") << ": 0 no difference, 1 differences, 2 trouble.\n";
  write_terms(out, "ENVIRONMENT", variables);
  write_terms(out, "FILES", files);
  out << ".SH EXAMPLES\n";
  for (const Example& example : examples)
    out << ".TP\n" << bold_text(example.command) << "\n" << plain(example.about) << "\n";
  out << ".SH SEE ALSO\n"
      << bold_text("kubectl") << "(1), " << bold_text("ncclras") << "(1), " << bold_text("jq") << "(1)\n";
}

}  // namespace nccl_analyze
