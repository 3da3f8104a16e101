// NCA323 reports that NVSHMEM, which works beside NCCL, could not be set up. The phrases of its messages are in
// lib/messages/device_library_phrases.h.

#include <algorithm>
#include <string>
#include <utility>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "rules/outcome.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze::nca323 {

namespace {

bool is_of_nvshmem(const Incident& incident) {
  return incident.kind == IncidentKind::phrase_seen && incident.topic == "nvshmem-failed" && !is_mention(incident);
}

/// Whether NVSHMEM says only that it leaves out a NIC or a transport. It then takes another one if it has one.
bool is_left_out(const Incident& incident) {
  return one_of(
      incident.event.as<PhraseSeen>().phrase,
      {"neither nv_peer_mem, or nvidia_peermem", "is not enumerated as an mlx5 device", "init failed for transport:"});
}

/// Whether NVSHMEM cannot work in a process any more: it calls exit(), or its set-up as a whole failed. Lines with one
/// phrase are one incident, so that only the quotes have all of its words.
bool is_over(const Model& model, const Finding& finding) {
  return any_incident(model, finding, is_fatal_phrase) || std::ranges::any_of(finding.evidence.lines, [&](LineRef at) {
           return contains(model.quote(at), "setup connections failed") ||
                  contains(model.quote(at), "initialize any transports");
         });
}

/// Returns the message from the name of the file in NVSHMEM's code on: `ibrc.cpp:418: non-zero status: 22 ...`.
std::string_view words_of_nvshmem(const Incident& incident) {
  const std::string_view message = incident.message;
  const std::size_t words = std::min(message.find(incident.event.as<PhraseSeen>().phrase), message.size());
  const std::size_t slash = message.substr(0, words).rfind('/');
  return slash == std::string_view::npos ? message : message.substr(slash + 1);
}

}  // namespace

RuleResult check(const Model& model) {
  Finding finding = claimed(model, is_of_nvshmem);
  if (finding.incidents.empty()) return {};
  const auto first = std::ranges::min_element(finding.incidents, {}, [&](Index index) {
    const std::vector<LineRef>& lines = model.incidents[index].evidence.lines;
    return lines.empty() ? LineRef{} : lines.front();
  });
  const bool goes_on = !any_incident(model, finding, [](const Incident& one) { return !is_left_out(one); });
  if (goes_on) finding.values.emplace_back("goes-on", "yes");
  finding.survived = goes_on;
  finding.own_severity = goes_on ? Severity::info : is_over(model, finding) ? Severity::error : Severity::warning;
  finding.message = concat("NVSHMEM says: ", excerpt(words_of_nvshmem(model.incidents[*first]), 160));
  return {{std::move(finding)}};
}

}  // namespace nccl_analyze::nca323
