// The table of the files and functions of NCCL, RCCL and the plugins: the purpose of each, and the rule that reports
// its failures.

#include "rules/code_places.h"

#include <array>
#include <string>

#include "text/lower_case.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

struct Place {
  std::string_view key;  ///< Lower-case part of the name of a file or function.
  std::string_view rule;
  CodePurpose code;
};

constexpr CodePurpose nvls{"NVLink SHARP", "a working fabric manager and NVSwitch fabric"};
constexpr CodePurpose mnnvl{"NVLink between hosts", "IMEX on all hosts of the NVLink domain"};
constexpr CodePurpose shm{"shared memory",
                          "room in /dev/shm, and one /dev/shm and one PID namespace for the ranks of a host"};
constexpr CodePurpose p2p{"direct access between GPUs", "GPUs that may map each other's memory"};
constexpr CodePurpose verbs{
    "RDMA (InfiniBand, RoCE)",
    "/dev/infiniband in the container, RDMA libraries that fit the driver, and a locked-memory limit that is large"};
constexpr CodePurpose tcpx{"Google's network plugin", "the plugin's daemon and its versions to fit on all hosts"};
constexpr CodePurpose google_settings{"Google's check of the settings",
                                      "the settings that the script of the plugin's installer makes"};
constexpr CodePurpose registration{"registration of memory with a NIC", "a locked-memory limit that is large"};
constexpr CodePurpose plugin{"the start of the network plugin", "its device in the container and libraries that fit"};
constexpr CodePurpose sockets{"TCP sockets", "an interface that reaches the other hosts, and open ports"};
constexpr CodePurpose topology{"the topology of the machine", "the machine's own /sys and NVML"};
constexpr CodePurpose xml{"topology files", "a file that describes this machine"};

/// Parts of file and function names of NCCL, RCCL and the plugins, each with the rule for failures there. The order
/// matters: the first row whose key is part of the place applies.
constexpr std::array<Place, 31> places = {{
    {"nvls", "nvls-failed", nvls},
    {"multicast", "nvls-failed", nvls},
    {"mnnvl", "mnnvl-failed", mnnvl},
    {"shm", "shm-too-small", shm},
    {"net_ib", "ib-connect-failed", verbs},  // Before `p2p.cc`: since 2.29.2 a file is net_ib/p2p.cc.
    {"transport/p2p", "p2p-failed", p2p},
    {"p2p.cc", "p2p-failed", p2p},
    {"ipcsocket", "p2p-failed", p2p},
    {"ibvwrap", "ib-connect-failed", verbs},
    {"ncclib", "ib-connect-failed", verbs},
    {"guest_config_checker", "env-invalid-value", google_settings},
    {"tcpx", "tcpx-timeout", tcpx},
    {"fastrak", "tcpx-timeout", tcpx},
    {"fasrak", "tcpx-timeout", tcpx},
    {"register_mr", "ib-memory-error", registration},
    {"reg_mr", "ib-memory-error", registration},
    {"regmr", "ib-memory-error", registration},
    {"nccl_net_ofi_create_plugin", "net-plugin-failed", plugin},
    {"nccl_net_ofi_init", "net-plugin-failed", plugin},
    {"nccl_ofi_init", "net-plugin-failed", plugin},
    {"platform_init", "net-plugin-failed", plugin},
    {"ofi_rdma_init", "net-plugin-failed", plugin},
    {"ofi_sendrecv_init", "net-plugin-failed", plugin},
    {"socket", "connect-failed", sockets},
    {"bootstrap", "connect-failed", sockets},
    {"graph/xml", "topology-file-invalid", xml},
    {"graph/topo", "topology-detect-failed", topology},
    {"graph/paths", "topology-detect-failed", topology},
    {"graph/search", "topology-detect-failed", topology},
    {"graph/connect", "topology-detect-failed", topology},
    {"graph/rings", "ring-broken", topology},
}};

const Place* find_place(std::string_view place) {
  const std::string name = lower_case(place);
  for (const Place& one : places)
    if (contains(name, one.key)) return &one;
  return nullptr;
}

/// Assigns a rule to a message that contains `words`, if the message comes from a place whose rule is `of`. The first
/// row whose words occur applies.
struct Sense {
  std::string_view of, words, rule;
};

constexpr std::array<Sense, 21> senses = {{
    {"ib-connect-failed", "async event", "none"},  // The end of the line, which names the event, is cut off.
    {"ib-connect-failed", "reg_", "ib-memory-error"},      {"ib-connect-failed", "open_device", "ib-no-device"},
    {"ib-connect-failed", "open device", "ib-no-device"},  {"ib-connect-failed", "get_device", "ib-no-device"},
    {"ib-connect-failed", "query_device", "ib-no-device"}, {"ib-connect-failed", "query_port", "ib-no-device"},
    {"ib-connect-failed", "_qp", "ib-connect-failed"},     {"ib-connect-failed", "gid", "ib-connect-failed"},
    {"ib-connect-failed", " rtr", "ib-connect-failed"},    {"ib-connect-failed", " rts", "ib-connect-failed"},
    {"ib-connect-failed", "connect", "ib-connect-failed"}, {"ib-connect-failed", "accept", "ib-connect-failed"},
    {"ib-connect-failed", "remote", "ib-connect-failed"},  {"ib-connect-failed", "peer", "ib-connect-failed"},
    {"shm-too-small", "no space", "shm-too-small"},        {"shm-too-small", "too small", "shm-too-small"},
    {"shm-too-small", "fallocate", "shm-too-small"},       {"shm-too-small", "ftruncate", "shm-too-small"},
    {"shm-too-small", "extend", "shm-too-small"},          {"shm-too-small", "cannot allocate", "shm-too-small"},
}};

}  // namespace

const CodePurpose* code_purpose_at(std::string_view place) {
  const Place* const found = find_place(place);
  return found == nullptr ? nullptr : &found->code;
}

std::string_view rule_of_place(std::string_view place) {
  const Place* const found = find_place(place);
  return found == nullptr ? std::string_view{} : found->rule;
}

std::string_view rule_of_message_at_place(std::string_view place, std::string_view message) {
  const std::string_view rule = rule_of_place(place);
  const std::string words = lower_case(message);
  bool decide = false;  // Whether `senses` has rows for this place.
  for (const Sense& sense : senses) {
    if (sense.of != rule) continue;
    decide = true;
    if (contains(words, sense.words)) return sense.rule;
  }
  return decide ? std::string_view{} : rule;
}

}  // namespace nccl_analyze
