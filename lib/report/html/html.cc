// Writes the report as one HTML file, which loads no other file and is complete and printable without its script. Log
// text is always escaped.

#include <cmark.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <variant>

#include "nccl_analyze/report.h"
#include "queries/jobs.h"
#include "report/document/document.h"
#include "report/document/markdown.h"
#include "report/html/graph.h"
#include "report/html/parts.h"
#include "report/html/picture.h"
#include "report/html/timeline.h"
#include "report/page/page.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

std::string lower(std::string_view label) {
  std::string text(label);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

/// Writes the page. Each heading begins a section, which ends at the next heading.
class Page {
 public:
  Page(std::ostream& out, const Model& model, const Report& report, const HtmlOptions& options)
      : out_(out), model_(model), report_(report), options_(options) {}

  void write(const std::vector<Block>& blocks) {
    out_ << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta http-equiv=\"Content-Security-Policy\" "
            "content=\"default-src "
            "'none'; style-src '"
         << page_style.hash << "' '" << page_picture.hash << "'; script-src '" << page_script.hash
         << "'; base-uri 'none'; form-action 'none'\">\n<meta charset=\"utf-8\">\n"
         << "<meta name=\"generator\" content=\"nccl-analyze " << version() << "\">\n"
         << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" << title_of(blocks)
         << "</title>\n<style>" << page_style.text << "</style>\n</head>\n<body>\n<main>\n";
    for (auto begin = blocks.begin(), end = begin; begin != blocks.end(); begin = end) {
      end = std::find_if(begin + 1, blocks.end(), is_heading);
      write_section({begin, end});
      if (begin != blocks.begin()) continue;
      write_run(blocks);
      write_nav(blocks);
    }
    out_ << "<footer>nccl-analyze " << version();
    if (!options_.made_by.empty()) out_ << ", made by <code>" << html_text(visible(options_.made_by)) << "</code>";
    out_ << "</footer>\n</main>\n<script>" << page_script.text << "</script>\n</body>\n</html>\n";
  }

  /// Writes the blocks before the heading of the job or, without one, of the input: verdict, acceptance and findings,
  /// and the lists of failures and next steps.
  void write_fragment(const std::vector<Block>& blocks) {
    out_ << "<div class=\"nccl-analyze\">\n";
    bool open = false;
    for (const Block& block : blocks) {
      if (is_heading(block)) {
        if (std::exchange(open, false)) out_ << "</section>\n";
        const std::string& anchor = std::get<Heading>(block.content).anchor;
        if (anchor == "job" || anchor == "input") break;
        open = true;
      }
      write(block);
    }
    out_ << (open ? "</section>\n" : "") << "</div>\n";
  }

 private:
  static std::string title_of(const std::vector<Block>& blocks) {
    for (const Block& block : blocks)
      if (const auto* const heading = std::get_if<Heading>(&block.content))
        return html_text(std::string{heading->label} + ": " + heading->line.text);
    return "nccl-analyze";
  }

  /// Writes which run the page is of: the Slurm job, and the times of the time line.
  void write_run(const std::vector<Block>& blocks) {
    const std::string job = slurm_job_of(model_, {});
    std::string times;
    for (const Block& block : blocks)
      if (const auto* const picture = std::get_if<TimelinePicture>(&block.content))
        times = time_range_text(picture->timeline);
    std::string text = job.empty() ? std::string() : "Slurm job " + job;
    if (!times.empty()) text += std::string(text.empty() ? "" : ". ") + "Initialisations and failures of " + times;
    if (!text.empty()) out_ << "<p>" << html_text(text) << "</p>\n";
  }

  void write_nav(const std::vector<Block>& blocks) {
    out_ << "<nav aria-label=\"Sections\"><ul>\n";
    for (const Block& block : blocks) {
      const auto* const heading = std::get_if<Heading>(&block.content);
      if (heading == nullptr || heading->anchor.empty()) continue;
      out_ << "<li><a href=\"#" << html_text(heading->anchor) << "\">" << html_text(heading->line.strong)
           << "</a></li>\n";
    }
    out_ << "</ul></nav>\n";
  }

  static bool is_heading(const Block& block) { return std::holds_alternative<Heading>(block.content); }

  /// Writes a section, which begins with a heading. A finding also gets its Markdown as hidden text, which a button of
  /// the page's script copies.
  void write_section(std::span<const Block> blocks) {
    for (const Block& block : blocks) write(block);
    const auto& heading = std::get<Heading>(blocks.front().content);
    if (!heading.label.empty() && !heading.anchor.empty()) {
      out_ << "<pre class=\"ticket\" hidden>";
      std::istringstream markdown(markdown_of(blocks));
      for (std::string line; std::getline(markdown, line);) out_ << html_text(line) << '\n';
      out_ << "</pre>\n";
    }
    out_ << "</section>\n";
  }

  void write(const Block& block) {
    std::visit([this](const auto& content) { write(content); }, block.content);
  }

  void write(const Heading& heading) {
    out_ << "<section class=\"" << (heading.level == 1 ? "verdict " : "") << html_text(lower(heading.label)) << '"';
    if (!heading.anchor.empty()) out_ << " id=\"" << html_text(heading.anchor) << '"';
    out_ << ">\n<h" << heading.level << '>';
    if (!heading.label.empty()) out_ << "<span class=\"label\">" << html_text(heading.label) << "</span> ";
    out_ << html_text(heading.line.strong);
    if (!heading.line.strong.empty() && !heading.line.text.empty())
      out_ << " <span class=\"place\">" << html_text(heading.line.text) << "</span>";
    else
      out_ << html_text(heading.line.text);
    out_ << "</h" << heading.level << ">\n";
  }
  void write(const Paragraph& paragraph) { out_ << "<p>" << text_of(paragraph.line) << "</p>\n"; }
  void write(const List& list) {
    out_ << "<ul>\n";
    for (const Line& item : list.items) out_ << "<li>" << text_of(item) << "</li>\n";
    out_ << "</ul>\n";
  }
  void write(const Quotes& quotes) { write_lines("<pre>", lines_of(quotes)); }
  void write(const Commands& commands) { write_lines("<pre class=\"command\">", commands.lines); }
  void write(const Advice& advice) {
    // cmark leaves out raw HTML and links that run code, such as `javascript:`.
    const std::unique_ptr<char, decltype(&std::free)> html(
        cmark_markdown_to_html(advice.markdown.data(), advice.markdown.size(), CMARK_OPT_VALIDATE_UTF8), &std::free);
    if (html) out_ << html.get();
  }
  void write(const TableBlock& table) { write_table(out_, table); }
  void write(const Graph& graph) {
    write_pictures(out_, model_, report_, options_);
    write_graph(out_, model_, report_, graph.communicators);
  }
  void write(const TimelinePicture& picture) { write_timeline(out_, model_, report_, picture.timeline); }
  void write(const Fold& fold) {
    out_ << "<details";
    if (!fold.anchor.empty()) out_ << " id=\"" << html_text(fold.anchor) << '"';
    out_ << ">\n<summary>" << text_of(fold.summary) << "</summary>\n";
    for (const Block& block : fold.inside) write(block);
    out_ << "</details>\n";
  }

  void write_lines(std::string_view tag, const std::vector<std::string>& lines) {
    out_ << tag;
    for (const std::string& line : lines) out_ << html_text(line) << '\n';
    out_ << "</pre>\n";
  }

  static std::string text_of(const Line& line) {
    std::string text;
    if (!line.strong.empty()) text = "<strong>" + html_text(line.strong) + "</strong>";
    if (!line.strong.empty() && !line.text.empty()) text += ": ";
    return text + html_text(line.text);
  }

  std::ostream& out_;
  const Model& model_;
  const Report& report_;
  const HtmlOptions& options_;
};

}  // namespace

void write_page(std::ostream& out, const std::vector<Block>& blocks, const Model& model, const Report& report,
                const HtmlOptions& options) {
  Page(out, model, report, options).write(blocks);
}

void write_html(std::ostream& out, const Model& model, const Report& report, const HtmlOptions& options) {
  write_page(out, document_of(model, report, Extent::page), model, report, options);
}

void write_html_fragment(std::ostream& out, const Model& model, const Report& report) {
  Page(out, model, report, {}).write_fragment(document_of(model, report, Extent::ticket));
}

}  // namespace nccl_analyze
