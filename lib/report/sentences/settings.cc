// Describes which environment variables have the same value in all processes, and which differ.

#include "report/sentences/settings.h"

#include <cstddef>
#include <map>
#include <set>
#include <string_view>

#include "text/escape.h"
#include "text/host_list.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_alike = 12, max_differing = 6, max_hosts = 3, max_value = 60, max_setting_values = 4;

/// The number of processes in which a variable has a certain value, and their hosts.
struct Who {
  std::size_t processes = 0;
  std::set<std::string_view> hosts;
};
using Values = std::map<std::string_view, Who>;

std::string text_of(std::string_view variable, std::string_view value) {
  return std::string{variable}.append("=").append(truncated(visible(value), max_value));
}

/// Returns `differs: NCCL_ALGO=Ring on node-0; NCCL_ALGO=Tree on node-1; not shown by 1 of 3 processes`. Leaves out
/// `differs` for a variable with one value, because processes that do not print the value may have it.
std::string describe_differing(std::string_view variable, const Values& values, std::size_t processes) {
  std::string line;
  std::size_t setters = 0, shown = 0;
  for (const auto& [value, who] : values) {
    setters += who.processes;
    if (++shown > max_setting_values) continue;
    line.append(!line.empty()       ? "; "
                : values.size() > 1 ? "differs: "
                                    : "")
        .append(text_of(variable, value))
        .append(" on ")
        .append(fold_host_list({who.hosts.begin(), who.hosts.end()}, max_hosts));
  }
  if (shown > max_setting_values) line += "; and " + std::to_string(shown - max_setting_values) + " other values";
  if (setters < processes)
    line += "; not shown by " + std::to_string(processes - setters) + " of " + std::to_string(processes) + " processes";
  return line;
}

}  // namespace

std::vector<std::string> describe_settings(const Model& model) {
  std::map<std::string_view, Values> variables;
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
    } else if (lines.size() < max_differing) {
      lines.push_back(describe_differing(variable, values, processes));
    } else {
      ++left_out;
    }
  }
  if (shown > max_alike) alike += ", and " + std::to_string(shown - max_alike) + " more";
  if (!alike.empty()) lines.insert(lines.begin(), alike + (processes > 1 ? " on all" : ""));
  if (left_out > 0) lines.push_back("and " + std::to_string(left_out) + " more that differ or are not shown by all");
  return lines;
}

}  // namespace nccl_analyze
