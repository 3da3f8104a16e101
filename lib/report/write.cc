// Chooses the writer of a format by the name of the format.

#include <algorithm>
#include <array>
#include <ctime>
#include <ostream>

#include "nccl_analyze/report.h"
#include "report/html/parts.h"

namespace nccl_analyze {
namespace {

struct Writer {
  std::string_view format;
  void (*write)(std::ostream& out, const Model& model, const Report& report);
};
constexpr std::array<Writer, 13> writers{{
    {"text", [](std::ostream& out, const Model& model, const Report& report) { write_text(out, model, report); }},
    {"json", write_json},
    {"markdown", write_markdown},
    {"html", [](std::ostream& out, const Model& model, const Report& report) { write_html(out, model, report); }},
    {"html-fragment", write_html_fragment},
    {"ranks", write_ranks},
    {"trace", [](std::ostream& out, const Model& model, const Report&) { write_trace(out, model); }},
    {"junit", write_junit},
    {"sarif", write_sarif},
    {"github", write_github},
    {"prometheus", [](std::ostream& out, const Model& model,
                      const Report& report) { write_prometheus(out, model, report, {.time = std::time(nullptr)}); }},
    {"otlp", [](std::ostream& out, const Model& model, const Report& report) { write_otlp(out, model, report); }},
    {"dot", [](std::ostream& out, const Model& model, const Report& report) { write_dot(out, model, report); }},
}};

}  // namespace

bool write(std::ostream& out, std::string_view format, const Model& model, const Report& report) {
  const auto* const found = std::ranges::find(writers, format, &Writer::format);
  if (found == writers.end()) return false;
  found->write(out, model, report);
  return true;
}

}  // namespace nccl_analyze
