// Adds logs and summaries to one Summary, of which reports are made when they are asked for.

#include "c_api/kept_summary.h"

#include <algorithm>
#include <utility>

#include "input/merging.h"

namespace nccl_analyze {

KeptSummary::KeptSummary(AnalyzerOptions options, SummaryWriter writer)
    : options_(std::move(options)), writer_(std::move(writer)) {}

void KeptSummary::feed(std::string_view source, std::string_view bytes) {
  auto found = open_.find(source);
  if (found == open_.end()) {
    const SourceId number = next_source();
    Parser parser(number, [this](const Record& record) { add(record); });
    found = open_.emplace(std::string(source), Open{number, std::move(parser)}).first;
    ++sources_;
    has_logs_ = true;
  }
  found->second.parser.feed(bytes);
}

void KeptSummary::end(std::string_view source) {
  const auto found = open_.find(source);
  if (found == open_.end()) return;
  Open& ended = found->second;
  ended.parser.finish();
  add_source(ended.source, source, ended.parser.stats());
  open_.erase(found);
}

void KeptSummary::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  sources_ = std::max(sources_, static_cast<std::uint32_t>(source) + 1);
  summary_.add_source(source, name, stats);
}

Analysis KeptSummary::look() const {
  Analyzer replayed(options_);
  replayed.add(summary_);
  std::vector<ReadFailure> unreadable = damaged_;
  add_left_out(summary_, unreadable);
  for (UnreadableInput& input : unreadable_inputs(unreadable)) replayed.add_unreadable(std::move(input));
  return std::move(replayed).finish();
}

void KeptSummary::add_reading(const std::vector<ReadFailure>& failures) {
  has_logs_ = true;
  left_out_.insert(left_out_.end(), failures.begin(), failures.end());
}

ReadCounts KeptSummary::merge(const InputList& list, Log& log, WaitForBytes wait) {
  ReadCounts counts = read_summaries(list, summary_, log, std::move(wait));
  damaged_.insert(damaged_.end(), counts.unreadable.begin(), counts.unreadable.end());
  has_origins_ = true;
  return counts;
}

std::string KeptSummary::merge(std::string_view name, std::string_view bytes) {
  Summary read;
  SummaryReader reader(read);
  reader.feed(bytes);
  const std::string wrong = reader.finish();
  has_origins_ = true;
  if (wrong.empty()) {
    summary_.merge(std::move(read));
    return {};
  }
  std::string sentence = "cannot merge " + std::string(name) + ": " + wrong;
  damaged_.push_back({std::string(name), wrong, sentence});
  return sentence;
}

void KeptSummary::close(Log& log) {
  while (!open_.empty()) end(std::string(open_.begin()->first));
  if (has_logs_) sign_summary(summary_, writer_, left_out_);
  if (std::exchange(has_origins_, false)) log_summary_origins(summary_, log);
}

void KeptSummary::write(std::ostream& out) const { write_summary(out, summary_); }

}  // namespace nccl_analyze
