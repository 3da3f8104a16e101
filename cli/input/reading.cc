// Reads each source with a parser of its own, and reports in the log what could not be read.

#include "cli/input/reading.h"

#include <optional>
#include <string>

#include "cli/input/foreign.h"
#include "cli/input/own_output.h"
#include "cli/input/patience.h"
#include "cli/input/source.h"
#include "cli/logging.h"
#include "cli/progress.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_failed = 64;

class Reading {
 public:
  Reading(const RecordSink& sink, bool show_progress, Log& log)
      : sink_(sink), log_(log), progress_(show_progress), patience_(show_progress, log) {}

  ReadCounts read(const InputList& list) {
    for (const std::string& sentence : list.skipped) log_.detail(sentence);
    for (const std::string& sentence : list.left_out) log_.warn(sentence);
    for (const std::string& sentence : list.failures) failed(sentence);
    const SourceSink source{.begin = [this](std::string_view name) { begin(name); },
                            .bytes = [this](std::string_view bytes) { return feed(bytes); },
                            .end = [this] { end(); },
                            .failed = [this](const std::string& sentence) { failed(sentence); },
                            .wait = [this](int descriptor) { return patience_.wait(descriptor); }};
    for (const Input& input : list.inputs) {
      if (!sink_.wanted() || patience_.interrupted()) break;
      read_input(input, source);
    }
    return counts_;
  }

 private:
  void begin(std::string_view name) {
    name_ = name;
    note("reading " + name_);
    parser_.emplace(SourceId{counts_.sources}, sink_.record);
    begun_ = false;
    passed_over_ = false;
  }

  bool feed(std::string_view bytes) {
    if (!begun_) passed_over_ = pass_over(own_output(bytes).words) || pass_over(foreign_words(bytes));
    begun_ = true;
    if (passed_over_) return sink_.wanted();
    parser_->feed(bytes);
    progress_.add(name_, bytes.size());
    return sink_.wanted();
  }

  bool pass_over(std::string_view what) {
    if (what.empty()) return false;
    ++counts_.passed_over;
    progress_.hide();
    log_.warn(name_ + " is left out: it is " + std::string(what));
    return true;
  }

  void end() {
    if (passed_over_) return;
    parser_->finish();
    const ParseStats& stats = parser_->stats();
    counts_.nccl_lines += stats.nccl_lines;
    if (!parser_->unread_tool().empty()) {
      progress_.hide();
      log_.warn(name_ + " begins as JSON of " + std::string(parser_->unread_tool()) +
                " that is damaged or too large, which is not read");
    }
    sink_.source_read(SourceId{counts_.sources++}, name_, stats);
    note(name_ + ": " + std::to_string(stats.lines) + " lines, " + std::to_string(stats.nccl_lines) + " of NCCL, " +
         std::to_string(stats.unrecognized) + " not recognised");
  }

  void failed(const std::string& sentence) {
    if (++counts_.failures <= max_failed) counts_.failed.push_back(sentence);
    progress_.hide();
    log_.error(sentence);
  }

  void note(const std::string& sentence) {
    if (!log_.shows_details()) return;
    progress_.hide();
    log_.detail(sentence);
  }

  const RecordSink& sink_;
  Log& log_;
  Progress progress_;
  Patience patience_;
  ReadCounts counts_;
  std::optional<Parser> parser_;
  std::string name_;
  bool begun_ = false, passed_over_ = false;  ///< State of the current source.
};

}  // namespace

ReadCounts read_inputs(const InputList& list, const RecordSink& sink, bool show_progress, Log& log) {
  return Reading(sink, show_progress, log).read(list);
}

bool check_read(const ReadCounts& counts, bool has_tool_output, Log& log) {
  if (counts.sources == 0) {
    if (counts.passed_over > 0)
      log.error("there is no log in the input");
    else if (counts.failures == 0)
      log.error("there is no file to read in the folders named");
    return false;
  }
  if (counts.nccl_lines == 0 && !has_tool_output)
    log.warn("there is no NCCL line in the input; set NCCL_DEBUG=INFO in the job and collect what its processes print");
  return true;
}

}  // namespace nccl_analyze
