// Chooses the writer of the format, and reads what the writer needs from the terminal and the environment.

#include "cli/write_report.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

#include "cli/color.h"
#include "cli/file_link.h"
#include "cli/render.h"
#include "input/failure.h"

namespace nccl_analyze {
namespace {

/// Returns the value of an environment variable; empty if it is not set.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Appends the report as Markdown to the step summary of GitHub Actions. GitHub rejects a summary of more than 1 MiB,
/// so a report of more than 1,000,000 bytes is cut after its last whole line below that size.
void add_step_summary(const Model& model, const Report& report) {
  constexpr std::size_t most = 1'000'000;
  const std::string path = variable("GITHUB_STEP_SUMMARY");
  if (path.empty()) return;
  std::ostringstream text;
  write_markdown(text, model, report);
  std::string markdown = std::move(text).str();
  if (markdown.size() > most) {
    markdown.resize(markdown.rfind('\n', most) + 1);
    markdown += "\nThe report is cut here: GitHub shows no more.\n";
  }
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << markdown << std::flush;
  if (!file) throw Failure(path + ": cannot append the summary that $GITHUB_STEP_SUMMARY asks for");
}

/// Draws DOT as SVG; returns an empty text if Graphviz cannot.
std::string draw(const std::string& dot) try {
  std::ostringstream svg;
  render(svg, dot, "svg");
  return std::move(svg).str();
} catch (const Failure&) {
  return {};
}

HtmlOptions html_options(const Options& options) {
  HtmlOptions how{.made_by = options.made_by};
  if (missing_from_build().empty()) how.draw = draw;
  return how;
}

}  // namespace

TextOptions text_options(const Options& options, const Output& output) {
  constexpr std::size_t narrowest = 60, widest = 160;  // Narrower or wider text is hard to read.
  const bool color = use_color(options.color, output.terminal(), ::getenv);
  TextOptions how{.color = color,
                  .verbose = options.verbosity == Verbosity::verbose,
                  .columns = std::clamp(output.columns().value_or(TextOptions{}.columns), narrowest, widest)};
  if (color && output.terminal() && supports_hyperlinks(::getenv)) how.link = file_link;
  return how;
}

void write_report(const Options& options, const Model& model, const Report& report, const std::string& dot,
                  Output& output) {
  switch (options.format) {
    case Format::text:
      return write_text(output.stream(), model, report, text_options(options, output));
    case Format::markdown:
      return write_markdown(output.stream(), model, report);
    case Format::html:
      return write_html(output.stream(), model, report, html_options(options));
    case Format::trace:
      return write_trace(output.stream(), model);
    case Format::junit:
      return write_junit(output.stream(), model, report);
    case Format::sarif:
      return write_sarif(output.stream(), model, report);
    case Format::github:
      add_step_summary(model, report);
      return write_github(output.stream(), model, report);
    case Format::prometheus:
      return write_prometheus(output.stream(), model, report,
                              {.job = variable("SLURM_JOB_ID"), .time = ::time(nullptr)});
    case Format::otlp:
      return write_otlp(output.stream(), model, report, {.job = variable("SLURM_JOB_ID")});
    case Format::ranks:
      return options.failed ? write_failed_ranks(output.stream(), model, report)
                            : write_ranks(output.stream(), model, report);
    case Format::json:
      return options.brief ? write_brief(output.stream(), model, report) : write_json(output.stream(), model, report);
    case Format::dot:
      output.stream() << dot;
      return;
    case Format::svg:
      return render(output.stream(), dot, "svg");
    case Format::png:
      return render(output.stream(), dot, "png");
    case Format::events:
    case Format::summary:
      return;  // These formats were written while the records were read.
  }
}

}  // namespace nccl_analyze
