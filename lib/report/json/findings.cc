// Writes one finding, and finds what its members need.

#include "report/json/findings.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "report/json/finding_members.h"
#include "report/json/members.h"
#include "text/literal.h"

namespace nccl_analyze {
namespace members {

std::vector<std::string_view> hosts_of(const Finding& finding, const Context& context) {
  std::set<std::string_view> hosts;
  for (const Index process : finding.processes)
    if (process >= 0) hosts.insert(context.model.processes[process].host);
  for (const Suspect& suspect : finding.suspects)
    hosts.insert(address_of(context.model, suspect, finding.communicators).host);
  hosts.erase("");
  std::vector<std::string_view> listed;
  std::set<std::string> written;  // escaped names: names with different invalid bytes may become equal
  for (const std::string_view host : hosts) {
    std::string text;
    append_json_string(text, host);
    if (written.insert(std::move(text)).second) listed.push_back(host);
  }
  return listed;
}

std::optional<std::vector<int>> rank_list(const Finding& finding) {
  constexpr std::size_t most = std::size_t{1} << 16;
  std::vector<int> ranks = finding.ranks;
  std::erase_if(ranks, [](int rank) { return rank < 0; });
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks.size() > most ? std::nullopt : std::optional{std::move(ranks)};
}

}  // namespace members

void write_finding(JsonWriter& json, const Model& model, const Finding& finding, Layout layout) {
  members::write_object(json, finding, members::Context{model}, layout);
}

}  // namespace nccl_analyze
