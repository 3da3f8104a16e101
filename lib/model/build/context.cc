#include "model/build/context.h"

namespace nccl_analyze::builder {

ThreadState& Context::add_thread() {
  auto& known = process->threads;
  constexpr std::int64_t all_further = -2;
  const std::int64_t tid = known.size() < limits.max_threads ? record->origin.tid : all_further;
  if (const std::uint32_t* const shared = known.find(tid)) return threads[*shared];
  const auto number = static_cast<std::uint32_t>(threads.size());
  known[tid] = number;
  threads.emplace_back().number = number;
  return threads.back();
}

void Context::add_to(Evidence& evidence) {
  evidence.add(record->at, record->times);
  if (evidence.lines.size() <= Evidence::max_lines && evidence.lines.back() == record->at) quote();
}

Source& Context::source_of(SourceId source) {
  const auto index = static_cast<std::size_t>(source);
  if (state.model.sources.size() <= index) state.model.sources.resize(index + 1);
  return state.model.sources[index];
}

}  // namespace nccl_analyze::builder
