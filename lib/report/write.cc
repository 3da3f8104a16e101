// Chooses the writer of a format by its word.

#include <algorithm>
#include <array>
#include <ctime>
#include <ostream>

#include "nccl_analyze/report.h"
#include "report/html/parts.h"

namespace nccl_analyze {
namespace {

using Writer = void (*)(std::ostream& out, const Model& model, const Report& report);

constexpr std::array<std::string_view, 12> words{"text",  "json",  "markdown", "html",   "html-fragment", "ranks",
                                                 "trace", "junit", "sarif",    "github", "prometheus",    "dot"};
constexpr std::array<Writer, words.size()> writers{
    [](std::ostream& out, const Model& model, const Report& report) { write_text(out, model, report); },
    write_json,
    write_markdown,
    write_html,
    write_html_fragment,
    write_ranks,
    [](std::ostream& out, const Model& model, const Report&) { write_trace(out, model); },
    write_junit,
    write_sarif,
    write_github,
    [](std::ostream& out, const Model& model, const Report& report) {
      write_prometheus(out, model, report, {.time = std::time(nullptr)});
    },
    [](std::ostream& out, const Model& model, const Report& report) { write_dot(out, model, report); },
};

}  // namespace

std::span<const std::string_view> report_formats() { return words; }

bool write(std::ostream& out, std::string_view format, const Model& model, const Report& report) {
  const auto* const word = std::ranges::find(words, format);
  if (word == words.end()) return false;
  writers.at(static_cast<std::size_t>(word - words.begin()))(out, model, report);
  return true;
}

}  // namespace nccl_analyze
