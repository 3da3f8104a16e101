#include "redact/gather.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <variant>

#include "redact/bytes.h"
#include "redact/free_text.h"
#include "redact/own_message.h"
#include "redact/scan.h"
#include "redact/stamp.h"
#include "text/blanks.h"
#include "text/host_list.h"
#include "text/http_request.h"

namespace nccl_analyze::redact {

/// A visitor of scan_line() that adds addresses, and host names that contain an address (`ip-10-0-4-51`).
struct AddressCollector {
  Gatherer& gatherer;
  std::string_view line;
  bool names_guid;  ///< Whether the line has the word GUID.

  void ipv4(std::size_t, std::size_t, std::uint32_t address) { gatherer.addresses_.add(address); }
  void ipv6(std::size_t, std::size_t, std::size_t, const Ipv6& address) { gatherer.addresses_.add(address); }
  void hex(std::size_t, std::size_t, std::uint64_t value) { gatherer.addresses_.add_guid(value); }
  void word(std::size_t at, std::size_t end) {
    const std::string_view text = line.substr(at, end - at);
    std::uint32_t address = 0;
    std::size_t skip = 0;
    if (const std::uint64_t guid = names_guid ? long_hex(text, skip) : 0; guid != 0) gatherer.addresses_.add_guid(guid);
    if (!text.starts_with("ip-")) return;  // the prefix of AWS host names
    if (const std::size_t size = ipv4_length(text.substr(3), '-', address); size > 0)
      gatherer.add_named(NameKind::host, text.substr(0, 3 + size));
  }
};

namespace {

struct Key {
  std::string_view part, key;
  NameKind kind;
};
/// These values of manifests are names.
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

/// These members hold names in the JSON of log collectors.
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

/// These members of events identify a communicator or a host. Their numbers stay.
constexpr std::array<std::string_view, 4> identities = {"comm", "comm_id", "parent", "host_hash"};

/// The place of a whole message in Gatherer::texts_.
constexpr std::uint64_t message_place = 1;
/// This byte ends each name in Gatherer::found_names_.
constexpr char end_of_name = '\n';

bool may_be_name(std::string_view text) {
  return !text.empty() && end_of(text, 0, is_name_byte) == text.size() &&
         text.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos;
}

/// Returns the word at the start of `text`.
std::string_view word_of(std::string_view text) { return text.substr(0, end_of(text, 0, is_name_byte)); }

}  // namespace

void Gatherer::add(const Record& record) {
  count(NameKind::host, record.origin.host, record.times);
  count(NameKind::pod, record.origin.pod, record.times);
  count(NameKind::container, record.origin.container, record.times);
  if (record.origin.pod.empty()) add_decoration(record.origin.decoration);
  add_event(record.event);
}

bool Gatherer::add_plain(const Record& record, std::string_view line) {
  const auto begin = static_cast<std::size_t>(record.text.data() - line.data());
  const auto start = static_cast<std::size_t>(record.message.data() - line.data());
  const std::string_view decoration = without_stamp(line.substr(0, begin));
  // With a location or a timestamp, the prefixes of one sender differ from line to line.
  const bool is_bare = record.origin.location.empty() && record.origin.timestamp.empty();
  Sender& sender = count_origin(record, decoration);
  const bool is_plain = is_bare && trimmed_end(line.substr(start)).size() == record.message.size();
  if (sender.is_read && is_plain) {
    if (is_own_message(record.event)) return add_identities(record.event), true;
    if (is_message_known(record, begin > 0)) return false;
  }
  has_names_ = false;
  add_event(record.event);
  const bool has_names = has_names_;
  const bool is_new = add(line);
  const bool is_of_known_wording = is_new && parts_.all().size() > 1 && !depends_on_line(line);
  // Names have to be counted in each line.
  if (!is_of_known_wording || has_names || !found_names_.empty()) return false;
  sender.is_read = sender.is_read || is_bare;
  const auto note = [&](std::string_view text, std::uint64_t place = 0) {
    if (!texts_.find(text, place)) texts_.note(text, {}, place);
  };
  if (!finder_.is_hot(record.message)) note(record.message, message_place);
  if (!finder_.find(record.message, begin > 0, free_text_)) return false;
  for (std::size_t i = 0; i < free_text_.count; ++i) note(free_text_.parts[i].text);
  return false;
}

bool Gatherer::is_message_known(const Record& record, bool is_decorated) {
  const bool is_of_members = FreeTextFinder::find(record.event, record.message, free_text_);
  if (!is_of_members) {
    if (!finder_.is_hot(record.message) && texts_.find(record.message, message_place)) return true;
    if (!finder_.find(record.message, is_decorated, free_text_)) return false;
  }
  for (std::size_t i = 0; i < free_text_.count; ++i) {
    const FreeText::Part& part = free_text_.parts[i];
    if (part.text.empty() || texts_.find(part.text)) continue;
    if (!part.is_harmless()) return false;
    texts_.note(part.text, {});
  }
  // The text is known, but numbers may be new, and the names of an event are counted each time.
  if (is_of_members)
    add_identities(record.event);
  else
    add_event(record.event);
  return true;
}

/// Counts the host, pod and container of a record. If the sender's last line had the same decoration, its counters are
/// used again, because the names are the same.
Gatherer::Sender& Gatherer::count_origin(const Record& record, std::string_view decoration) {
  constexpr std::size_t most = std::size_t{1} << 13U;
  const Origin& origin = record.origin;
  const std::size_t slot = record.sender % most;
  if (slot >= senders_.size()) senders_.resize(std::min(most, 2 * slot + 1));
  Sender& sender = senders_[slot];
  if (sender.number != record.sender || sender.decoration != decoration)
    sender = {.number = record.sender,
              .decoration = std::string(decoration),
              .counts = {count_of(NameKind::host, origin.host), count_of(NameKind::pod, origin.pod),
                         count_of(NameKind::container, origin.container)}};
  for (std::uint64_t* const count : sender.counts)
    if (count != nullptr) *count += record.times;
  if (origin.pod.empty() && !origin.decoration.empty()) add_decoration(origin.decoration);
  return sender;
}

void Gatherer::add_identities(const Event& event) {
  for (const Field& field : fields_in(event)) {
    if (field.type != FieldType::hex || !is_among(identities, field.name)) continue;
    const std::uint64_t number = field.in<Hex>(address_of(event)).value;
    std::uint64_t& last = kept_[(number >> 4U ^ number >> 12U) % kept_.size()];
    if (last != number || number == 0) addresses_.keep(number);
    last = number;
  }
}

std::uint64_t* Gatherer::count_of(NameKind kind, std::string_view name) {
  if (name.empty()) return nullptr;
  name_.assign(1, static_cast<char>(kind)).append(name);
  return &counts_[name_];
}

void Gatherer::count(NameKind kind, std::string_view name, std::uint64_t times) {
  if (std::uint64_t* const count = count_of(kind, name)) *count += times;
}

void Gatherer::finish() {
  for (const auto& [name, times] : counts_)
    names_.add(static_cast<NameKind>(name.front()), std::string_view(name).substr(1), times);
  counts_.clear();
  senders_.clear();
}

void Gatherer::add(const evidence::JournalEntry& entry) {
  names_.add(NameKind::host, entry.host);
  names_.add(NameKind::container, entry.container);
}

void Gatherer::add_event(const Event& event) {
  if (const auto* const value = std::get_if<PodManifestValue>(&event)) {
    for (const Key& key : manifest_keys)
      if (value->part == key.part && value->key == key.key) add_named(key.kind, value->value);
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
    return add_named(NameKind::host, env->value);
  if (const auto* const refused = std::get_if<HandshakeRefused>(&event)) keep_request(refused->detail);
  add_identities(event);
  for (const Field& field : fields_in(event)) {
    if (field.type != FieldType::text) continue;
    const auto& text = field.in<std::string_view>(address_of(event));
    if (field.name == "host" || field.name == "node") add_hosts(text);
    if (field.name == "address" || field.name == "peer") add_endpoint(text);
  }
}

/// Keeps a wrong magic number that is the first bytes of a request of HTTP, because the report says so:
/// `74656d2f20544547
/// != d2e4b1`. At most three letters of the path are in it.
void Gatherer::keep_request(std::string_view detail) {
  std::size_t skip = 0;
  const std::uint64_t magic = long_hex(detail.substr(0, end_of(detail, 0, is_hex)), skip);
  if (magic != 0 && is_http_request(bytes_of_number(magic))) addresses_.keep(magic);
}

void Gatherer::add_named(NameKind kind, std::string_view name) {
  has_names_ = true;
  names_.add(kind, name);
  found_names_.append(1, static_cast<char>(kind)).append(name).append(1, end_of_name);
}

/// Counts again the names of a line that repeats an earlier line, because the number of occurrences decides which name
/// is a piece of another one.
void Gatherer::add_again(std::string_view found_names) {
  while (!found_names.empty()) {
    const std::size_t end = found_names.find(end_of_name);
    names_.add(static_cast<NameKind>(found_names.front()), found_names.substr(1, end - 1));
    found_names.remove_prefix(end + 1);
  }
}

/// Adds the host, or all hosts of a list that Slurm prints as `worker-[1-4]`.
void Gatherer::add_hosts(std::string_view list) {
  if (list.find('[') == std::string_view::npos) return add_named(NameKind::host, list);
  for (const std::string& name : expand_host_list(list).names) add_named(NameKind::host, name);
}

/// Adds the host of `worker-1.example.org<41234>`. add_text() finds the addresses.
void Gatherer::add_endpoint(std::string_view text) {
  const std::string_view name = trimmed(text.substr(0, text.find_first_of("<%")));
  if (may_be_name(name)) add_named(NameKind::host, name);
}

/// Adds the names that stern (`POD CONTAINER `) or docker compose (`CONTAINER  | `) prints before a line.
void Gatherer::add_decoration(std::string_view decoration) {
  const std::string_view first = word_of(decoration), rest = trimmed(decoration.substr(first.size()));
  if (!may_be_name(first) || rest.size() == decoration.size() - first.size()) return;
  if (rest == "|") return names_.add(NameKind::container, first);
  if (word_of(rest) != rest || !may_be_name(rest) || first.find('-') == std::string_view::npos) return;
  names_.add(NameKind::pod, first);
  names_.add(NameKind::container, rest);
}

bool Gatherer::add(std::string_view line) {
  const Stamp stamp = find_stamp(line);
  if (const auto names = lines_.find(without(stamp, line, scratch_), stamp.end)) {
    add_again(found_names_.assign(*names));
    return false;
  }
  found_names_.clear();
  read_line(line);
  lines_.note(without(stamp, line, scratch_), found_names_, stamp.end);
  return true;
}

void Gatherer::read_line(std::string_view line) {
  if (holds_guid(line)) {
    add_text(line);
    if (line.find(" GID ") != std::string_view::npos) add_raw_gid(line);
    return;
  }
  parts_.find(line);
  for (const FreePart& part : parts_.all()) {
    if (part.end == part.begin || read_.find(line, part) != nullptr) continue;
    read_.note(part, {});
    const std::size_t names = found_names_.size();
    add_text(line.substr(0, part.end), part.begin);
    if (read_.remembers(part)) found_names_.resize(names);  // Names in a remembered part count once.
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
      add_named(place.kind, word_of(line.substr(at + place.before.size())));
}

/// Adds the names in a shell's prompt, `root@worker-0:~# `, or in a mail address.
void Gatherer::add_login(std::string_view line) {
  for (std::size_t at = line.find('@'); at != std::string_view::npos; at = line.find('@', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_name_byte(line[begin - 1])) --begin;
    const std::string_view user = line.substr(begin, at - begin), host = word_of(line.substr(at + 1));
    if (!may_be_name(user) || !may_be_name(host)) continue;
    add_named(NameKind::user, user);
    add_named(NameKind::host, host);
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
      if (value.find_first_of("\"\\") == value.find('"')) add_named(place.kind, value.substr(0, value.find('"')));
    }
}

/// Adds the halves of a GID, which NCCL prints as they stand in memory: `GID 3 (80FE/33040A0AFFFF0000)`.
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
