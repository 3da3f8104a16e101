#include "redact/headings.h"

#include <algorithm>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

namespace {

bool lists_gpu(std::string_view line) {
  constexpr std::string_view begin = "#  Rank ", pid = " Pid ", device = " device ";
  return line.starts_with(begin) && line.find(pid) < line.find(device) && line.find(device) != line.npos;
}

/// Removes the first word from a line and returns it.
std::string_view take_column(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view column = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(column.size());
  return column;
}

bool is_integer(std::string_view column) { return !column.empty() && end_of(column, 0, is_digit) == column.size(); }

/// Whether a line has the columns of a result of nccl-tests: size, count, type, and numbers after the operation.
bool is_result(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos || !is_digit(line[begin])) return false;
  constexpr std::string_view types[] = {"int8",  "uint8",  "int32",    "uint32",   "int64",    "uint64", "half",
                                        "float", "double", "bfloat16", "fp8_e4m3", "fp8_e5m2", "f8e4m3", "f8e5m2"};
  constexpr std::size_t fewest_numbers = 4;
  if (!is_integer(take_column(line)) || !is_integer(take_column(line))) return false;
  if (!is_among(types, take_column(line))) return false;
  std::size_t numbers = 0;
  for (std::string_view column = take_column(line); !column.empty(); column = take_column(line)) {
    if (end_of(column, 0, [](char c) { return is_digit(c) || c == '.' || c == '-'; }) == column.size())
      ++numbers;
    else if (numbers > 1 && column != "N/A")
      return false;
  }
  return numbers >= fewest_numbers;
}

/// NCCL prints these lines in reports of RAS (src/ras/client_support.cc) and as later lines of its warnings. `%` stands
/// for a number.
constexpr std::string_view own_lines[] = {
    "DEAD",
    "INCOMPLETE",
    "TIMEOUT",
    "  % job process is considered dead (unreachable via the RAS network)",
    "  % job processes are considered dead (unreachable via the RAS network)",
    "  Missing communicator data from % job process",
    "  Missing communicator data from % job processes",
    "  Missing communicator data from % rank",
    "  Missing communicator data from % ranks",
    "  The missing rank: %",
    "  [could not find information on % process]",
    "  [could not find information on % processes]",
    "  Initialization error on % rank",
    "  Initialization errors on % ranks",
    "  Asynchronous error on % rank",
    "  Asynchronous errors on % ranks",
    "  Encountered % communication timeout while gathering communicator data",
    "  Encountered % communication timeouts while gathering communicator data",
    "  Communicator ranks have different status",
    "  % ranks have status INIT",
    "  % ranks have status RUNNING",
    "  % ranks have status FINALIZE",
    "  % ranks have status ABORT",
    "Communicators... (%s)",
    "No communicator data collected!",
    "This is usually caused by a system or configuration error in the Fabric Manager or NVSwitches.",
    "Do not force-enable NVLS (NCCL_NVLS_ENABLE=1) if you wish to avoid this error in the future.",
    "Disable NVLS (NCCL_NVLS_ENABLE=0) if you wish to avoid this error in the future."};

/// The bytes with which `own_lines` begin and end. Most other lines begin or end with other bytes.
constexpr std::string_view first_of_own = " DICNT", last_of_own = "DETG)]!.aks";
static_assert(std::ranges::all_of(own_lines, [](std::string_view line) {
  const bool ends_alike = line.ends_with('%') || last_of_own.find(line.back()) != last_of_own.npos;
  return first_of_own.find(line.front()) != first_of_own.npos && ends_alike;
}));

bool has_wording(std::string_view line, std::string_view wording) {
  constexpr std::size_t most_digits = 8;
  for (const char c : wording) {
    const std::size_t digits = c == '%' ? end_of(line, 0, [](char d) { return is_digit(d) || d == '.'; }) : 0;
    const bool fits = c == '%' ? digits > 0 && digits <= most_digits : line.starts_with(c);
    if (!fits) return false;
    line.remove_prefix(std::max<std::size_t>(digits, 1));
  }
  return line.empty();
}

bool is_own_line(std::string_view line) {
  while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty() || first_of_own.find(line.front()) == first_of_own.npos) return false;
  if (last_of_own.find(line.back()) == last_of_own.npos && !is_digit(line.back())) return false;
  return std::ranges::any_of(own_lines, [&](std::string_view wording) { return has_wording(line, wording); });
}

}  // namespace

bool is_heading(std::string_view line) {
  if (is_own_line(line)) return true;
  constexpr std::size_t longest = 200;
  constexpr std::string_view signs = " \t\r#()-=/|+";
  constexpr std::string_view words[] = {
      "job",   "summary", "errors", "warnings", "communicators", "nodes",   "processes", "gpus",    "total", "per",
      "node",  "process", "group",  "comms",    "ranks",         "status",  "in",        "comm",    "out",   "of",
      "place", "size",    "count",  "type",     "redop",         "root",    "time",      "algbw",   "busbw", "wrong",
      "b",     "us",      "gb",     "s",        "elements",      "devices", "using",     "missing", "error"};
  if (line.size() > longest) return false;
  bool has_word = false;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = end_of(line, at, is_letter);
    if (end == at && signs.find(line[at]) == std::string_view::npos) return false;
    if (end > at && !is_among(words, lowered(line.substr(at, end - at)))) return false;
    has_word = has_word || end > at;
    at = std::max(end, at + 1);
  }
  return has_word || line.find("===") != std::string_view::npos;
}

bool leads_version_of_rocm(std::string_view before) {
  constexpr std::string_view leads[] = {"HIP version", "ROCm version"};
  return std::ranges::any_of(leads, [&](std::string_view lead) {
    return before.starts_with(lead) && before.find_first_not_of(" :", lead.size()) == before.npos;
  });
}

bool may_be_kept(std::string_view line) {
  constexpr std::string_view path = "Librccl path ", deepspeed = "DeepSpeed info: version=";
  constexpr std::size_t longest_prefix = 200;
  const std::string_view before = line.substr(0, std::min(line.find(':'), line.size()));
  return lists_gpu(line) || is_result(line) || leads_version_of_rocm(before) || line.starts_with(path) ||
         line.substr(0, longest_prefix).find(deepspeed) != line.npos;
}

}  // namespace nccl_analyze::redact
