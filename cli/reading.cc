// A parser for each source, and the log's lines about it.

#include "reading.h"

#include <spdlog/logger.h>

#include <optional>
#include <string>

#include "logging.h"
#include "progress.h"
#include "source.h"

namespace nccl_analyze {
namespace {

class Reading {
 public:
  Reading(const RecordSink& sink, bool show_progress, spdlog::logger& log)
      : sink_(sink), log_(log), progress_(show_progress) {}

  ReadCounts read(const InputList& list) {
    for (const std::string& sentence : list.skipped) log_.debug("{}", printable(sentence));
    for (const std::string& sentence : list.copies) log_.warn("{}", printable(sentence));
    for (const std::string& sentence : list.failures) failed(sentence);
    const SourceSink source{.begin = [this](std::string_view name) { begin(name); },
                            .bytes = [this](std::string_view bytes) { return feed(bytes); },
                            .end = [this] { end(); },
                            .failed = [this](const std::string& sentence) { failed(sentence); }};
    for (const Input& input : list.inputs) {
      if (!sink_.wanted()) break;
      read_input(input, source);
    }
    return counts_;
  }

 private:
  void begin(std::string_view name) {
    name_ = name;
    note("reading {}", printable(name));
    parser_.emplace(SourceId{counts_.sources}, sink_.record);
  }

  bool feed(std::string_view bytes) {
    parser_->feed(bytes);
    progress_.add(name_, bytes.size());
    return sink_.wanted();
  }

  void end() {
    parser_->finish();
    const ParseStats& stats = parser_->stats();
    counts_.nccl_lines += stats.nccl_lines;
    sink_.source_read(SourceId{counts_.sources++}, name_, stats);
    note("{}: {} lines, {} of NCCL, {} not recognised", printable(name_), stats.lines, stats.nccl_lines,
         stats.unrecognized);
  }

  void failed(const std::string& sentence) {
    ++counts_.failures;
    progress_.hide();
    log_.error("{}", printable(sentence));
  }

  template <class... Values>
  void note(spdlog::format_string_t<Values...> format, Values&&... values) {
    if (!log_.should_log(spdlog::level::debug)) return;
    progress_.hide();
    log_.debug(format, std::forward<Values>(values)...);
  }

  const RecordSink& sink_;
  spdlog::logger& log_;
  Progress progress_;
  ReadCounts counts_;
  std::optional<Parser> parser_;
  std::string name_;
};

}  // namespace

ReadCounts read_inputs(const InputList& list, const RecordSink& sink, bool show_progress, spdlog::logger& log) {
  return Reading(sink, show_progress, log).read(list);
}

bool check_read(const ReadCounts& counts, spdlog::logger& log) {
  if (counts.sources == 0) {
    if (counts.failures == 0) log.error("there is no file to read in the folders named");
    return false;
  }
  if (counts.nccl_lines == 0)
    log.warn("there is no NCCL line in the input; set NCCL_DEBUG=INFO in the job and collect what its processes print");
  return true;
}

}  // namespace nccl_analyze
