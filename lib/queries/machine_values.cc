// Queries on what commands of the shell show of hosts.

#include "queries/machine_values.h"

#include <algorithm>
#include <map>
#include <set>

#include "nccl_analyze/events/lists.h"
#include "queries/ranks.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

/// Returns the documents of hosts of the processes for which `has_any` holds; if there are none, those without a host.
template <class Condition>
std::vector<const Machine*> machines_about(const Model& model, const std::vector<Index>& processes,
                                           const Condition& has_any) {
  std::set<Index> hosts;
  for (const Index index : processes)
    if (const Process* const process = process_of(model, index)) hosts.insert(process->host_index);
  hosts.erase(-1);
  std::vector<const Machine*> of_hosts, others;
  for (const Machine& machine : model.machines) {
    if (!has_any(machine)) continue;
    if (hosts.contains(machine.host)) of_hosts.push_back(&machine);
    if (machine.host < 0 || processes.empty()) others.push_back(&machine);
  }
  return of_hosts.empty() ? others : of_hosts;
}

bool is_ipv4(std::string_view gid) {
  const std::string text = lower_case(gid);
  return text.starts_with("::ffff:") || text.starts_with("0000:0000:0000:0000:0000:ffff:");
}

bool is_link_local(std::string_view gid) { return lower_case(gid).starts_with("fe80"); }

using GidEntries = std::vector<const MachineGid*>;

/// Returns the tables of the document by device, without those of ports that the processes do not use. Which they use
/// is known if they list their devices.
std::map<std::string, GidEntries> roce_tables(const Model& model, const std::vector<Index>& processes,
                                              const Machine& machine) {
  std::set<std::string, std::less<>> used;
  for (const Index index : processes) {
    const Process* const process = process_of(model, index);
    if (process == nullptr) continue;
    NicList nics(process->ib_devices);
    for (Nic nic; nics.next(nic);)
      if (nic.link == "RoCE") used.emplace(nic.device);
  }
  const bool is_any_known =
      std::ranges::any_of(machine.gids, [&](const MachineGid& gid) { return used.contains(gid.device); });
  std::map<std::string, GidEntries> tables;
  for (const MachineGid& gid : machine.gids)
    if (!is_any_known || used.contains(gid.device)) tables[gid.device].push_back(&gid);
  std::erase_if(tables, [](const auto& one) {
    return std::ranges::none_of(one.second, [](const MachineGid* gid) { return is_ipv4(gid->gid); });
  });
  return tables;
}

const MachineGid* entry_at(const GidEntries& table, int index) {
  const auto found = std::ranges::find(table, index, &MachineGid::index);
  return found == table.end() ? nullptr : *found;
}

/// Returns the entry for RoCE v2 with an IPv4 address; null if there is none or, as in containers that share a port,
/// more than one.
const MachineGid* right_entry(const GidEntries& table) {
  const MachineGid* right = nullptr;
  for (const MachineGid* gid : table) {
    if (gid->kind != "v2" || !is_ipv4(gid->gid)) continue;
    if (right != nullptr) return nullptr;
    right = gid;
  }
  return right;
}

std::string_view fault_of(const MachineGid* entry) {
  if (entry == nullptr) return "missing";
  if (is_link_local(entry->gid)) return "link-local";
  return entry->kind == "v1" ? "of RoCE v1" : std::string_view{};
}

/// Adds the table of a device to the reading. `several` becomes true if the right entries have different indexes.
void read_table(const std::string& device, const GidEntries& table, GidReading& reading, bool& several) {
  const MachineGid* const right = right_entry(table);
  several = several || right == nullptr || (reading.right >= 0 && reading.right != right->index);
  if (right != nullptr && reading.right < 0) {
    reading.right = right->index;
    if (reading.fault.empty()) reading.at = right->at;
  }
  if (reading.device.empty()) reading.device = device;
  const MachineGid* const entry = entry_at(table, reading.used);
  const std::string_view fault = reading.used < 0 ? std::string_view{} : fault_of(entry);
  if (fault.empty() || !reading.fault.empty()) return;
  reading.fault = fault;
  reading.device = device;
  if (entry != nullptr) reading.at = entry->at;
  if (reading.at.line == 0) reading.at = table.front()->at;
}

}  // namespace

std::vector<ShownValue> values_about(const Model& model, const std::vector<Index>& processes, std::string_view what) {
  const auto is_meant = [what](const MachineValue& value) { return value.what == what; };
  std::vector<ShownValue> shown;
  for (const Machine* const machine :
       machines_about(model, processes, [&](const Machine& one) { return std::ranges::any_of(one.values, is_meant); }))
    for (const MachineValue& value : machine->values)
      if (is_meant(value)) shown.push_back({machine, &value});
  return shown;
}

GidReading read_gid_tables(const Model& model, const std::vector<Index>& processes, int used) {
  GidReading reading;
  reading.used = used;
  bool several = false, any = false;
  for (const Machine* const machine :
       machines_about(model, processes, [](const Machine& one) { return !one.gids.empty(); }))
    for (const auto& [device, table] : roce_tables(model, processes, *machine)) {
      any = true;
      read_table(device, table, reading, several);
    }
  reading.fits = any && used >= 0 && reading.fault.empty();
  if (several) reading.right = -1;
  return reading;
}

std::string gid_reading_text(const GidReading& reading) {
  const std::string of = reading.device.empty() ? "" : concat(" of ", excerpt(reading.device, 40));
  const std::string right = when(reading.right >= 0, "the entry for RoCE v2 with an IPv4 address is ", reading.right);
  if (!reading.fault.empty())
    return concat("; in the GID table", of, " index ", reading.used, " is ", reading.fault,
                  when(!right.empty(), ", and ", right));
  return {};
}

}  // namespace nccl_analyze
