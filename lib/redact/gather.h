#pragma once
// Gathers the names and addresses of a log in the first pass, from the places that hold them: prefixes, values of
// events, tags of collectors, home folders, and whatever has the form of an address.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "evidence/journal.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/parser.h"
#include "redact/addresses.h"
#include "redact/free_parts.h"
#include "redact/free_text.h"
#include "redact/names.h"
#include "redact/part_cache.h"
#include "redact/text_memo.h"

namespace nccl_analyze::redact {

class Gatherer {
 public:
  Gatherer(AddressTable& addresses, NameTable& names) : addresses_(addresses), names_(names) {}

  void add(const Record& record);
  /// Adds a record of a known sender in a plain line. Most such lines repeat others and need no further processing.
  /// Returns true if the message certainly holds NCCL's own words and numbers alone.
  bool add_plain(const Record& record, std::string_view line);
  /// Adds the counted names to the table. Must be called after the last record.
  void finish();
  void add(const evidence::JournalEntry& entry);
  void add(NameKind kind, std::string_view name) { names_.add(kind, name); }
  /// Adds a line without escape sequences; only its free parts are read. Returns false if an equal line was added
  /// before.
  bool add(std::string_view line);
  /// Adds all names and addresses in a text, from `begin` on.
  void add_text(std::string_view line, std::size_t begin = 0);

 private:
  friend struct AddressCollector;
  /// What the last line of a sender showed. `number` is the number of the sender in this source, from SenderCache.
  struct Sender {
    std::uint64_t number = 0;
    std::string decoration = {};                ///< The decoration of the last line without its time.
    std::array<std::uint64_t*, 3> counts = {};  ///< The counters of its host, pod and container; null if it has none.
    bool is_read = false;                       ///< Whether names were gathered from decoration and prefix.
  };

  void count(NameKind kind, std::string_view name, std::uint64_t times);
  std::uint64_t* count_of(NameKind kind, std::string_view name);
  Sender& count_origin(const Record& record, std::string_view decoration);
  void add_identities(const Event& event);
  bool is_message_known(const Record& record, bool is_decorated);
  /// Adds a line that was not read before.
  void read_line(std::string_view line);
  void add_again(std::string_view found_names);
  void keep_request(std::string_view detail);
  void add_named(NameKind kind, std::string_view name);
  void add_event(const Event& event);
  void add_hosts(std::string_view list);
  void add_endpoint(std::string_view text);
  void add_decoration(std::string_view decoration);
  void add_paths(std::string_view line);
  void add_login(std::string_view line);
  void add_json(std::string_view line);
  void add_raw_gid(std::string_view line);

  std::string name_;
  FreeParts parts_;
  PartCache read_;
  TextMemo texts_;  ///< Parts of plain lines that were read before.
  TextMemo lines_;  ///< Lines that were read before, without their time, with the names in them.
  std::string found_names_, scratch_;
  FreeTextFinder finder_;
  FreeText free_text_;
  std::vector<Sender> senders_;               ///< The index is the number of the sender modulo a constant.
  std::array<std::uint64_t, 256> kept_ = {};  ///< Cache of numbers already passed to AddressTable::keep().
  bool has_names_ = false;                    ///< Whether the last event has names.
  /// How often each name occurs in records. The key is the kind, as one byte, and the name.
  std::unordered_map<std::string, std::uint64_t> counts_;
  AddressTable& addresses_;
  NameTable& names_;
};

}  // namespace nccl_analyze::redact
