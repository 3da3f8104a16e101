#pragma once
// Gathers the names and addresses of a log from the places that hold them: prefixes, values of events, tags of
// collectors, home folders, and whatever has the form of an address.

#include <string_view>

#include "evidence/journal.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/parser.h"
#include "redact/addresses.h"
#include "redact/names.h"

namespace nccl_analyze::redact {

class Gatherer {
 public:
  Gatherer(AddressTable& addresses, NameTable& names) : addresses_(addresses), names_(names) {}

  void add(const Record& record);
  void add(const evidence::JournalEntry& entry);
  void add(NameKind kind, std::string_view name) { names_.add(kind, name); }
  /// `line`: without escape sequences.
  void add(std::string_view line);

 private:
  friend struct AddressCollector;
  void add_event(const Event& event);
  void add_hosts(std::string_view list);
  void add_endpoint(std::string_view text);
  void add_decoration(std::string_view decoration);
  void add_paths(std::string_view line);
  void add_login(std::string_view line);
  void add_json(std::string_view line);
  void add_raw_gid(std::string_view line);

  AddressTable& addresses_;
  NameTable& names_;
};

}  // namespace nccl_analyze::redact
