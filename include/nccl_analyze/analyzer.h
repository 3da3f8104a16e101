#pragma once
/// The main interface: parses the logs of a job and returns the job's model and the findings.
///
///     Analyzer analyzer;
///     while (read(bytes)) analyzer.feed("worker-0.log", bytes);
///     const Analysis analysis = std::move(analyzer).finish();
///     write_text(std::cout, analysis.model, analysis.report);
///
/// The whole library follows these rules:
/// - Functions copy what they keep of their arguments: bytes, names and paths need not outlive the call. Results own
///   their data, except the texts of rules, which are static or owned by SiteRules. Only a Record holds views, which
///   are valid while the callback runs.
/// - Damaged input is no error: unreadable lines are counted, and Model and Report show the counts. The library throws
///   only std::bad_alloc, and propagates exceptions of callbacks. The library prints nothing, opens no file and has no
///   global state.
/// - An object is used by one thread at a time. Different objects may be used by different threads at once, and
///   functions may be called by several threads at once.
/// - Programs that need a single stage use Parser, ModelBuilder or analyze().

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The model of a job and the report on it. Indices in the report refer to this model.
struct Analysis {
  Model model;
  Report report;
};

/// The options of an Analyzer. By default, all built-in rules are applied.
struct AnalyzerOptions {
  ParserLimits parser = {};
  ModelLimits model = {};
  /// Called with each record after parsing, before the record is added to the model.
  std::function<void(const Record&)> on_record = {};
  /// The rules to apply: built-in rules, rules of the caller, or a mixture. Empty: all_rules(). The rules must outlive
  /// the analyzer and every Analysis, because findings point to them.
  std::vector<const Rule*> rules = {};
};

/// Parses the logs of one job and applies the rules. Memory grows with the job's size, not with the length of its logs;
/// each source that has not ended takes a few megabytes more.
class Analyzer {
 public:
  explicit Analyzer(AnalyzerOptions options = {});
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;
  ~Analyzer();

  /// Parses bytes of the source with this name (a file, a pod, a stream); the bytes may be cut anywhere. Sources may be
  /// interleaved. Model::sources lists them in the order of their first bytes.
  void feed(std::string_view source, std::string_view bytes);

  /// Ends a source: parses a last line without a newline and frees the parser. finish() ends the remaining sources.
  /// Bytes fed later under this name begin a new source. An unknown name is ignored.
  void end(std::string_view source);

  /// Returns the analysis of the log so far; a last line without a newline is not included. feed() may be called
  /// afterwards.
  Analysis look() const;

  /// Ends all sources and returns the analysis of the whole log; the analyzer cannot be used afterwards.
  Analysis finish() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
