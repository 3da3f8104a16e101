#include "redact/journal_line.h"

#include "text/escape.h"

namespace nccl_analyze::redact {

namespace {

void append_member(std::string& line, std::string_view key, std::string_view value) {
  line += line.empty() ? '{' : ',';
  append_json_string(line, key);
  line += ':';
  append_json_string(line, value);
}

}  // namespace

std::string to_line(const evidence::JournalEntry& entry) {
  std::string line;
  append_member(line, "__REALTIME_TIMESTAMP", entry.time);
  if (!entry.host.empty()) append_member(line, "_HOSTNAME", entry.host);
  if (entry.pid == 0) append_member(line, "_TRANSPORT", "kernel");
  if (entry.pid > 0) append_member(line, "_PID", std::to_string(entry.pid));
  if (!entry.container.empty()) append_member(line, "CONTAINER_NAME", entry.container);
  append_member(line, "MESSAGE", entry.message);
  return line += '}';
}

}  // namespace nccl_analyze::redact
