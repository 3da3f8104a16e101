// NCA412 reports what NCCL's own diagnostics find (level DIAG): they compare the ranks of a communicator and name those
// that differ or fail.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nccl_analyze/events/ras.h"
#include "nccl_analyze/rule.h"
#include "rules/findings.h"
#include "text/message_text.h"

namespace nccl_analyze::nca412 {

namespace {

struct Grade {
  std::string_view check, fault;  ///< An empty `fault` stands for any fault of the check.
  Severity severity;
};

/// The severities of results; info for results without a row. Differences may be intended, unlike inactive links and
/// memory errors.
constexpr std::array<Grade, 7> grades = {{
    {"ECC", "uncorrected volatile errors", Severity::warning},
    {"NVLink", "inactive link(s)", Severity::warning},
    {"NVLink", "link-count mismatch", Severity::warning},
    {"p2p", "write mismatch", Severity::error},
    {"p2p", "read mismatch", Severity::error},
    {"p2p", "", Severity::warning},
    {"net bw", "", Severity::warning},
}};

Severity grade_of(const DiagnosticReported& event) {
  for (const Grade& grade : grades)
    if (grade.check == event.check && (grade.fault.empty() || grade.fault == event.fault)) return grade.severity;
  return Severity::info;
}

/// Whether the result is a variable whose value differs between ranks. The lines of such a result name every rank.
bool is_setting(const DiagnosticReported& event) { return event.check == "NCCL environment"; }

/// Returns the ranks that the result names: `{3,5}`, `{0,1,...} (N=12)`, or a pair of GPUs.
std::vector<int> ranks_of(const DiagnosticReported& event) {
  std::vector<int> ranks;
  const std::string_view list = event.ranks.substr(0, event.ranks.find('}'));
  for (std::size_t at = list.find_first_of("0123456789"); at < list.size(); at = list.find_first_of("0123456789", at)) {
    const std::size_t end = std::min(list.find_first_not_of("0123456789", at), list.size());
    constexpr std::size_t max_digits = 9;
    if (end - at <= max_digits) ranks.push_back(std::atoi(std::string(list.substr(at, end - at)).c_str()));
    at = end;
  }
  for (const int rank : {event.rank, event.peer})
    if (rank >= 0) ranks.push_back(rank);
  return ranks;
}

/// Whether a measured bandwidth, as in `120.0 Gbit/s, >30% off median 380.0 Gbit/s`, is not below the median. Such a
/// result is no fault.
bool is_fast(const DiagnosticReported& event) {
  const std::string detail(event.detail);
  const std::size_t median = detail.find("median ");
  return event.check == "net bw" && median != std::string::npos &&
         std::strtod(detail.c_str(), nullptr) >= std::strtod(detail.c_str() + median + 7, nullptr);
}

/// The results of one kind (see kind_of()).
struct Group {
  Severity severity = Severity::info;
  std::uint64_t comm_id = 0;
  std::vector<std::string> words;  ///< The lines without their tag.
  std::vector<int> ranks;
  Finding finding;
};

/// Returns the key of the kind of a result: check, fault and communicator. For a variable, the key is its name; for Xid
/// errors, it includes the host and the detail.
std::string kind_of(const DiagnosticReported& event) {
  if (is_setting(event)) return concat(event.check, "/", event.detail.substr(0, event.detail.find('=')));
  const bool by_detail = event.check == "Xid" || event.check == "SXid";
  return concat(event.check, "/", event.fault, "/", event.comm_id.value, "/",
                when(by_detail, event.host, "/", event.detail));
}

void add(const Model& model, const Incident& incident, const DiagnosticReported& event, Group& group) {
  constexpr std::size_t tag = std::string_view("[INFO] ").size();
  constexpr std::size_t most = 64;
  group.severity = std::max(group.severity, grade_of(event));
  if (group.comm_id == 0) group.comm_id = event.comm_id.value;
  if (group.words.size() < most)
    group.words.push_back(excerpt(incident.message.substr(std::min(tag, incident.message.size())), 160));
  claim(model, incident, group.finding);
  if (is_setting(event)) return;
  const std::vector<int> ranks = ranks_of(event);
  group.ranks.insert(group.ranks.end(), ranks.begin(), ranks.end());
}

std::map<std::string, Group> groups_of(const Model& model) {
  std::map<std::string, Group> groups;
  for (const Incident& incident : model.incidents) {
    if (incident.kind != IncidentKind::diagnostic_reported) continue;
    const auto& event = incident.event.as<DiagnosticReported>();
    if (!is_fast(event)) add(model, incident, event, groups[kind_of(event)]);
  }
  return groups;
}

/// Returns the communicator with this id or, for lines without an id, the only communicator; -1 if it is unknown.
Index communicator_of(const Model& model, std::uint64_t comm_id) {
  if (comm_id == 0) return model.communicators.size() == 1 ? 0 : -1;
  for (const Communicator& comm : model.communicators)
    if (comm.comm_id == comm_id) return index_of(model, comm);
  return -1;
}

/// Scopes the finding to the ranks that the lines name. The process that printed them only collected the results.
void set_ranks(const Model& model, Group& group) {
  const Index comm = communicator_of(model, group.comm_id);
  if (comm < 0) return;
  std::ranges::sort(group.ranks);
  group.ranks.erase(std::unique(group.ranks.begin(), group.ranks.end()), group.ranks.end());
  group.finding.communicators = {comm};
  group.finding.ranks = std::move(group.ranks);
}

}  // namespace

RuleResult check(const Model& model) {
  constexpr std::size_t max_findings = 16;
  RuleResult result;
  for (auto& [kind, group] : groups_of(model)) {
    if (result.findings.size() == max_findings) break;
    set_ranks(model, group);
    group.finding.message = concat("NCCL's diagnostics: ", list_text(group.words, 3));
    group.finding.own_severity = group.severity;
    result.findings.push_back(std::move(group.finding));
  }
  return result;
}

}  // namespace nccl_analyze::nca412
