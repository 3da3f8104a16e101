#include "rules/failures/fingerprints.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <utility>

#include "nccl_analyze/events/external.h"
#include "rules/findings.h"
#include "rules/topics.h"
#include "text/blanks.h"
#include "text/literal.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view opening = "CollectiveFingerPrint(";

/// Returns the text after `key`, shortened to 80 columns: a list with its brackets, else up to the next comma or
/// closing parenthesis. Empty if the key is missing or the text is cut.
std::string value_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text = text.substr(at + key.size());
  text.remove_prefix(std::min(text.find_first_not_of(" ="), text.size()));
  const bool is_list = text.starts_with('[');
  const std::size_t end = text.find_first_of(is_list ? "]" : ",)");
  if (end == std::string_view::npos) return {};
  return excerpt(trimmed(text.substr(0, end + (is_list ? 1 : 0))), 80);
}

/// Replaces the separators between the pieces of a wrapped line by blanks.
std::string without_borders(std::string_view quote) {
  std::string text(quote);
  for (std::size_t at = 0; (at = text.find(piece_border, at)) != std::string::npos;)
    text.replace(at, piece_border.size(), " ");
  return text;
}

/// Returns the rank of the last `Rank 1 is running` in the text before a call; -1 if there is none.
int rank_before(std::string_view text) {
  const std::size_t at = text.rfind("Rank ");
  int rank = -1;
  if (at != std::string_view::npos) std::from_chars(text.data() + at + 5, text.data() + text.size(), rank);
  return rank;
}

std::string call_text(const Fingerprint& call) {
  return concat(call.operation, when(!call.shape.empty(), " of ", call.shape),
                when(!call.type.empty(), " ", call.type));
}

/// Returns what differs first between calls of two ranks: `call`, `size` or `type`; empty if the printed calls are
/// equal.
std::string_view difference(const Fingerprint& a, const Fingerprint& b) {
  if (a.operation != b.operation || a.number != b.number) return "call";
  if (a.shape != b.shape) return "size";
  return a.type != b.type ? "type" : std::string_view{};
}

/// Whether the call reduces one flat tensor that is large: a bucket of gradients, or a shard of parameters.
bool is_of_gradients(const Fingerprint& call) {
  constexpr std::string_view operations[] = {"ALLREDUCE", "_ALLGATHER_BASE", "_REDUCE_SCATTER_BASE"};
  constexpr std::int64_t fewest = 65536;  // A smaller tensor may be a metric.
  if (std::ranges::find(operations, std::string_view(call.operation)) == std::end(operations)) return false;
  std::int64_t elements = -1;
  const char* const end = call.shape.data() + call.shape.size();
  const auto read = std::from_chars(call.shape.data() + call.shape.starts_with('['), end, elements);
  return read.ptr != end && *read.ptr == ']' && elements >= fewest;
}

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(",]"), list.size());
    std::string_view part = trimmed(list.substr(0, end));
    if (part.starts_with('[')) part.remove_prefix(1);
    if (!part.empty()) parts.emplace_back(part);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

/// Returns `: dimension 0 is 41 against 40`; empty unless exactly one dimension of the two shapes differs.
std::string dimension_text(const Fingerprint& a, const Fingerprint& b) {
  const std::vector<std::string> left = parts_of(a.shape), right = parts_of(b.shape);
  if (left.size() != right.size()) return {};
  std::string text;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    if (!text.empty()) return {};
    text = concat(": dimension ", i, " is ", left[i], " against ", right[i]);
  }
  return text;
}

}  // namespace

std::vector<Fingerprint> read_fingerprints(std::string_view message) {
  std::vector<Fingerprint> calls;
  for (std::size_t at = message.find(opening); at != std::string_view::npos; at = message.find(opening, at + 1)) {
    const std::string_view inside =
        message.substr(at + opening.size(), message.find(opening, at + 1) - at - opening.size());
    Fingerprint call{.rank = rank_before(message.substr(0, at)),
                     .number = value_behind(inside, "SequenceNumber"),
                     .operation = value_behind(inside, "OpType"),
                     .shape = value_behind(inside, "TensorShape"),
                     .type = value_behind(inside, "TensorDtypes")};
    if (!call.operation.empty()) calls.push_back(std::move(call));
  }
  return calls;
}

void compare_fingerprints(const Model& model, RuleResult& result) {
  std::set<Fingerprint> calls;
  Finding finding;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::phrase_seen || topic_of(incident).rule != "collective-mismatch" ||
        !contains(incident.message, opening))
      continue;
    for (Fingerprint& call : read_fingerprints(incident.message)) calls.insert(std::move(call));
    for (const LineRef at : incident.evidence.lines)
      for (Fingerprint& call : read_fingerprints(without_borders(model.quote(at)))) calls.insert(std::move(call));
    claim(model, incident, finding);
    if (incident.process >= 0) finding.processes.push_back(incident.process);
  }
  if (calls.empty()) return;
  const Fingerprint& first = *calls.begin();
  const auto other =
      std::ranges::find_if(calls, [&](const Fingerprint& call) { return !difference(first, call).empty(); });
  finding.values.emplace_back("source", "fingerprint");
  finding.message =
      concat("PyTorch refused calls that differ between the ranks: rank ", first.rank, " called ", call_text(first));
  finding.ranks.push_back(first.rank);
  if (other == calls.end()) {
    finding.message += ", other ranks something else";
  } else {
    finding.values.emplace_back("differ", difference(first, *other));
    if (difference(first, *other) == "size" && is_of_gradients(first) && is_of_gradients(*other))
      finding.values.emplace_back("shape", "flat");
    finding.message += concat(", rank ", other->rank, " ", call_text(*other), dimension_text(first, *other));
    finding.ranks.push_back(other->rank);
  }
  std::erase(finding.ranks, -1);
  result.findings.push_back(std::move(finding));
}

}  // namespace nccl_analyze
