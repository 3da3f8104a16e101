// Reads each source with a parser of its own, and reports in the log what could not be read.

#include "input/reading.h"

#include <optional>
#include <string>

#include "input/foreign.h"
#include "input/input_wait.h"
#include "input/logging.h"
#include "input/newest_first.h"
#include "input/own_output.h"
#include "input/progress.h"
#include "input/source.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_failed = 64;

class Reading {
 public:
  Reading(const RecordSink& sink, bool show_progress, Log& log)
      : sink_(sink), log_(log), progress_(show_progress), input_wait_(show_progress, log, sink.wait) {}

  ReadCounts read(const InputList& list) {
    for (const std::string& sentence : list.skipped) log_.detail(sentence);
    for (const std::string& sentence : list.left_out) log_.warn(sentence);
    for (const ReadFailure& failure : list.failures) failed(failure);
    SourceSink source{.begin = [this](std::string_view name) { begin(name); },
                      .bytes = [this](std::string_view bytes) { return feed(bytes); },
                      .end = [this] { end(); },
                      .failed = [this](const ReadFailure& failure) { failed(failure); },
                      .wait = [this](int descriptor) { return input_wait_.wait(descriptor); },
                      .cut = [this] { cut_ = true; }};
    source.reversed = [this](const LinePlaces& places) { reversed_ = places; };
    source.pickled = [this] { pickled_ = true; };
    if (sink_.save != nullptr) source.standard_input = [this](std::string_view bytes) { sink_.save->add(bytes); };
    for (const Input& input : list.inputs) {
      if (!sink_.wanted() || input_wait_.interrupted()) break;
      read_log_input(input, source);
    }
    return counts_;
  }

 private:
  SourceId number() const { return SourceId{static_cast<std::uint32_t>(sink_.first) + counts_.sources}; }

  void begin(std::string_view name) {
    name_ = name;
    note("reading " + name_);
    parser_.emplace(number(), sink_.record);
    begun_ = false;
    passed_over_ = false;
    reversed_.reset();
    cut_ = false;
    pickled_ = false;
  }

  bool feed(std::string_view bytes) {
    if (!begun_) passed_over_ = skip(own_output(bytes).words) || skip(describe_unsupported(bytes));
    begun_ = true;
    if (passed_over_) return sink_.wanted();
    parser_->feed(bytes);
    progress_.add(name_, bytes.size());
    return sink_.wanted();
  }

  bool skip(std::string_view what) {
    if (what.empty()) return false;
    ++counts_.skipped;
    progress_.hide();
    log_.warn(name_ + " is left out: it is " + std::string(what));
    return true;
  }

  void end() {
    if (passed_over_) return;
    if (sink_.save != nullptr) name_ = sink_.save->name_of(name_);
    parser_->finish();
    ParseStats stats = parser_->stats();
    if (reversed_) add_reversal(stats, *reversed_);
    if (cut_) stats.ends_early = 1;
    if (pickled_) stats.pickles = 1;
    counts_.nccl_lines += stats.nccl_lines;
    if (!parser_->unread_tool().empty()) {
      progress_.hide();
      const std::string what = "begins as JSON of " + std::string(parser_->unread_tool()) +
                               " that is damaged or too large, which is not read";
      log_.warn(name_ + " " + what);
      keep({name_, "it " + what, name_ + " " + what});
    }
    tell_order(stats);
    sink_.source_read(number(), name_, stats);
    ++counts_.sources;
    note(name_ + ": " + std::to_string(stats.lines) + " lines, " + std::to_string(stats.nccl_lines) + " of NCCL, " +
         std::to_string(stats.unrecognized) + " not recognised");
  }

  void tell_order(const ParseStats& stats) {
    if (stats.reversed > 0) note(name_ + " is newest first and was read from its end");
    if (stats.newest_first == 0) return;
    progress_.hide();
    log_.warn(name_ +
              " is newest first and was read in this order, so that nothing can be concluded from it; "
              "sort it by time, oldest first");
  }

  void failed(const ReadFailure& failure) {
    ++counts_.failures;
    keep(failure);
    progress_.hide();
    log_.error(failure.sentence);
  }

  void keep(const ReadFailure& failure) {
    if (counts_.unreadable.size() < max_failed) counts_.unreadable.push_back(failure);
  }

  void note(const std::string& sentence) {
    if (!log_.shows_details()) return;
    progress_.hide();
    log_.detail(sentence);
  }

  const RecordSink& sink_;
  Log& log_;
  Progress progress_;
  InputWait input_wait_;
  ReadCounts counts_;
  std::optional<Parser> parser_;
  std::string name_;
  std::optional<LinePlaces> reversed_;  ///< Set if the current source was read from its end.
  bool begun_ = false, passed_over_ = false, cut_ = false, pickled_ = false;  ///< State of the current source.
};

}  // namespace

ReadCounts read_inputs(const InputList& list, const RecordSink& sink, bool show_progress, Log& log) {
  return Reading(sink, show_progress, log).read(list);
}

std::vector<UnreadableInput> unreadable_inputs(const std::vector<ReadFailure>& failures) {
  std::vector<UnreadableInput> inputs;
  for (const ReadFailure& failure : failures) inputs.push_back({failure.name, failure.reason});
  return inputs;
}

bool check_read(const ReadCounts& counts, bool has_tool_output, Log& log) {
  if (counts.sources == 0) {
    if (counts.skipped > 0)
      log.error("there is no log in the input");
    else if (counts.failures == 0)
      log.error("there is no file to read under the paths named");
    return false;
  }
  if (counts.nccl_lines == 0 && !has_tool_output)
    log.warn("there is no NCCL line in the input; set NCCL_DEBUG=INFO in the job and collect what its processes print");
  return true;
}

}  // namespace nccl_analyze
