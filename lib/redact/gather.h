#pragma once
// Gathers the names and addresses of a log from the places that hold them: prefixes, values of events, tags of
// collectors, home folders, and whatever has the form of an address.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "evidence/journal.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/parser.h"
#include "redact/addresses.h"
#include "redact/free_parts.h"
#include "redact/names.h"
#include "redact/part_cache.h"

namespace nccl_analyze::redact {

class Gatherer {
 public:
  Gatherer(AddressTable& addresses, NameTable& names) : addresses_(addresses), names_(names) {}

  void add(const Record& record);
  /// Adds the counted names to the table. Must be called after the last record.
  void finish();
  void add(const evidence::JournalEntry& entry);
  void add(NameKind kind, std::string_view name) { names_.add(kind, name); }
  /// `line`: without escape sequences. Only its free parts are read.
  void add(std::string_view line);
  /// Gathers from the whole text.
  void add_text(std::string_view line, std::size_t begin = 0);

 private:
  friend struct AddressCollector;
  void count(NameKind kind, std::string_view name, std::uint64_t times);
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
  /// How often each name occurs in records. A key is the kind and the name.
  std::unordered_map<std::string, std::uint64_t> counts_;
  AddressTable& addresses_;
  NameTable& names_;
};

}  // namespace nccl_analyze::redact
