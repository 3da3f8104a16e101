// Reads remedies.tsv and finds the step for a message.

#include "rules/advice/remedies.h"

#include <algorithm>
#include <string>

#include "messages/meanings.h"
#include "rules/advice/conditions.h"
#include "text/message_text.h"
#include "text/split.h"

namespace nccl_analyze {

namespace {

std::vector<Remedy> read_remedies(std::string_view table) {
  std::vector<Remedy> remedies;
  for (const auto& [wording, order, step, command] : rows_of<4>(table))
    remedies.push_back({wording, order == "alone", step, command});
  return remedies;
}

Remedy find_remedy(std::string_view wording) {
  const std::vector<Remedy>& all = all_remedies();
  const auto found = std::ranges::lower_bound(all, wording, {}, &Remedy::wording);
  if (found == all.end() || found->wording != wording) return {};
  if (!found->step.starts_with('@')) return *found;
  const Remedy shared = find_remedy(found->step);
  return {wording, found->is_alone, shared.step, shared.command};
}

/// Whether the step sets a value that the log shows already: the first code of a step that begins with `Set`.
bool is_done(std::string_view step, const Facts& facts) {
  constexpr std::string_view beginning = "Set `";
  if (!step.starts_with(beginning)) return false;
  step.remove_prefix(beginning.size());
  return prove(concat("setting ", take_until(step, '`')), facts).has_value();
}

}  // namespace

const std::vector<Remedy>& all_remedies() {
  static const std::vector<Remedy> remedies = read_remedies(remedies_table);
  return remedies;
}

Remedy remedy_of(const Facts& facts) {
  for (const Incident* const incident : facts.incidents) {
    const KnownMessage known = find_known_message(incident->message);
    if (known.meaning == nullptr || !is_cause(known.meaning->kind)) continue;
    const Remedy remedy = find_remedy(known.wording);
    return is_done(remedy.step, facts) ? Remedy{} : remedy;
  }
  return {};
}

}  // namespace nccl_analyze
