// Reads logs and summaries into one Summary, because each may cover only a part of the run. Reports are recognised by
// their first bytes.

#include "input/run.h"

#include <optional>
#include <utility>
#include <vector>

#include "input/failure.h"
#include "input/input_wait.h"
#include "input/inputs.h"
#include "input/newest_first.h"
#include "input/own_output.h"
#include "input/source.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/summary.h"

namespace nccl_analyze {
namespace {

/// Limit on the bytes of a report, because a parsed report takes many times its size in memory. For a job with a larger
/// report, users can pass the logs, which take no longer to read.
constexpr std::size_t max_report = std::size_t{1} << 28;

class RunReader {
 public:
  RunReader(std::string path, Log& log, WaitForBytes wait)
      : path_(std::move(path)), log_(log), input_wait_(true, log, std::move(wait)) {}

  RunFacts read(const InputList& list) {
    for (const std::string& sentence : list.skipped) log_.detail(sentence);
    for (const std::string& sentence : list.left_out) log_.warn(sentence);
    for (const std::string& sentence : list.failures) fail(sentence);
    const SourceSink sink{.begin = [this](std::string_view name) { begin(name); },
                          .bytes = [this](std::string_view bytes) { return feed(bytes); },
                          .end = [this] { end(); },
                          .failed = [this](const std::string& sentence) { fail(sentence); },
                          .wait = [this](int descriptor) { return input_wait_.wait(descriptor); },
                          .reversed = [this](const LinePlaces& places) { reversed_ = places; },
                          .pickled = [this] { pickled_ = true; }};
    for (const Input& input : list.inputs)
      if (!input_wait_.interrupted()) read_log_input(input, sink);
    return facts();
  }

 private:
  void begin(std::string_view name) {
    name_ = name;
    begun_ = false;
    kind_ = OwnOutput::none;
    text_.clear();
    reversed_.reset();
    pickled_ = false;
  }

  bool feed(std::string_view bytes) {
    if (!begun_) start(own_output(bytes));
    begun_ = true;
    switch (kind_) {
      case OwnOutput::none:
        parser_->feed(bytes);
        return true;
      case OwnOutput::summary:
        return reader_->feed(bytes);
      case OwnOutput::report:
        text_ += bytes;
        return text_.size() <= max_report;
      case OwnOutput::other:
        return false;
    }
    return false;
  }

  void start(const OwnOutputMatch& beginning) {
    kind_ = beginning.kind;
    if (kind_ == OwnOutput::none) {
      parser_.emplace(SourceId{logs_}, [this](const Record& record) { summary_.add(record); });
    } else if (kind_ == OwnOutput::summary) {
      read_ = Summary();
      reader_.emplace(read_);
    } else if (kind_ == OwnOutput::other) {
      log_.warn(name_ + " is left out: it is " + std::string(beginning.words));
    }
  }

  void end() {
    if (!begun_) return;
    if (kind_ == OwnOutput::none) {
      parser_->finish();
      ParseStats stats = parser_->stats();
      if (reversed_) add_reversal(stats, *reversed_);
      if (pickled_) stats.pickles = 1;
      summary_.add_source(SourceId{logs_++}, name_, stats);
    } else if (kind_ == OwnOutput::summary) {
      const std::string wrong = reader_->finish();
      if (!wrong.empty()) return fail("cannot read " + name_ + ": " + wrong);
      summary_.merge(std::move(read_));
    } else if (kind_ == OwnOutput::report) {
      end_report();
    }
  }

  void end_report() {
    if (text_.size() > max_report)
      return fail("cannot read " + name_ + ": a report of more than 256 MiB; name its logs or a summary of them");
    ReadReport read = read_report(text_);
    if (!read.error.empty()) return fail("cannot read " + name_ + ": " + read.error);
    reports_.push_back(std::move(read.facts));
  }

  void fail(const std::string& sentence) {
    // Logs the failure before this one. The newest becomes the text of the exception if there is nothing to compare.
    if (!failure_.empty()) log_.error(failure_);
    failure_ = sentence;
  }

  RunFacts facts() {
    const bool has_lines = summary_.stats().nccl_lines > 0;
    if (!has_lines && reports_.empty())
      throw Failure(failure_.empty() ? "there is no NCCL line, no summary and no JSON report in " + path_ : failure_);
    if (!failure_.empty()) log_.error(failure_);
    if (reports_.size() > 1 && !has_lines)
      throw Failure(path_ + " holds several reports: name one of them, or the logs");
    if (!reports_.empty() && has_lines)
      log_.warn("the reports in " + path_ + " are left out, because its logs are read");
    RunFacts found = has_lines ? facts_of_lines() : std::move(reports_.front());
    found.name = path_ == "-" ? "standard input" : path_;
    return found;
  }

  RunFacts facts_of_lines() const {
    Analyzer analyzer;
    analyzer.add(summary_);
    const Analysis run = std::move(analyzer).finish();
    return facts_of(run.model, run.report);
  }

  const std::string path_;
  Log& log_;
  InputWait input_wait_;
  std::uint32_t logs_ = 0;
  Summary summary_;  ///< Merged from all logs and summaries.
  std::vector<RunFacts> reports_;
  std::string failure_;
  // State of the current source:
  std::string name_;
  bool begun_ = false;
  OwnOutput kind_ = OwnOutput::none;
  std::optional<Parser> parser_;
  Summary read_;
  std::optional<SummaryReader> reader_;
  std::string text_;
  std::optional<LinePlaces> reversed_;  ///< Set if the source was read from its end.
  bool pickled_ = false;
};

}  // namespace

RunFacts read_run(const std::string& path, Log& log, ProtectedInputs& read, WaitForBytes wait) {
  const InputList list = list_inputs({path});
  read.add(list, is_diff_input);
  return read_run(path, list, log, std::move(wait));
}

RunFacts read_run(const std::string& path, const InputList& list, Log& log, WaitForBytes wait) {
  return RunReader(path, log, std::move(wait)).read(list);
}

}  // namespace nccl_analyze
