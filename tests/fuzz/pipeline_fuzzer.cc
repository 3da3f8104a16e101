// Any bytes go through everything: parser, model, rules and every writer; what comes out holds no control character.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "nccl_analyze/nccl_analyze.h"

namespace nccl_analyze {
namespace {

Model parse(std::string_view bytes) {
  ModelBuilder builder({.max_connections = 100'000});
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  parser.feed(bytes);
  parser.finish();
  builder.add_source(SourceId{0}, "fuzz.log", parser.stats());
  return std::move(builder).build();
}

/// A terminal or a browser that shows the output must not be driven by the log.
void require_printable(const std::string& text) {
  const auto control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
  };
  if (std::ranges::any_of(text, control)) std::abort();
}

void write_all(const Model& model, const Report& report) {
  std::ostringstream json, text, verbose, dot;
  write_json(json, model, report);
  write_text(text, model, report);
  write_text(verbose, model, report, {.verbose = true});
  write_dot(dot, model);
  for (const std::ostringstream* out : {&json, &text, &verbose, &dot}) require_printable(out->str());
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  const Model model = parse({reinterpret_cast<const char*>(data), size});
  write_all(model, analyze(model));
  return 0;
}
