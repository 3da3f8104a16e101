#include "redact/plain_lines.h"

#include <algorithm>

#include "redact/stamp.h"
#include "text/blanks.h"

namespace nccl_analyze::redact {

PlainLines::Parts PlainLines::split(std::string_view text, std::size_t size) {
  PlainLine plain;
  Sender* const sender = senders_.find_head(text);
  if (sender != nullptr) plain.marker = sender->decoration_size() + sender->size;
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

bool PlainLines::is_all_message() const { return parts_.end > 0 && trimmed_end(parts_.message).size() == parts_.end; }

bool PlainLines::is_message_known() {
  const std::string_view message = parts_.message.substr(0, parts_.end);
  const bool is_all = is_all_message();
  whole_.reset();
  if (!is_all || !finder_.is_hot(message)) whole_ = messages_.find(parts_.message, parts_.is_decorated ? 1 : 0);
  if (whole_) return true;
  if (!is_all || !finder_.find(message, parts_.is_decorated, free_text_)) return false;
  is_new_ = false;
  for (std::size_t i = 0; i < free_text_.count; ++i) {
    const FreeText::Part& part = free_text_.parts[i];
    const auto made = texts_.find(part.text, part.place);
    if (!made && !part.is_harmless()) return false;
    is_new_ = is_new_ || !made;
    redacted_parts_[i] = made.value_or(part.text);
  }
  return true;
}

void PlainLines::overwrite_message(std::string& out, std::size_t begin) {
  if (whole_) return void(whole_->copy(out.data() + begin, whole_->size()));
  for (std::size_t i = 0; i < free_text_.count; ++i) {
    const auto at = static_cast<std::size_t>(free_text_.parts[i].text.data() - parts_.message.data());
    redacted_parts_[i].copy(out.data() + begin + at, redacted_parts_[i].size());
  }
  if (is_new_) messages_.note(parts_.message, std::string_view(out).substr(begin), parts_.is_decorated ? 1 : 0);
}

bool PlainLines::append(std::string_view text, std::size_t size, bool is_own, std::string& out) {
  parts_ = split(text, size);
  const std::string_view line = text.substr(0, size);
  return (parts_.is_plain && append_plain(line, is_own, out)) || append_other(line, out);
}

PlainLines::Head* PlainLines::head_of_line() {
  constexpr std::size_t most = std::size_t{1} << 14U;
  if (view_.sender == 0) return nullptr;
  const std::size_t slot = (2 * view_.sender + (view_.level == Level::info ? 0 : 1)) % most;
  if (slot >= heads_.size()) heads_.resize(std::min(most, 2 * slot + 1));
  return &heads_[slot];
}

bool PlainLines::append_plain(std::string_view line, bool is_own, std::string& out) {
  const Head* const head = head_of_line();
  const std::string_view decoration = keeps_times_ ? without_stamp(parts_.decoration) : parts_.decoration;
  if (head == nullptr || head->sender != view_.sender || head->decoration != decoration) return false;
  const bool stays = is_own && is_all_message();
  if (!stays && !is_message_known()) return false;
  const std::size_t begin = out.size();
  out += line;
  char* const written = out.data() + begin;
  head->redacted_decoration.copy(written, head->redacted_decoration.size());
  head->redacted_prefix.copy(written + parts_.decoration.size(), head->redacted_prefix.size());
  if (!stays) overwrite_message(out, begin + line.size() - parts_.message.size());
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
