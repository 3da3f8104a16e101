#include "nccl_analyze/record_batch.h"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace nccl_analyze {

namespace {

constexpr std::size_t block_size = std::size_t{64} << 10U;
constexpr std::size_t first_records = 1024;  // moving them later costs more

/// Lists are views as well.
template <class T>
concept Listing = requires(const T& list) {
  { list.text() } -> std::same_as<std::string_view>;
  T{list.text()};
};

/// Replaces each view of an event.
template <class E, class Keep>
void keep_views(E& event, Keep&& keep) {
  std::apply(
      [&](const auto&... field) {
        [[maybe_unused]] const auto one = [&](auto& member) {
          using T = std::remove_reference_t<decltype(member)>;
          if constexpr (std::is_same_v<T, std::string_view>)
            member = keep(member);
          else if constexpr (Listing<T>)
            member = T{keep(member.text())};
        };
        (one(event.*(field.member)), ...);
      },
      E::fields());
}

}  // namespace

std::string_view RecordBatch::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > left_) {
    left_ = std::max(block_size, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
    free_ = blocks_.back().get();
  }
  std::memcpy(free_, text.data(), text.size());
  const std::string_view kept(free_, text.size());
  free_ += text.size();
  left_ -= text.size();
  text_bytes_ += text.size();
  return kept;
}

void RecordBatch::add(const Record& record) {
  if (records_.capacity() == 0) records_.reserve(first_records);
  Record& made = records_.emplace_back(record);
  made.text = keep(record.text);
  const auto is_part = [&](std::string_view view) {
    const std::less_equal<const char*> not_behind;
    return not_behind(record.text.data(), view.data()) &&
           not_behind(view.data() + view.size(), record.text.data() + record.text.size());
  };
  const auto kept = [&](std::string_view view) {
    if (view.data() == nullptr) return view;
    return is_part(view) ? made.text.substr(static_cast<std::size_t>(view.data() - record.text.data()), view.size())
                         : keep(view);
  };
  made.message = kept(record.message);
  for (std::string_view Origin::*const part : {&Origin::host, &Origin::timestamp, &Origin::location, &Origin::wrapper,
                                               &Origin::pod, &Origin::container, &Origin::time})
    made.origin.*part = kept(record.origin.*part);
  std::visit([&](auto& event) { keep_views(event, kept); }, made.event);
}

void RecordBatch::clear() {
  records_.clear();
  blocks_.clear();
  free_ = nullptr;
  left_ = text_bytes_ = 0;
}

void RecordBatch::set_source(SourceId source) {
  for (Record& record : records_) record.at = LineRef{source, record.at.line};
}

}  // namespace nccl_analyze
