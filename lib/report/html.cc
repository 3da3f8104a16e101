// The report as one HTML file that asks for nothing else: whole without its script, readable and printable as it is.
// Words of a log are text and nothing else.

#include <cmark.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <variant>

#include "nccl_analyze/export.h"
#include "report/document.h"
#include "report/escape.h"
#include "report/page/page.h"

namespace nccl_analyze {
namespace {

/// `raw` as text of an element or value of an attribute.
std::string escaped(std::string_view raw) {
  std::string out;
  for (const char c : visible(raw)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string lower(std::string_view label) {
  std::string text(label);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

/// A heading begins a section, which ends at the next heading.
class Page {
 public:
  explicit Page(std::ostream& out) : out_(out) {}

  void write(const std::vector<Block>& blocks) {
    out_ << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta http-equiv=\"Content-Security-Policy\" "
            "content=\"default-src "
            "'none'; style-src '"
         << page_style.hash << "'; script-src '" << page_script.hash
         << "'; base-uri 'none'; form-action 'none'\">\n<meta charset=\"utf-8\">\n"
         << "<meta name=\"generator\" content=\"nccl-analyze " << version() << "\">\n"
         << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" << title_of(blocks)
         << "</title>\n<style>" << page_style.text << "</style>\n</head>\n<body>\n<main>\n";
    for (const Block& block : blocks) {
      if (const auto* const heading = std::get_if<Heading>(&block.content)) {
        end_section();
        if (!had_nav_ && heading->level > 1) write_nav(blocks);
      }
      write(block);
    }
    end_section();
    out_ << "<footer>nccl-analyze " << version() << "</footer>\n</main>\n<script>" << page_script.text
         << "</script>\n</body>\n</html>\n";
  }

 private:
  static std::string title_of(const std::vector<Block>& blocks) {
    for (const Block& block : blocks)
      if (const auto* const heading = std::get_if<Heading>(&block.content))
        return escaped(std::string{heading->label} + ": " + heading->line.text);
    return "nccl-analyze";
  }

  void write_nav(const std::vector<Block>& blocks) {
    had_nav_ = true;
    out_ << "<nav aria-label=\"Sections\"><ul>\n";
    for (const Block& block : blocks) {
      const auto* const heading = std::get_if<Heading>(&block.content);
      if (heading == nullptr || heading->anchor.empty()) continue;
      out_ << "<li><a href=\"#" << escaped(heading->anchor) << "\">" << escaped(heading->line.strong) << "</a></li>\n";
    }
    out_ << "</ul></nav>\n";
  }

  void end_section() {
    if (in_section_) out_ << "</section>\n";
    in_section_ = false;
  }

  void write(const Block& block) {
    std::visit([this](const auto& content) { write(content); }, block.content);
  }

  void write(const Heading& heading) {
    in_section_ = true;
    out_ << "<section class=\"" << (heading.level == 1 ? "verdict " : "") << escaped(lower(heading.label)) << '"';
    if (!heading.anchor.empty()) out_ << " id=\"" << escaped(heading.anchor) << '"';
    out_ << ">\n<h" << heading.level << '>';
    if (!heading.label.empty()) out_ << "<span class=\"label\">" << escaped(heading.label) << "</span> ";
    out_ << escaped(heading.line.strong);
    if (!heading.line.strong.empty() && !heading.line.text.empty())
      out_ << " <span class=\"place\">" << escaped(heading.line.text) << "</span>";
    else
      out_ << escaped(heading.line.text);
    out_ << "</h" << heading.level << ">\n";
  }
  void write(const Paragraph& paragraph) { out_ << "<p>" << text_of(paragraph.line) << "</p>\n"; }
  void write(const List& list) {
    out_ << "<ul>\n";
    for (const Line& item : list.items) out_ << "<li>" << text_of(item) << "</li>\n";
    out_ << "</ul>\n";
  }
  void write(const Verbatim& verbatim) {
    out_ << "<pre>";
    for (const std::string& line : verbatim.lines) out_ << escaped(line) << '\n';
    out_ << "</pre>\n";
  }
  void write(const Advice& advice) {
    // Raw HTML and links that run something are left out by cmark.
    const std::unique_ptr<char, decltype(&std::free)> html(
        cmark_markdown_to_html(advice.markdown.data(), advice.markdown.size(), CMARK_OPT_VALIDATE_UTF8), &std::free);
    if (html) out_ << html.get();
  }
  void write(const Table& table) {
    out_ << "<table>\n<thead><tr>";
    for (const std::string& cell : table.head) out_ << "<th scope=\"col\">" << escaped(cell) << "</th>";
    out_ << "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      out_ << "<tr>";
      for (const std::string& cell : row) out_ << "<td>" << escaped(cell) << "</td>";
      out_ << "</tr>\n";
    }
    out_ << "</tbody>\n</table>\n";
  }
  void write(const Fold& fold) {
    out_ << "<details";
    if (!fold.anchor.empty()) out_ << " id=\"" << escaped(fold.anchor) << '"';
    out_ << ">\n<summary>" << text_of(fold.summary) << "</summary>\n";
    for (const Block& block : fold.inside) write(block);
    out_ << "</details>\n";
  }

  static std::string text_of(const Line& line) {
    std::string text;
    if (!line.strong.empty()) text = "<strong>" + escaped(line.strong) + "</strong>";
    if (!line.strong.empty() && !line.text.empty()) text += ": ";
    return text + escaped(line.text);
  }

  std::ostream& out_;
  bool in_section_ = false, had_nav_ = false;
};

}  // namespace

void write_html(std::ostream& out, const Model& model, const Report& report) {
  Page(out).write(document_of(model, report, Extent::page));
}

}  // namespace nccl_analyze
