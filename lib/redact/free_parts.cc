#include "redact/free_parts.h"

#include <algorithm>

#include "messages/matcher.h"
#include "redact/bytes.h"
#include "redact/free_text.h"
#include "redact/own_message.h"

namespace nccl_analyze::redact {

bool holds_list_of_ranks(const Row& row) {
  return std::ranges::any_of(row.kind->fields, [](const Field& field) {
    return field.type == FieldType::ranks || field.type == FieldType::trees;
  });
}

bool holds_more_than_ranks(std::string_view list) {
  constexpr std::size_t longest_rank = 7;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t digits = end_of(list, at, is_digit) - at;
    if (digits > longest_rank || list[at] == '.') return true;
    at += std::max<std::size_t>(digits, 1);
    const bool has_dash = digits > 0 && at + 1 < list.size() && list[at] == '-' && is_digit(list[at + 1]);
    if (has_dash) return true;
  }
  return false;
}

void FreeParts::find(std::string_view line) {
  parts_.clear();
  found_.clear();
  cut_ = line.size();
  end_ = 0;
  find_records(line, found_);
  find_names(line);
  for (const RecordView& record : found_) {
    if (add(line, record.start, record.message)) continue;
    find_cut(line, record.message);
    // The message may be in a JSON string, which ends at a quote or an escape.
    add(line, record.start, record.message.substr(0, record.message.find_first_of("\"\\")));
  }
  parts_.push_back({end_, line.size()});
}

void FreeParts::find_names(std::string_view line) {
  const bool has_prefix = !found_.empty() && found_.front().has_prefix;
  const std::string_view before = line.substr(0, has_prefix ? found_.front().start : 0);
  // In JSON, the keys show which values are names.
  const bool is_json = before.find("\":") != std::string_view::npos;
  names_ = !has_prefix ? names_of_syslog(line) : is_json ? ByteRange{} : ByteRange{0, before.size()};
}

bool FreeParts::add(std::string_view line, std::size_t start, std::string_view message) {
  const auto place = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - line.data()); };
  Matcher::FreeText free;
  const Row* const row = standard_matcher().find_free_text(message, free);
  if (row == nullptr || place(message) < end_) return false;
  // If another line was torn and runs into the message, the word before the message may be a name or the end of one.
  if (place(message) > end_ && is_name_byte(line[place(message) - 1])) return false;
  if (holds_list_of_ranks(*row) && holds_more_than_ranks(message)) return false;
  // Text that runs into a prefix belongs to the part of the prefix.
  const bool is_apart = start == 0 || (line[start - 1] != ':' && !is_name_byte(line[start - 1]));
  const std::size_t prefix = is_apart ? std::max(start, end_) : end_;
  if (prefix > end_) add_decoration(line, prefix);
  parts_.push_back({prefix, place(message), false, is_apart && prefix == start ? 1U : 0U});
  const bool is_setting = row->kind->name == EnvSet::name;
  if (is_own_message(message)) free.count = 0;
  for (std::size_t i = 0; i < free.count; ++i) {
    if (tells_topology(*row, free.parts[i])) continue;
    const std::size_t begin = place(free.parts[i]), end = begin + free.parts[i].size();
    const std::uint64_t hole = reinterpret_cast<std::uintptr_t>(row) + i;  // unique: a row has more bytes than holes
    parts_.push_back({begin, end, is_setting && i > 0, end == line.size() || is_setting ? 0 : hole});
  }
  end_ = place(message) + message.size();
  return true;
}

/// The tag of a pod is a separate part, because many lines repeat it. The time after it differs between lines.
void FreeParts::add_decoration(std::string_view line, std::size_t end) {
  constexpr std::uint64_t at_start = 2;
  const std::size_t tag = end_ == 0 && line.starts_with("[pod/") ? std::min(line.find("] "), end) : end_;
  if (tag > end_) parts_.push_back({end_, tag, false, at_start});
  if (end > tag) parts_.push_back({tag, end});
}

void FreeParts::find_cut(std::string_view line, std::string_view message) {
  while (!message.empty() && !is_name_byte(message.back())) message.remove_suffix(1);
  if (!standard_matcher().is_beginning(message)) return;
  while (!message.empty() && is_name_byte(message.back())) message.remove_suffix(1);
  cut_ = static_cast<std::size_t>(message.data() + message.size() - line.data());
}

}  // namespace nccl_analyze::redact
