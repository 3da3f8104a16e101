#include "redact/plain_lines.h"

#include <algorithm>

#include "redact/stamp.h"
#include "text/blanks.h"

namespace nccl_analyze::redact {

PlainLines::Parts PlainLines::split(std::string_view text, std::size_t size) {
  PlainLine plain;
  Sender* const sender = senders_.find_head(text);
  if (sender != nullptr) plain.marker = sender->decoration_size() + sender->text.size();
  if (!scan_->begins_plain(text, plain) || plain.size != size) return {};
  const std::string_view line = text.substr(0, size);
  if (!is_common(line, plain.marker) || !senders_.read_plain(line, plain.marker, sender, view_, origin_)) return {};
  const std::string_view message = message_after_level(line, plain.marker);
  const auto begin = static_cast<std::size_t>(message.data() - line.data());
  const std::size_t start = view_.start;
  const bool is_apart = start == 0 || line[start - 1] == ' ';
  if (!is_apart || !origin_.timestamp.empty()) return {};
  const bool is_located = view_.message.data() != message.data();
  return {.decoration = line.substr(0, start),
          .prefix = line.substr(start, begin - start),
          .message = message,
          .end = is_located ? 0 : view_.message.size(),
          .is_plain = true,
          .is_decorated = start > 0};
}

bool PlainLines::is_message_known() {
  const std::string_view message = parts_.message.substr(0, parts_.end);
  const bool is_all = parts_.end > 0 && trimmed_end(parts_.message).size() == parts_.end;
  whole_.reset();
  if (!is_all || !finder_.is_hot(message)) whole_ = messages_.find(parts_.message, parts_.is_decorated ? 1 : 0);
  if (whole_) return true;
  if (!is_all || !finder_.find(message, parts_.is_decorated, free_text_)) return false;
  for (std::size_t i = 0; i < free_text_.count; ++i) {
    const auto made = texts_.find(free_text_.parts[i].text, free_text_.parts[i].place);
    if (!made) return false;
    redacted_parts_[i] = *made;
  }
  return true;
}

void PlainLines::append_message(std::string& out) const {
  if (whole_) return void(out += *whole_);
  const std::size_t begin = out.size();
  out += parts_.message;
  for (std::size_t i = 0; i < free_text_.count; ++i) {
    const auto at = static_cast<std::size_t>(free_text_.parts[i].text.data() - parts_.message.data());
    std::ranges::copy(redacted_parts_[i], out.data() + begin + at);
  }
}

bool PlainLines::append(std::string_view text, std::size_t size, std::string& out) {
  parts_ = split(text, size);
  return parts_.is_plain && append_plain(out) ? true : append_other(text.substr(0, size), out);
}

PlainLines::Head* PlainLines::head_of_line() {
  constexpr std::size_t most = std::size_t{1} << 14U;
  if (view_.sender == 0) return nullptr;
  const std::size_t slot = (2 * view_.sender + (view_.level == Level::info ? 0 : 1)) % most;
  if (slot >= heads_.size()) heads_.resize(std::min(most, 2 * slot + 1));
  return &heads_[slot];
}

bool PlainLines::append_plain(std::string& out) {
  const Head* const head = head_of_line();
  const std::string_view decoration = keeps_times_ ? without_stamp(parts_.decoration) : parts_.decoration;
  const bool is_known = head != nullptr && head->sender == view_.sender && head->decoration == decoration;
  if (!is_known || !is_message_known()) return false;
  out += head->redacted_decoration;
  out += parts_.decoration.substr(decoration.size());
  out += head->redacted_prefix;
  append_message(out);
  return true;
}

bool PlainLines::append_other(std::string_view line, std::string& out) {
  const Stamp stamp = keeps_times_ ? find_stamp(line) : Stamp{};
  const auto made = lines_.find(without(stamp, line, scratch_), stamp.end);
  if (!made) return false;
  out += made->substr(0, stamp.begin);
  out += line.substr(stamp.begin, stamp.end - stamp.begin);
  out += made->substr(stamp.begin);
  return true;
}

void PlainLines::learn(std::string_view line, std::string_view made, bool is_known) {
  if (parts_.is_plain && is_known && made.size() == line.size() && !depends_on_line(line))
    return learn_plain(line, made);
  const Stamp stamp = keeps_times_ ? find_stamp(line) : Stamp{};
  if (made.substr(std::min(stamp.begin, made.size()), stamp.end - stamp.begin) !=
      line.substr(stamp.begin, stamp.end - stamp.begin))
    return;
  lines_.note(without(stamp, line, scratch_), without(stamp, made, redacted_line_), stamp.end);
}

void PlainLines::learn_plain(std::string_view line, std::string_view made) {
  const auto redacted_part = [&](std::string_view text) {
    return made.substr(static_cast<std::size_t>(text.data() - line.data()), text.size());
  };
  const auto note = [&](TextMemo& memo, std::string_view text, std::uint64_t place) {
    if (!memo.find(text, place)) memo.note(text, redacted_part(text), place);
  };
  if (Head* const head = head_of_line(); head != nullptr) {
    const std::string_view decoration = keeps_times_ ? without_stamp(parts_.decoration) : parts_.decoration;
    *head = {.sender = view_.sender,
             .decoration = std::string(decoration),
             .redacted_decoration = std::string(redacted_part(decoration)),
             .redacted_prefix = std::string(redacted_part(parts_.prefix))};
  }
  const std::string_view message = parts_.message.substr(0, parts_.end);
  if (parts_.end == 0 || !finder_.is_hot(message)) note(messages_, parts_.message, parts_.is_decorated ? 1 : 0);
  const bool has_free_text = parts_.end > 0 && finder_.find(message, parts_.is_decorated, free_text_);
  for (std::size_t i = 0; has_free_text && i < free_text_.count; ++i)
    note(texts_, free_text_.parts[i].text, free_text_.parts[i].place);
}

}  // namespace nccl_analyze::redact
