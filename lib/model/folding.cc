// Who speaks in a record, and what becomes of the draft in the end.

#include "model/folding.h"

#include <algorithm>
#include <utility>

#include "model/placement.h"

namespace nccl_analyze::draft {

bool Folding::is_origin(const Process& known, const Origin& origin) const {
  return known.pid == origin.pid && known.source == record_->at.source && known.host == origin.host &&
         known.pod == origin.pod;
}

std::size_t Folding::recent_slot(const Origin& origin) {
  std::size_t hash = static_cast<std::size_t>(origin.pid) * 2654435761U;
  for (const char c : origin.host.substr(origin.host.size() - std::min<std::size_t>(origin.host.size(), 4)))
    hash = hash * 31 + static_cast<unsigned char>(c);
  return hash % recent_processes;
}

bool Folding::find_process() {
  const Origin& origin = record_->origin;
  Index& recent = recent_process_[recent_slot(origin)];
  if (recent < 0 || !is_origin(job_.processes[static_cast<std::size_t>(recent)].process, origin)) {
    ProcessKey key{record_->at.source, origin.pid, std::string(origin.host), std::string(origin.pod)};
    const auto found = process_index_.find(key);
    if (found != process_index_.end()) {
      recent = found->second;
    } else {
      if (job_.processes.size() >= limits_.max_processes) {
        ++dropped_;
        return false;
      }
      recent = static_cast<Index>(job_.processes.size());
      Process& made = job_.processes.emplace_back().process;
      made.source = key.source;
      made.pid = key.pid;
      made.host = key.host;
      made.pod = key.pod;
      made.container = std::string(origin.container);
      made.first = record_->at;
      process_index_.emplace(std::move(key), recent);
    }
  }
  process_number_ = recent;
  process_ = &job_.processes[static_cast<std::size_t>(recent)];
  process_->process.last = record_->at;
  if (record_->level == Level::info) process_->process.info_seen = true;
  return true;
}

ThreadDraft& Folding::thread() {
  auto& threads = process_->threads;
  const auto found = threads.find(record_->origin.tid);
  if (found != threads.end()) return found->second;
  return threads[threads.size() < limits_.max_threads ? record_->origin.tid : -2];
}

Rank* Folding::rank_in_init() {
  const ThreadDraft& now = thread();
  return now.current.comm >= 0 && now.in_init && !now.mixed ? &rank_of(now.current) : nullptr;
}

RankRef Folding::speaker(Hex comm) {
  if (comm.value != 0) {
    const auto found = process_->by_pointer.find(comm.value);
    return found == process_->by_pointer.end() ? RankRef{} : found->second;
  }
  return rank_in_init() == nullptr ? RankRef{} : thread().current;
}

void Folding::reach(Rank& rank, InitPhase phase) {
  if (rank.state == RankState::started) rank.phase = std::max(rank.phase, phase);
}

void Folding::add(const Record& given) {
  record_ = &given;
  if (const auto* version = std::get_if<VersionPrinted>(&given.event); version && given.level == Level::version) {
    BareVersion& kept = bare_versions_[given.at.source];
    if (kept.version.empty()) kept.at = quoted();
    kept.differ = kept.differ || (!kept.version.empty() && kept.version != version->version);
    kept.version = version->version;
    kept.library = version->library.empty() ? "NCCL" : version->library;
    if (!version->toolkit.empty()) kept.toolkit = version->toolkit;
    ++kept.lines.nccl_lines;
    return;
  }
  if (given.damage != Damage::none)
    source_of(given.at.source).damaged[static_cast<std::size_t>(given.damage)].add(quoted());
  const bool found = find_process();
  LineCounts& lines = found ? process_->lines : stray_lines_;
  lines += {.nccl_lines = 1, .unrecognized = std::holds_alternative<Unrecognized>(given.event) ? 1U : 0U};
  if (!found) return;
  std::visit([this](const auto& event) { apply(event); }, given.event);
}

void Folding::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  Source& known = source_of(source);
  known.name = name;
  known.stats = stats;
}

Source& Folding::source_of(SourceId source) {
  const auto index = static_cast<std::size_t>(source);
  if (sources_.size() <= index) sources_.resize(index + 1);
  return sources_[index];
}

/// A source that tells a version and nothing of who has it: somebody does.
void Folding::add_unnamed_processes() {
  for (const auto& entry : bare_versions_) {
    const SourceId source = entry.first;
    const BareVersion& bare = entry.second;
    const bool spoken = std::any_of(job_.processes.begin(), job_.processes.end(),
                                    [&](const ProcessDraft& one) { return one.process.source == source; });
    if (spoken || bare.differ) continue;
    Process& made = job_.processes.emplace_back().process;
    made.source = source;
    made.first = made.last = bare.at;
    made.version_at = bare.at;
  }
}

Model Folding::build() {
  for (ProcessDraft& one : job_.processes)
    for (auto& [tid, now] : one.threads) {
      process_ = &one;
      close_batch(now, BatchKind::unknown);
    }
  std::erase_if(job_.batches, [](const Batch& batch) { return batch.process < 0; });
  absorb_remnants();
  std::sort(job_.batches.begin(), job_.batches.end(), [](const Batch& a, const Batch& b) { return a.first < b.first; });
  attribute_batches(job_);

  add_unnamed_processes();
  for (ProcessDraft& one : job_.processes) {
    Process& done = one.process;
    const auto bare = bare_versions_.find(done.source);
    if (!done.version.empty() || bare == bare_versions_.end() || bare->second.differ) continue;
    done.library = bare->second.library;
    done.version = bare->second.version;
    done.toolkit = bare->second.toolkit;
  }

  Model model;
  model.sources = std::move(sources_);
  model.versions = sum_versions();
  for (ProcessDraft& one : job_.processes) model.processes.push_back(std::move(one.process));
  for (CommDraft& one : job_.comms) model.communicators.push_back(finish(one, job_.transports));
  model.ambiguities = std::move(job_.ambiguities);
  keeper_.finish(model);
  model.dropped += dropped_;
  for (HostDraft& one : job_.hosts) model.hosts.push_back(std::move(one.host));
  put_in_order(model);
  place_hosts(model);
  place_nodes(model);
  return model;
}

}  // namespace nccl_analyze::draft
