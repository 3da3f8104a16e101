#include "model/build/comm_names.h"

#include <algorithm>

#include "model/build/builder.h"

namespace nccl_analyze::draft {

namespace {

constexpr std::size_t max_waiting = 256;  // of one process, in a group of calls

bool is_told(std::string_view name) { return !name.empty() && name != "(null)"; }

}  // namespace

void note_name(CommDraft& comm, std::string_view name) {
  if (!comm.comm.name.empty() && !name.empty() && comm.comm.name != name) comm.names_differ = true;
  if (comm.comm.name.empty()) comm.comm.name = name;
  if (comm.names_differ) comm.comm.name.clear();
}

void Folding::apply(const CommConfigSet& event) {
  if (!is_name(event) || !is_told(event.value)) return;
  if (!is_name_to_come(event)) {
    if (rank_in_init() != nullptr) note_name(comm_of(thread().current), event.value);
    return;
  }
  GivenNames& given = given_names_[process_number_];
  if (given.waiting.size() < max_waiting) given.waiting.push_back({record_->origin.tid, std::string(event.value)});
}

void Folding::give_program_name(RankRef ref) {
  const auto found = given_names_.find(process_number_);
  if (found == given_names_.end()) return;
  GivenNames& given = found->second;
  auto own = std::find_if(given.waiting.begin(), given.waiting.end(),
                          [&](const GivenNames::Given& one) { return one.tid >= 0 && one.tid == record_->origin.tid; });
  const bool same_thread = own != given.waiting.end();
  if (!same_thread) own = given.waiting.begin();
  const bool alike = std::all_of(given.waiting.begin(), given.waiting.end(),
                                 [&](const GivenNames::Given& one) { return one.name == own->name; });
  given.mixed = given.mixed || !(same_thread || alike);
  if (same_thread || !given.mixed) note_name(comm_of(ref), own->name);
  given.waiting.erase(own);
  if (given.waiting.empty()) given_names_.erase(found);
}

}  // namespace nccl_analyze::draft
