// Writes colours, paragraphs and quoted lines of the text report.

#include "report/text/page.h"

#include <algorithm>
#include <array>
#include <ostream>

#include "report/sentences/words.h"
#include "text/escape.h"
#include "text/wrap.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_quote_columns = 240;

struct LabelColor {
  std::string_view label;
  std::string_view color;
};
constexpr std::array marks{LabelColor{"ERROR", "\x1b[1;31m"}, LabelColor{"WARNING", "\x1b[1;33m"},
                           LabelColor{"INFO", "\x1b[1;36m"}, LabelColor{"OK", "\x1b[1;32m"},
                           LabelColor{"UNKNOWN", "\x1b[1;35m"}};

}  // namespace

std::string colored(const Page& page, std::string_view color, std::string_view text) {
  if (!page.options.color) return std::string{text};
  return std::string{color} + std::string{text} + "\x1b[0m";
}

std::string_view label_color(std::string_view label) {
  const auto mark = std::find_if(marks.begin(), marks.end(), [label](const LabelColor& m) { return m.label == label; });
  return mark == marks.end() ? std::string_view{} : mark->color;
}

std::string colored_label(const Page& page, std::string_view label) {
  const std::string_view color = label_color(label);
  return color.empty() ? std::string{label} : colored(page, color, label);
}

std::string linked(const Page& page, LineRef at, const std::string& text) {
  const auto source = static_cast<std::size_t>(at.source);
  if (!page.options.link || source >= page.model.sources.size()) return text;
  const std::string url = page.options.link(page.model.sources[source]);
  return url.empty() ? text : "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\";
}

void write_heading(const Page& page, std::string_view text) { page.out << "\n" << colored(page, bold, text) << "\n"; }

void write_paragraph(const Page& page, std::string_view text, std::size_t indent, std::size_t hang) {
  page.out << std::string(indent, ' ') << wrap(text, indent, indent + hang, page.options.columns) << "\n";
}

void write_quote(const Page& page, LineRef at, std::string_view text, std::size_t indent,
                 std::optional<SourceId> above) {
  const std::string place =
      above == at.source ? ":" + std::to_string(page.model.place_in_source(at)) : place_of(page.model, at);
  const std::size_t column = indent + columns(place) + 2;
  page.out << std::string(indent, ' ') << linked(page, at, colored(page, dim, place));
  if (!text.empty())
    page.out << "  " << wrap(truncated(visible(text), max_quote_columns), column, indent + 4, page.options.columns);
  page.out << "\n";
}

}  // namespace nccl_analyze
