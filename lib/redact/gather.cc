#include "redact/gather.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <variant>

#include "redact/bytes.h"
#include "redact/scan.h"
#include "text/blanks.h"
#include "text/host_list.h"

namespace nccl_analyze::redact {

/// Collects what has the form of an address.
struct AddressCollector {
  Gatherer& gatherer;
  std::string_view line;
  bool names_guid;  ///< Whether the line says that it holds a GUID.

  void ipv4(std::size_t, std::size_t, std::uint32_t address) { gatherer.addresses_.add(address); }
  void ipv6(std::size_t, std::size_t, std::size_t, const Ipv6& address) { gatherer.addresses_.add(address); }
  void hex(std::size_t, std::size_t, std::uint64_t value) { gatherer.addresses_.add_guid(value); }
  void word(std::size_t at, std::size_t end) {
    const std::string_view text = line.substr(at, end - at);
    std::uint32_t address = 0;
    std::size_t skip = 0;
    if (const std::uint64_t guid = names_guid ? long_hex(text, skip) : 0; guid != 0) gatherer.addresses_.add_guid(guid);
    if (!text.starts_with("ip-")) return;  // the usual name of a host in AWS
    if (const std::size_t size = ipv4_length(text.substr(3), '-', address); size > 0)
      gatherer.names_.add(NameKind::host, text.substr(0, 3 + size));
  }
};

namespace {

struct Key {
  std::string_view part, key;
  NameKind kind;
};
/// Values of manifests that are names.
constexpr std::array<Key, 5> manifest_keys{{{"pod", "name", NameKind::pod},
                                            {"pod", "hostname", NameKind::host},
                                            {"pod", "node", NameKind::host},
                                            {"pod", "namespace", NameKind::name_space},
                                            {"container", "name", NameKind::container}}};

struct Place {
  std::string_view before;
  NameKind kind;
};
constexpr std::array<Place, 12> places{{{"/home/", NameKind::user},
                                        {"/Users/", NameKind::user},
                                        {"/fsx/users/", NameKind::user},
                                        {"s3://", NameKind::bucket},
                                        {"s3a://", NameKind::bucket},
                                        {"gs://", NameKind::bucket},
                                        {"az://", NameKind::bucket},
                                        {"abfs://", NameKind::bucket},
                                        {"abfss://", NameKind::bucket},
                                        {"oss://", NameKind::bucket},
                                        {"hdfs://", NameKind::bucket},
                                        {"ssh://", NameKind::host}}};

/// Members of collectors' JSON that hold names.
constexpr std::array<Place, 14> json_keys{{{"pod_name", NameKind::pod},
                                           {"k8s.pod.name", NameKind::pod},
                                           {"pod", NameKind::pod},
                                           {"container_name", NameKind::container},
                                           {"k8s.container.name", NameKind::container},
                                           {"container", NameKind::container},
                                           {"namespace_name", NameKind::name_space},
                                           {"k8s.namespace.name", NameKind::name_space},
                                           {"host", NameKind::host},
                                           {"hostname", NameKind::host},
                                           {"_HOSTNAME", NameKind::host},
                                           {"node_name", NameKind::host},
                                           {"nodeName", NameKind::host},
                                           {"k8s.node.name", NameKind::host}}};

/// Names of the members of events that identify a communicator or a host. Their numbers stay.
constexpr std::array<std::string_view, 4> identities = {"comm", "comm_id", "parent", "host_hash"};

bool may_be_name(std::string_view text) {
  return !text.empty() && end_of(text, 0, is_name_byte) == text.size() &&
         text.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos;
}

/// The word at the start of `text`.
std::string_view word_of(std::string_view text) { return text.substr(0, end_of(text, 0, is_name_byte)); }

}  // namespace

void Gatherer::add(const Record& record) {
  count(NameKind::host, record.origin.host, record.times);
  count(NameKind::pod, record.origin.pod, record.times);
  count(NameKind::container, record.origin.container, record.times);
  if (record.origin.pod.empty()) add_decoration(record.origin.decoration);
  add_event(record.event);
}

void Gatherer::count(NameKind kind, std::string_view name, std::uint64_t times) {
  if (name.empty()) return;
  name_.assign(1, static_cast<char>(kind)).append(name);
  counts_[name_] += times;
}

void Gatherer::finish() {
  for (const auto& [name, times] : counts_)
    names_.add(static_cast<NameKind>(name.front()), std::string_view(name).substr(1), times);
  counts_.clear();
}

void Gatherer::add(const evidence::JournalEntry& entry) {
  names_.add(NameKind::host, entry.host);
  names_.add(NameKind::container, entry.container);
}

void Gatherer::add_event(const Event& event) {
  if (const auto* const value = std::get_if<PodManifestValue>(&event)) {
    for (const Key& key : manifest_keys)
      if (value->part == key.part && value->key == key.key) names_.add(key.kind, value->value);
    return;
  }
  if (const auto* const node = std::get_if<TopologyNodePrinted>(&event)) {
    PartList parts = node->detail;
    std::size_t skip = 0;
    for (std::string_view part; parts.next(part);)
      if (const std::uint64_t number = long_hex(part, skip); number != 0)
        node->type == "NET" ? addresses_.add_guid(number) : addresses_.keep(number);
    return;
  }
  if (const auto* const nic = std::get_if<MachineNicListed>(&event)) return addresses_.add_guid(nic->guid.value);
  if (const auto* const port = std::get_if<MachinePortListed>(&event)) return addresses_.add_guid(port->guid.value);
  if (const auto* const fabric = std::get_if<FabricReported>(&event)) {
    addresses_.add_guid(fabric->uuid_high.value);
    return addresses_.add_guid(fabric->uuid_low.value);
  }
  if (const auto* const env = std::get_if<EnvSet>(&event); env != nullptr && env->variable == "NCCL_HOSTID")
    return names_.add(NameKind::host, env->value);
  for (const Field& field : fields_in(event)) {
    if (field.type == FieldType::hex && is_among(identities, field.name))
      addresses_.keep(field.in<Hex>(address_of(event)).value);
    if (field.type != FieldType::text) continue;
    const auto& text = field.in<std::string_view>(address_of(event));
    if (field.name == "host" || field.name == "node") add_hosts(text);
    if (field.name == "address" || field.name == "peer") add_endpoint(text);
  }
}

/// Slurm names several hosts as `worker-[1-4]`.
void Gatherer::add_hosts(std::string_view list) {
  if (list.find('[') == std::string_view::npos) return names_.add(NameKind::host, list);
  for (const std::string& name : expand_host_list(list).names) names_.add(NameKind::host, name);
}

/// `10.0.4.51<0>`, `worker-1.example.org<41234>`; addresses are found in the line.
void Gatherer::add_endpoint(std::string_view text) {
  const std::string_view name = trimmed(text.substr(0, text.find_first_of("<%")));
  if (may_be_name(name)) names_.add(NameKind::host, name);
}

/// stern prints `POD CONTAINER `, docker compose `CONTAINER  | `.
void Gatherer::add_decoration(std::string_view decoration) {
  const std::string_view first = word_of(decoration), rest = trimmed(decoration.substr(first.size()));
  if (!may_be_name(first) || rest.size() == decoration.size() - first.size()) return;
  if (rest == "|") return names_.add(NameKind::container, first);
  if (word_of(rest) != rest || !may_be_name(rest) || first.find('-') == std::string_view::npos) return;
  names_.add(NameKind::pod, first);
  names_.add(NameKind::container, rest);
}

void Gatherer::add(std::string_view line) {
  if (holds_guid(line)) {
    add_text(line);
    if (line.find(" GID ") != std::string_view::npos) add_raw_gid(line);
    return;
  }
  parts_.find(line);
  for (const FreePart& part : parts_.all()) {
    if (part.end == part.begin || read_.find(line, part) != nullptr) continue;
    read_.note(part, {});
    add_text(line.substr(0, part.end), part.begin);
  }
}

void Gatherer::add_text(std::string_view line, std::size_t begin) {
  AddressCollector collector{*this, line, line.find("GUID") != line.npos || line.find("guid") != line.npos};
  scan_line(line, begin, collector);
  line.remove_prefix(begin);
  if (line.find('/') != std::string_view::npos) add_paths(line);
  if (line.find('@') != std::string_view::npos) add_login(line);
  if (line.find("\":") != std::string_view::npos) add_json(line);
}

void Gatherer::add_paths(std::string_view line) {
  const auto holds = [&](std::string_view words) { return line.find(words) != std::string_view::npos; };
  if (!holds("://") && !holds("/home/") && !holds("/Users/") && !holds("/fsx/users/")) return;
  for (const Place& place : places)
    for (std::size_t at = line.find(place.before); at != std::string_view::npos; at = line.find(place.before, at + 1))
      names_.add(place.kind, word_of(line.substr(at + place.before.size())));
}

/// A shell's prompt `root@worker-0:~# ` at the start of the line, or an address for mail.
void Gatherer::add_login(std::string_view line) {
  for (std::size_t at = line.find('@'); at != std::string_view::npos; at = line.find('@', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_name_byte(line[begin - 1])) --begin;
    const std::string_view user = line.substr(begin, at - begin), host = word_of(line.substr(at + 1));
    if (!may_be_name(user) || !may_be_name(host)) continue;
    names_.add(NameKind::user, user);
    names_.add(NameKind::host, host);
  }
}

void Gatherer::add_json(std::string_view line) {
  for (const Place& place : json_keys)
    for (std::size_t at = line.find(place.before); at != std::string_view::npos; at = line.find(place.before, at + 1)) {
      const std::string_view rest = line.substr(at + place.before.size());
      if (at == 0 || line[at - 1] != '"' || !rest.starts_with("\":")) continue;
      const std::size_t open = rest.find_first_not_of(' ', 2);
      if (open == std::string_view::npos || rest[open] != '"') continue;
      const std::string_view value = rest.substr(open + 1);
      if (value.find_first_of("\"\\") == value.find('"')) names_.add(place.kind, value.substr(0, value.find('"')));
    }
}

/// NCCL prints the halves of a GID as they stand in memory: `GID 3 (80FE/33040A0AFFFF0000)`.
void Gatherer::add_raw_gid(std::string_view line) {
  constexpr std::uint64_t link_local_half = 0x80FE;
  for (const char before : {'(', '/'}) {
    const std::size_t at = line.find(before, line.find(" GID "));
    if (at == std::string_view::npos) return;
    std::uint64_t half = 0;
    std::from_chars(line.data() + at + 1, line.data() + line.size(), half, 16);
    if (const std::uint32_t ipv4 = reversed_ipv4(half); ipv4 != 0)
      addresses_.add(ipv4);
    else if (half != 0 && half != link_local_half)
      addresses_.add_guid(half);
  }
}

}  // namespace nccl_analyze::redact
