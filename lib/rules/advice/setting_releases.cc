// The table of the settings that steps name and the first releases of NCCL that read them.

#include "rules/advice/setting_releases.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "rules/advice/conditions.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

struct Setting {
  std::string_view name, since;
};

/// The first release whose source reads the setting by getenv(), NCCL_PARAM() or ncclGetLevel(). Settings that are not
/// listed count as known to every release.
constexpr std::array<Setting, 38> settings = {{
    {"NCCL_ALGO", "2.5.6"},
    {"NCCL_CONF_FILE", "2.23.4"},
    {"NCCL_CROSS_NIC", "2.5.6"},
    {"NCCL_CUDA_PATH", "2.13.4"},
    {"NCCL_CUMEM_ENABLE", "2.18.1"},
    {"NCCL_CUMEM_HOST_ENABLE", "2.23.4"},
    {"NCCL_DMABUF_ENABLE", "2.13.4"},
    {"NCCL_GRAPH_DUMP_FILE", "2.6.4"},
    {"NCCL_GRAPH_FILE", "2.6.4"},
    {"NCCL_GRAPH_REGISTER", "2.11.4"},
    {"NCCL_HOSTID", "2.5.6"},
    {"NCCL_IB_MERGE_NICS", "2.20.3"},
    {"NCCL_IB_PCI_RELAXED_ORDERING", "2.12.7"},
    {"NCCL_IB_QPS_PER_CONNECTION", "2.10.3"},
    {"NCCL_IB_RESILIENCY_PORT_FAILOVER", "2.29.7"},
    {"NCCL_IGNORE_CPU_AFFINITY", "2.4.6"},
    {"NCCL_IGNORE_DISABLED_P2P", "2.12.7"},
    {"NCCL_IGNORE_NET_MISMATCH", "2.30.3"},
    {"NCCL_LOCAL_REGISTER", "2.19.1"},
    {"NCCL_MAX_CTAS", "2.17.1"},
    {"NCCL_MAX_NCHANNELS", "2.5.6"},
    {"NCCL_MIN_CTAS", "2.17.1"},
    {"NCCL_MIN_NCHANNELS", "2.5.6"},
    {"NCCL_MNNVL_ENABLE", "2.21.5"},
    {"NCCL_NCHANNELS_PER_NET_PEER", "2.12.7"},
    {"NCCL_NET", "2.10.3"},
    {"NCCL_NETDEVS_POLICY", "2.28.3"},
    {"NCCL_NET_PLUGIN", "2.11.4"},
    {"NCCL_NSOCKS_PERTHREAD", "2.4.8"},
    {"NCCL_NVLS_ENABLE", "2.17.1"},
    {"NCCL_PROTO", "2.5.6"},
    {"NCCL_PXN_DISABLE", "2.12.7"},
    {"NCCL_RUNTIME_CONNECT", "2.22.3"},
    {"NCCL_SOCKET_NTHREADS", "2.4.8"},
    {"NCCL_TOPO_DUMP_FILE", "2.6.4"},
    {"NCCL_TOPO_FILE", "2.6.4"},
    {"NCCL_TUNER_PLUGIN", "2.19.1"},
    {"NCCL_WIN_ENABLE", "2.27.3"},
}};

/// Settings whose values are numbers before this release, and names such as `NVL` since then.
constexpr std::array<Setting, 2> levels = {{
    {"NCCL_NET_GDR_LEVEL", "2.6.4"},
    {"NCCL_P2P_LEVEL", "2.6.4"},
}};

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_of_name(char c) { return is_capital(c) || (c >= '0' && c <= '9') || c == '_'; }

bool is_later(const Setting& setting, const Facts& facts) {
  return prove(concat("version < ", setting.since, " and not library RCCL"), facts).has_value();
}

}  // namespace

std::string later_settings_text(std::string_view text, const Facts& facts) {
  constexpr std::string_view prefix = "NCCL_";
  std::vector<std::string> later;
  const auto add = [&](const auto& table, std::string_view name, std::string_view before) {
    const auto setting = std::ranges::find(table, name, &Setting::name);
    if (setting == table.end() || !is_later(*setting, facts)) return;
    std::string since = concat(before, "`", name, "` since ", setting->since);
    if (std::ranges::find(later, since) == later.end()) later.push_back(std::move(since));
  };
  for (std::size_t at = text.find(prefix), end = at; at != std::string_view::npos; at = text.find(prefix, end)) {
    end = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_of_name) - text.begin());
    if (at > 0 && is_of_name(text[at - 1])) continue;
    const std::string_view name = text.substr(at, end - at);
    add(settings, name, "");
    const bool has_level = end + 1 < text.size() && text[end] == '=' && is_capital(text[end + 1]);
    if (has_level) add(levels, name, "names in ");
  }
  return when(!later.empty(), " (NCCL reads ", list_text(later), ".)");
}

}  // namespace nccl_analyze
