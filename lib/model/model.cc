// Member functions of the model's types, and the names of their enumerators.

#include "nccl_analyze/model.h"

#include <algorithm>
#include <utility>

#include "model/joined.h"
#include "text/word_list.h"

namespace nccl_analyze {

void Evidence::add(LineRef at, std::uint64_t times) {
  count += times;
  if (lines.size() < max_lines) lines.push_back(at);
}

void Evidence::add(const Evidence& other) {
  count += other.count;
  // Where all facts of `other` are quoted, those of a line that is here count once.
  const bool is_whole = other.count == other.lines.size();
  for (const LineRef& at : other.lines) {
    if (std::find(lines.begin(), lines.end(), at) != lines.end())
      count -= is_whole ? 1 : 0;
    else if (lines.size() < max_lines)
      lines.push_back(at);
  }
}

const EnvValue* Settings::search(std::string_view variable) const {
  const auto found =
      std::lower_bound(settings_.begin(), settings_.end(), variable,
                       [](const Setting& setting, std::string_view wanted) { return setting.first.view() < wanted; });
  return found != settings_.end() && found->first.view() == variable ? &found->second : nullptr;
}

void Settings::add(Text variable, EnvValue value) {
  variables_ |= bit_of(variable);
  if (settings_.empty()) settings_.reserve(4);  // a process that prints one setting prints several
  const auto place =
      std::upper_bound(settings_.begin(), settings_.end(), variable.view(),
                       [](std::string_view wanted, const Setting& setting) { return wanted < setting.first.view(); });
  settings_.emplace(place, std::move(variable), std::move(value));
}

EnvValue& Settings::operator[](std::string_view variable) {
  if (!contains(variable)) add(variable, {});
  return *find(variable);
}

std::string_view Model::quote(LineRef at) const {
  const auto found = std::lower_bound(quotes.begin(), quotes.end(), at,
                                      [](const Quote& quote, const LineRef& line) { return quote.at < line; });
  return found != quotes.end() && found->at == at ? std::string_view{found->text} : std::string_view{};
}

std::uint64_t Model::place_in_source(LineRef at) const {
  const auto source = static_cast<std::size_t>(at.source);
  return at.line == 0 || source >= sources.size() ? at.line : sources[source].stats.places(at.line);
}

bool Model::training_continues_after(LineRef at) const {
  const auto source = static_cast<std::size_t>(at.source);
  return source < sources.size() && at.line < sources[source].stats.trained_at;
}

const GdrReasons& Process::gdr() const {
  static const GdrReasons none;
  return gdr_reasons ? *gdr_reasons : none;
}

bool Model::has_tool_output() const {
  bool has_any = false;
  each_tool_list(*this, [&has_any](const auto& list) { has_any = has_any || !list.empty(); });
  return has_any;
}

const Host* Model::host_of(Index process) const {
  const Process* const known = processes.find(process);
  return known == nullptr ? nullptr : hosts.find(known->host_index);
}

namespace {
constexpr std::string_view path_names[] = {"",    "LOC", "NVL", "NVB",  "C2C", "PIX", "PXB",
                                           "P2C", "PXN", "PHB", "NODE", "SYS", "NET", "DIS"};
}  // namespace

std::string_view to_string(PathType path) { return path_names[static_cast<std::size_t>(path)]; }

PathType path_type(std::string_view text) {
  const auto* const found = std::find(std::begin(path_names), std::end(path_names), text);
  return found == std::end(path_names) ? PathType::unknown : static_cast<PathType>(found - std::begin(path_names));
}

std::string_view to_string(Nvlink nvlink) {
  constexpr std::string_view names[] = {"", "none", "present", "direct", "switched"};
  return names[static_cast<std::size_t>(nvlink)];
}

std::string_view to_string(PluginStatus status) {
  constexpr std::string_view names[] = {"named", "missing", "loaded", "initialized", "failed"};
  return names[static_cast<std::size_t>(status)];
}

std::string_view to_string(BufferWay way) {
  constexpr std::array<std::string_view, buffer_ways> names{"NVLS", "CollNet", "NET", "IPC"};
  return names[static_cast<std::size_t>(way)];
}

std::string_view to_string(RankState state) {
  constexpr std::string_view names[] = {"started", "complete", "failed", "aborted", "destroyed"};
  return names[static_cast<std::size_t>(state)];
}

std::string_view to_string(InitPhase phase) {
  constexpr std::string_view names[] = {"bootstrap", "allgather", "topology", "connect", "complete"};
  return names[static_cast<std::size_t>(phase)];
}

std::string_view to_string(Algorithm algorithm) {
  constexpr std::string_view names[] = {"rings",     "trees",          "binomial_trees",
                                        "nvls_tree", "collnet_direct", "collnet_chain"};
  static_assert(std::size(names) == algorithms);
  return names[static_cast<std::size_t>(algorithm)];
}

std::string_view to_string(GraphKind kind) { return kind == GraphKind::ring ? "ring" : "tree"; }

namespace {

constexpr WordList incident_kinds{
    "interface_not_found connect_retried connect_failed connection_closed socket_failed handshake_refused "
    "world_mismatched version_mismatched network_missing cuda_failed out_of_memory duplicate_gpu "
    "shared_memory_failed p2p_disabled_nvlink p2p_disabled_pcie p2p_failed nvls_failed topology_file_failed "
    "error_propagated service_closed proxy_failed env_rejected ib_completion_failed ib_async_event call_failed "
    "call_retried ib_device_unusable ib_devices_incompatible ib_rails_mismatched ib_router_lid_missing "
    "ib_device_failed nic_counts_mismatched collective_mismatched gdr_disabled mnnvl_failed ofi_request_failed "
    "ras_peer_dead ras_timed_out ras_version_mismatched host_setting_missing graph_broken cpu_affinity_empty "
    "program_raised nccl_error_raised process_ended memory_killed job_cancelled gpu_faulted node_lost device_faulted "
    "vendor_network_warned gpu_unsupported acs_suspected wqe_delayed diagnostic_reported other_warning phrase_seen"};

}  // namespace

static_assert(incident_kinds.size() == static_cast<std::size_t>(IncidentKind::phrase_seen) + 1);

std::string_view to_string(IncidentKind kind) { return incident_kinds[static_cast<std::size_t>(kind)]; }

}  // namespace nccl_analyze
