// Fuzzes the writers: their output is UTF-8 without control characters, and another library can parse the
// JSON.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "fuzz.h"
#include "nccl_analyze/requirements.h"
#include "text/rune.h"

namespace nccl_analyze {
namespace {

void require_printable(std::string_view text) {
  const auto control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
  };
  if (std::ranges::any_of(text, control) || !is_utf8(text)) std::abort();
}

void require_json(const std::string& text) {
  if (!nlohmann::json::accept(text)) std::abort();
}

void write_all(std::string_view bytes) {
  std::ostringstream events;
  Summary summary;
  Parser parser(SourceId{0}, [&](const Record& record) {
    write_event(events, record);
    summary.add(record);
  });
  fuzz::feed_copy(parser, bytes);
  parser.finish();
  summary.add_source(SourceId{0}, "fuzz.log", parser.stats());

  const Model model = fuzz::model_of(bytes);
  Report report = analyze(model);
  check_expectations(model, parse_expectations("gdr,nics>=2,init<=1s,hosts=a[1-3],logs").expectations, all_rules(),
                     report);
  std::ostringstream json, text, verbose, markdown, page, trace, junit, sarif, github, prometheus, otlp, dot, machine,
      summarised;
  write_json(json, model, report);
  write_text(text, model, report);
  write_text(verbose, model, report, {.verbose = true});
  write_markdown(markdown, model, report);
  write_html(page, model, report);
  write_trace(trace, model);
  write_junit(junit, model, report);
  write_sarif(sarif, model, report);
  write_github(github, model, report);
  write_prometheus(prometheus, model, report);
  write_otlp(otlp, model, report);
  write_dot(dot, model, report);
  write_dot(machine, model, report, {.view = DotView::machine});
  write_summary(summarised, summary);
  for (const std::ostringstream* out : {&json, &text, &verbose, &markdown, &page, &trace, &junit, &sarif, &github,
                                        &prometheus, &otlp, &dot, &machine, &summarised, &events})
    require_printable(out->str());
  require_json(json.str());
  require_json(trace.str());
  require_json(sarif.str());
  for (const std::ostringstream* out : {&summarised, &events, &otlp}) {
    std::istringstream lines(out->str());
    for (std::string line; std::getline(lines, line);) require_json(line);
  }
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nccl_analyze::write_all(nccl_analyze::fuzz::view_of(data, size));
  return 0;
}
