#include "nccl_analyze/record_batch.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "messages/views.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t block_size = std::size_t{64} << 10U;
constexpr std::size_t first_records = 1024;  // moving them later costs more

}  // namespace

std::string_view RecordBatch::keep(std::string_view text) {
  if (text.empty()) return {};
  while (open_ < blocks_.size() && blocks_[open_].size - blocks_[open_].used < text.size()) ++open_;
  if (open_ == blocks_.size()) {
    const std::size_t size = std::max(block_size, text.size());
    blocks_.push_back({std::make_unique_for_overwrite<char[]>(size), size, 0});
  }
  Block& block = blocks_[open_];
  char* const place = block.bytes.get() + block.used;
  std::memcpy(place, text.data(), text.size());
  block.used += text.size();
  return {place, text.size()};
}

void RecordBatch::add(const Record& record) {
  if (records_.capacity() == 0) records_.reserve(first_records);
  Record& made = records_.emplace_back(record);
  made.text = keep(record.text);
  const std::string_view whole = record.text;
  const auto kept = [&](std::string_view view) {
    const std::less_equal<const char*> not_behind;
    const bool is_part =
        not_behind(whole.data(), view.data()) && not_behind(view.data() + view.size(), whole.data() + whole.size());
    if (view.data() == nullptr || !is_part) return keep(view);
    return made.text.substr(static_cast<std::size_t>(view.data() - whole.data()), view.size());
  };
  made.message = kept(record.message);
  made.completed = kept(record.completed);
  for (std::string_view Origin::*const part : {&Origin::host, &Origin::timestamp, &Origin::location, &Origin::wrapper,
                                               &Origin::pod, &Origin::container, &Origin::time})
    made.origin.*part = kept(record.origin.*part);
  replace_views(address_of(made.event), fields_in(made.event), kept);
}

void RecordBatch::clear() {
  records_.clear();
  for (Block& block : blocks_) block.used = 0;
  open_ = 0;
}

void RecordBatch::move_to(SourceId source) {
  for (Record& record : records_) record.at = LineRef{source, record.at.line};
}

}  // namespace nccl_analyze
