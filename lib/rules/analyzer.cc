// Implements Analyzer with one parser for each open source, one model builder for all sources, and the rules.

#include "nccl_analyze/analyzer.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace nccl_analyze {

struct Analyzer::Impl {
  struct Open {
    SourceId source;
    Parser parser;
  };

  explicit Impl(AnalyzerOptions given) : options(std::move(given)), builder(options.model) {}

  Parser& parser_of(std::string_view name) {
    if (const auto found = open.find(name); found != open.end()) return found->second.parser;
    const auto source = static_cast<SourceId>(sources++);
    Parser parser(
        source,
        [this](const Record& record) {
          if (options.on_record) options.on_record(record);
          builder.add(record);
        },
        options.parser);
    return open.emplace(std::string{name}, Open{source, std::move(parser)}).first->second.parser;
  }

  void end(std::string_view name, Open& ended) {
    ended.parser.finish();
    builder.add_source(ended.source, name, ended.parser.stats());
  }

  Analysis judged(Model model) const {
    Report report = options.rules.empty() ? analyze(model) : analyze(model, options.rules);
    return {std::move(model), std::move(report)};
  }

  AnalyzerOptions options;
  ModelBuilder builder;
  std::map<std::string, Open, std::less<>> open;  ///< Sources that have not ended, by name.
  std::uint32_t sources = 0;
};

Analyzer::Analyzer(AnalyzerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;
Analyzer::~Analyzer() = default;

void Analyzer::feed(std::string_view source, std::string_view bytes) { impl_->parser_of(source).feed(bytes); }

void Analyzer::end(std::string_view source) {
  const auto found = impl_->open.find(source);
  if (found == impl_->open.end()) return;
  impl_->end(source, found->second);
  impl_->open.erase(found);
}

Analysis Analyzer::look() const {
  ModelBuilder so_far = impl_->builder;
  for (const auto& [name, open] : impl_->open) so_far.add_source(open.source, name, open.parser.stats());
  return impl_->judged(std::move(so_far).build());
}

Analysis Analyzer::finish() && {
  for (auto& [name, open] : impl_->open) impl_->end(name, open);
  impl_->open.clear();
  return impl_->judged(std::move(impl_->builder).build());
}

}  // namespace nccl_analyze
