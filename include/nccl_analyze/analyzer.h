#pragma once
/// The door: bytes of logs in, the job and what is wrong with it out.
///
///     Analyzer analyzer;
///     while (read(bytes)) analyzer.feed("worker-0.log", bytes);
///     const Analysis analysis = std::move(analyzer).finish();
///     write_text(std::cout, analysis.model, analysis.report);
///
/// What holds for the whole library:
/// - What is given is copied as far as it is needed: bytes, names and paths may die after the call. What is returned
///   owns all that it holds, but for words of rules, which are static. Only a Record holds views; they live as long as
///   the callback runs.
/// - Nothing in a log is an error: what cannot be read is counted, and Model and Report say so. Nothing is thrown but
///   std::bad_alloc, and what a callback throws. Nothing is printed, no file is opened, no state is global.
/// - An object is used by one thread at a time; distinct objects may be used by distinct threads at once. write_dot()
/// is
///   the exception: Graphviz has state of its own.
/// - Who needs the stages one by one takes Parser, ModelBuilder and analyze().

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The job, and what was found in it. Indices of the report are into this model.
struct Analysis {
  Model model;
  Report report;
};

struct AnalyzerOptions {
  ParserLimits parser = {};
  ModelLimits model = {};
  /// Sees each record when it is read, before it is added.
  std::function<void(const Record&)> on_record = {};
  /// Which rules judge, all_rules() or some of them and one's own; they outlive the analyzer. Empty: all_rules().
  std::vector<const Rule*> rules = {};
};

/// Memory follows the job's size, and a few megabytes for each source that has not ended.
class Analyzer {
 public:
  explicit Analyzer(AnalyzerOptions options = {});
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;
  ~Analyzer();

  /// Consumes bytes cut anywhere of the source of this name: a file, a pod, a stream. Sources may come mixed; the first
  /// bytes of each give it its place in Model::sources.
  void feed(std::string_view source, std::string_view bytes);

  /// Ends a source: a last line without a newline is read, and its memory is freed. finish() does so for those that are
  /// left. What is fed under its name afterwards is another source; a name that is not known is passed over.
  void end(std::string_view source);

  /// What is to be said of the log so far. A line that is not whole yet is not in it.
  Analysis look() const;

  /// Ends all sources; the analyzer is spent.
  Analysis finish() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
