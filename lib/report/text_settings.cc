// Describes which environment variables are equal in all processes, and which differ.

#include "report/text_settings.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>

#include "report/name_list.h"
#include "report/phrases.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_alike = 12, max_differing = 6, max_hosts = 3, max_value = 60, max_values = 4;

struct Who {
  std::size_t processes = 0;
  std::set<std::string_view> hosts;
};

std::string text_of(std::string_view variable, std::string_view value) {
  return std::string{variable}.append("=").append(truncated(visible(value), max_value));
}

}  // namespace

std::vector<std::string> describe_settings(const Model& model) {
  std::map<std::string_view, std::map<std::string_view, Who>> variables;
  std::size_t processes = 0;
  for (const Process& process : model.processes) {
    if (!process.info_seen) continue;  // NCCL prints settings only at level INFO
    ++processes;
    for (const auto& [variable, setting] : process.env) {
      Who& who = variables[variable.view()][setting.value.view()];
      ++who.processes;
      who.hosts.insert(process.host.view());
    }
  }
  std::string alike;
  std::size_t shown = 0, left_out = 0;
  std::vector<std::string> lines;
  for (const auto& [variable, values] : variables) {
    if (values.size() == 1 && values.begin()->second.processes >= processes) {
      if (shown++ < max_alike) append_item(alike, text_of(variable, values.begin()->first));
      continue;
    }
    if (lines.size() == max_differing) {
      ++left_out;
      continue;
    }
    std::string line;
    std::size_t told = 0, values_told = 0;
    for (const auto& [value, who] : values) {
      told += who.processes;
      if (++values_told > max_values) continue;
      line.append(line.empty() ? "differs: " : "; ")
          .append(text_of(variable, value))
          .append(" on ")
          .append(folded_names({who.hosts.begin(), who.hosts.end()}, max_hosts));
    }
    if (values.size() > max_values) line += "; and " + std::to_string(values.size() - max_values) + " other values";
    if (told < processes)
      line += "; not shown by " + std::to_string(processes - told) + " of " + std::to_string(processes) + " processes";
    lines.push_back(std::move(line));
  }
  if (shown > max_alike) alike += ", and " + std::to_string(shown - max_alike) + " more";
  if (!alike.empty()) lines.insert(lines.begin(), alike + (processes > 1 ? " on all" : ""));
  if (left_out > 0) lines.push_back("and " + std::to_string(left_out) + " more that differ");
  return lines;
}

}  // namespace nccl_analyze
