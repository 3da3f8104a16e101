#include "input/stand_in_table.h"

#include <cstddef>

#include "input/logging.h"
#include "text/split.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view head_of_table = "stand-in\tkind\toriginal\n";

}  // namespace

std::string table_of_stand_ins(const redact::Redaction& redaction) {
  std::string table(head_of_table);
  for (const redact::StandIn& row : redaction.stand_ins())
    table.append(printable(row.text)).append("\t").append(row.kind).append("\t").append(printable(row.original)) +=
        '\n';
  return table;
}

bool read_stand_ins(std::string_view table, redact::Redaction& redaction) {
  if (!table.starts_with(head_of_table)) return false;
  table.remove_prefix(head_of_table.size());
  while (!table.empty()) {
    const std::string_view line = take_until(table, '\n');
    const std::size_t kind = line.find('\t'), original = line.find('\t', kind + 1);
    if (original == std::string_view::npos) continue;
    redaction.preset({std::string(line.substr(0, kind)), line.substr(kind + 1, original - kind - 1),
                      std::string(line.substr(original + 1))});
  }
  return true;
}

}  // namespace nccl_analyze
