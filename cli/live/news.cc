// Identifies a finding by its rule and the processes it affects, because the numbers in its message change while the
// log grows.

#include "cli/live/news.h"

#include <cstddef>
#include <utility>

#include "nccl_analyze/analyzer.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_message = 400;  // columns

}  // namespace

std::string describe_news(const Model& model, const Finding& finding) {
  std::string text(finding.rule->id);
  text.append(" ").append(finding.rule->name);
  if (const std::string place = describe_place(model, finding); !place.empty()) text += " " + place;
  return text + ": " + truncated(finding.message, max_message);
}

std::vector<NewsItem> NewFindings::take(const Model& model, const Report& report, bool quiet) {
  std::vector<NewsItem> items;
  for (const Finding& finding : report.findings) {
    tell(model, finding, quiet, items);
    for (const Finding& consequence : finding.consequences) tell(model, consequence, quiet, items);
  }
  return items;
}

void NewFindings::tell(const Model& model, const Finding& finding, bool quiet, std::vector<NewsItem>& items) {
  if (!finding.is_provisional()) {
    if (insert(model, finding, reported_)) items.push_back({&finding});
  } else if (quiet) {
    items.push_back({&finding, !insert(model, finding, provisional_)});
  }
}

bool NewFindings::Ranks::insert(int rank) {
  if (rank < 0 || rank >= ModelLimits{}.max_ranks) return odd_.insert(rank);
  const auto place = static_cast<std::size_t>(rank);
  if (has_.size() <= place) has_.resize(place + 1);
  const bool is_new = !has_[place];
  has_[place] = true;
  return is_new;
}

bool NewFindings::insert(const Model& model, const Finding& finding, Reported& reported) {
  Told& told = reported[finding.rule->id];
  bool news = !std::exchange(told.any, true);  // covers findings without rank and process
  for (const int rank : finding.ranks) news = told.ranks.insert(rank) || news;
  for (const Index index : finding.processes) {
    if (index < 0) continue;
    const Process& process = model.processes[index];
    const std::uint64_t hash =
        builder::spread(builder::hash_of(process.host) ^ static_cast<std::uint64_t>(process.pid));
    news = told.processes.insert(hash >> 1U) || news;
  }
  return news;
}

}  // namespace nccl_analyze
