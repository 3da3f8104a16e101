// Builds the tables that documents show, and the list of checks for terminals.

#include "report/document/tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/rule_parts.h"
#include "queries/benchmarks.h"
#include "queries/ranks.h"
#include "report/sentences/paths.h"
#include "report/sentences/suspicions.h"
#include "text/host_list.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t named_hosts = 6;

std::string number(std::int64_t value) { return value < 0 ? std::string{} : std::to_string(value); }

std::string seconds_of(const Rank& rank) {
  return rank.init_seconds ? decimals(rank.init_seconds->total) : std::string{};
}

std::string last_call_of(const Rank& rank) {
  if (!rank.calls || rank.calls->total == 0) return {};
  const CollectiveCall* const last = rank.calls->find(rank.calls->total - 1);
  return last == nullptr ? std::string{} : std::string{to_string(last->operation)};
}

}  // namespace

void drop_empty_columns(TableBlock& table) {
  for (std::size_t column = table.head.size(); column-- > 0;) {
    const bool is_empty =
        std::all_of(table.rows.begin(), table.rows.end(), [column](const auto& row) { return row[column].empty(); });
    if (!is_empty) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.head.erase(table.head.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
}

TableBlock ranks_table(const Model& model, const Report& report, Index communicator, std::size_t most) {
  TableBlock table{{"rank", "host", "pod", "pid", "GPU", "state", "init (s)", "last call", "suspected by"}, {}};
  const Suspicions suspicions(report, communicator);
  for (const Rank& rank : model.communicators[communicator].ranks) {
    if (table.rows.size() == most) break;
    const Process* const process = process_of(model, rank.process);
    table.rows.push_back(
        {number(rank.rank), process == nullptr ? "" : process->host.str(), process == nullptr ? "" : process->pod.str(),
         number(process == nullptr ? -1 : process->pid), number(rank.nvml_dev >= 0 ? rank.nvml_dev : rank.cuda_dev),
         std::string{to_string(rank.state)}, seconds_of(rank), last_call_of(rank), suspicions.of(rank).text()});
  }
  drop_empty_columns(table);
  return table;
}

TableBlock settings_table(const Model& model) {
  struct Who {
    std::size_t processes = 0;
    std::set<std::string_view> hosts;
  };
  std::map<std::string_view, std::map<std::string_view, Who>> variables;
  for (const Process& process : model.processes)
    for (const auto& [variable, setting] : process.env) {
      Who& who = variables[variable.view()][setting.value.view()];
      ++who.processes;
      who.hosts.insert(process.host.view());
    }
  TableBlock table{{"variable", "value", "processes", "where it differs"}, {}};
  for (const auto& [variable, values] : variables)
    for (const auto& [value, who] : values)
      table.rows.push_back(
          {std::string{variable}, std::string{value}, std::to_string(who.processes),
           values.size() == 1 ? "" : fold_host_list({who.hosts.begin(), who.hosts.end()}, named_hosts)});
  return table;
}

TableBlock communicators_table(const Model& model, std::size_t most) {
  TableBlock table{{"communicator", "ranks", "nodes", "channels", "rings"}, {}};
  for (std::size_t i = 0; i < model.communicators.size() && i < most; ++i) {
    const Communicator& comm = model.communicators[i];
    table.rows.push_back({communicator_name(model, static_cast<Index>(i)), number(comm.nranks), number(comm.nnodes),
                          number(comm.channels), describe_rings(comm)});
  }
  return table;
}

TableBlock source_table(const Model& model, std::size_t most) {
  TableBlock table{{"source", "lines", "NCCL lines", "not recognised"}, {}};
  for (std::size_t i = 0; i < model.sources.size() && i < most; ++i) {
    const Source& source = model.sources[i];
    table.rows.push_back({source.name, std::to_string(source.stats.lines), std::to_string(source.stats.nccl_lines),
                          std::to_string(source.stats.unrecognized)});
  }
  return table;
}

TableBlock check_table(const std::vector<Check>& checks) {
  TableBlock table{{"check", "answer", "detail"}, {}};
  for (const Check& check : checks)
    table.rows.push_back({check.check, std::string{to_string(check.status)}, check.detail});
  return table;
}

List check_list(const std::vector<Check>& checks, bool everything) {
  constexpr std::ptrdiff_t most_untold = 3;
  const auto is_untold = [](const Check& check) {
    return check.status == CheckStatus::unknown && (check.detail.empty() || check.detail.starts_with("no "));
  };
  List list{{}, true};
  const auto add = [&list](CheckStatus status, std::string text) {
    std::string mark{to_string(status)};
    mark.resize(to_string(CheckStatus::unknown).size(), ' ');
    list.items.push_back({std::move(mark), std::move(text)});
  };
  const bool is_short = !everything && std::ranges::count_if(checks, is_untold) > most_untold;
  std::string untold;
  for (const Check& check : checks)
    if (is_short && is_untold(check))
      append_item(untold, check.check);
    else
      add(check.status, check.check + (check.detail.empty() ? "" : ": " + check.detail));
  if (is_short) add(CheckStatus::unknown, untold + ": not answered by this input (-v: what is missing)");
  return list;
}

}  // namespace nccl_analyze
