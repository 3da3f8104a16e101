// The table of topics. A new topic needs one row here and one function that collects its facts.

#include "compare/topics.h"

#include <algorithm>
#include <utility>

namespace nccl_analyze {
namespace {

/// The topics that follow from decisions that NCCL makes after it has chosen a network.
constexpr TopicSet decisions = set_of({Topic::transports, Topic::gpudirect, Topic::channels, Topic::algorithm,
                                       Topic::graphs, Topic::start, Topic::init_time, Topic::bandwidth});

constexpr std::array<TopicRow, topics> rows{{
    {.topic = Topic::job, .word = "job", .lines = "the logs of all ranks"},
    {.topic = Topic::network,
     .word = "network",
     .lines = "NET lines (NCCL_DEBUG_SUBSYS with INIT,NET)",
     .shown_by = bit_of(Topic::network)},
    {.topic = Topic::gpudirect,
     .word = "gpudirect",
     .lines = "connections over the network (NCCL_DEBUG_SUBSYS with INIT,NET)",
     .shown_by = bit_of(Topic::transports)},
    {.topic = Topic::transports,
     .word = "transports",
     .lines = "connection lines (NCCL_DEBUG_SUBSYS with INIT, up to the first collective)",
     .shown_by = bit_of(Topic::transports)},
    {.topic = Topic::versions,
     .word = "versions",
     .lines = "version lines",
     .explains = decisions,
     .is_harmless = true,
     .shown_by = bit_of(Topic::versions)},
    {.topic = Topic::settings,
     .word = "settings",
     .lines = "lines of level INFO (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS with ENV)",
     .is_harmless = true},
    {.topic = Topic::machines,
     .word = "machines",
     .lines = "GRAPH lines (NCCL_DEBUG_SUBSYS with INIT,GRAPH)",
     .explains = decisions,
     .is_harmless = true},
    {.topic = Topic::nics,
     .word = "nics",
     .lines = "NET lines (NCCL_DEBUG_SUBSYS with INIT,NET)",
     .shown_by = set_of({Topic::network, Topic::nics})},
    {.topic = Topic::channels,
     .word = "channels",
     .lines = "channel counts (NCCL_DEBUG_SUBSYS with INIT)",
     .shown_by = bit_of(Topic::channels)},
    {.topic = Topic::communicators,
     .word = "communicators",
     .lines = "Init START lines (NCCL_DEBUG_SUBSYS with INIT)",
     .is_harmless = true},
    {.topic = Topic::algorithm,
     .word = "algorithms",
     .lines = "`Connected all \u2026` lines (NCCL_DEBUG_SUBSYS with INIT)",
     .is_harmless = true},
    {.topic = Topic::graphs,
     .word = "graphs",
     .lines = "the rings and trees of every channel (NCCL_DEBUG_SUBSYS with INIT,GRAPH)",
     .is_harmless = true},
    {.topic = Topic::start,
     .word = "start",
     .lines = "Init START and Init COMPLETE lines (NCCL_DEBUG_SUBSYS with INIT)"},
    {.topic = Topic::init_time,
     .word = "init-time",
     .lines = "Init timings lines (NCCL 2.22.3 and later)",
     .ratio = 2,
     .least = 1},
    {.topic = Topic::bandwidth, .word = "bandwidth", .lines = "a table of nccl-tests", .ratio = 1.1},
    {.topic = Topic::findings, .word = "findings", .lines = "the lines that its rule needs"},
}};

/// The topics that network settings explain. Topic::network is not among them, so that a change of the network is
/// listed before the setting that caused it.
constexpr TopicSet to_network = set_of({Topic::gpudirect, Topic::transports, Topic::nics});
constexpr TopicSet inside = set_of({Topic::transports, Topic::channels, Topic::graphs});

/// The topics that a setting explains, by prefix of the variable. The first row with a matching prefix applies.
constexpr std::array<std::pair<std::string_view, TopicSet>, 25> effects{{
    {"NCCL_NET_GDR", set_of({Topic::gpudirect, Topic::transports})},
    {"NCCL_DMABUF", set_of({Topic::gpudirect})},
    {"NCCL_NET", to_network},
    {"NCCL_IB_", to_network},
    {"NCCL_SOCKET_", to_network},
    {"NCCL_P2P_", inside},
    {"NCCL_SHM_", inside},
    {"NCCL_CUMEM", inside},
    {"NCCL_PXN", set_of({Topic::transports})},
    {"NCCL_NVLS", set_of({Topic::channels, Topic::algorithm, Topic::graphs})},
    {"NCCL_MNNVL", inside},
    {"NCCL_TOPO_FILE", decisions},
    {"NCCL_GRAPH_FILE", decisions},
    {"NCCL_CROSS_NIC", set_of({Topic::graphs, Topic::channels})},
    {"NCCL_NCHANNELS", set_of({Topic::channels, Topic::graphs})},
    {"NCCL_MIN_NCHANNELS", set_of({Topic::channels, Topic::graphs})},
    {"NCCL_MAX_NCHANNELS", set_of({Topic::channels, Topic::graphs})},
    {"NCCL_MIN_CTAS", set_of({Topic::channels, Topic::graphs})},
    {"NCCL_MAX_CTAS", set_of({Topic::channels, Topic::graphs})},
    {"NCCL_NSOCKS_PERTHREAD", bit_of(Topic::channels)},
    {"NCCL_COLLNET", set_of({Topic::transports, Topic::algorithm})},
    {"NCCL_ALGO", bit_of(Topic::algorithm)},
    {"NCCL_PROTO", bit_of(Topic::algorithm)},
    {"NCCL_RUNTIME_CONNECT", set_of({Topic::transports, Topic::algorithm, Topic::init_time})},
    {"NCCL_HOSTID", set_of({Topic::transports, Topic::graphs})},
}};

}  // namespace

const TopicRow& row_of(Topic topic) { return rows[static_cast<std::size_t>(topic)]; }

std::string_view to_string(Topic topic) { return row_of(topic).word; }

std::optional<Topic> find_topic(std::string_view word) {
  const auto found = std::ranges::find(rows, word, &TopicRow::word);
  return found == rows.end() ? std::nullopt : std::optional{found->topic};
}

TopicSet explained_by_setting(std::string_view variable) {
  const auto found = std::ranges::find_if(effects, [&](const auto& row) { return variable.starts_with(row.first); });
  return found == effects.end() ? 0 : found->second;
}

}  // namespace nccl_analyze
