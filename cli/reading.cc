// The log's lines about each source that is read.

#include "reading.h"

#include <spdlog/logger.h>

#include <string>

#include "logging.h"
#include "parallel.h"
#include "progress.h"

namespace nccl_analyze {
namespace {

class Reading {
 public:
  Reading(const RecordSink& sink, bool show_progress, spdlog::logger& log)
      : sink_(sink), log_(log), progress_(show_progress) {}

  ReadCounts read(const InputList& list, unsigned threads) {
    for (const std::string& sentence : list.skipped) log_.debug("{}", printable(sentence));
    for (const std::string& sentence : list.copies) log_.warn("{}", printable(sentence));
    for (const std::string& sentence : list.failures) failed(sentence);
    parse_inputs(list.inputs, threads,
                 {.begin = [this](std::string_view name) { return begin(name); },
                  .record = sink_.record,
                  .wanted = [this](std::size_t bytes) { return read_on(bytes); },
                  .end = [this](const ParseStats& stats) { end(stats); },
                  .failed = [this](const std::string& sentence) { failed(sentence); }});
    return counts_;
  }

 private:
  SourceId begin(std::string_view name) {
    name_ = name;
    note("reading {}", printable(name));
    return SourceId{counts_.sources};
  }

  bool read_on(std::size_t bytes) {
    progress_.add(name_, bytes);
    return sink_.wanted();
  }

  void end(const ParseStats& stats) {
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
  std::string name_;
};

}  // namespace

/// Threads are worth their start where there is much to read.
unsigned useful_threads(const InputList& list, unsigned threads) {
  constexpr std::uintmax_t little = std::uintmax_t{4} << 20;
  std::uintmax_t bytes = 0;
  for (const Input& input : list.inputs) bytes += input.size;
  return bytes < little ? 1 : threads;
}

ReadCounts read_inputs(const InputList& list, unsigned threads, const RecordSink& sink, bool show_progress,
                       spdlog::logger& log) {
  return Reading(sink, show_progress, log).read(list, useful_threads(list, threads));
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
