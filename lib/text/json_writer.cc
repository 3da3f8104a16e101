// Implements layout, separators and buffering of JsonWriter.

#include "text/json_writer.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t flush_size = std::size_t{1} << 16;

}  // namespace

void JsonWriter::open(char bracket, char close, Layout layout) {
  separate();
  const bool inside_line = !frames_.empty() && frames_.back().layout == Layout::line;
  frames_.push_back({close, inside_line ? Layout::line : layout, false});
  buffer_ += bracket;
}

void JsonWriter::end() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.has_items && frame.layout == Layout::block) break_line(false);
  buffer_ += frame.close;
  if (buffer_.size() >= flush_size) flush();
}

void JsonWriter::key(std::string_view name) {
  separate();
  buffer_ += '"';
  buffer_ += name;
  buffer_ += "\": ";
  after_key_ = true;
}

void JsonWriter::key_from_log(std::string_view name) {
  separate();
  append_json_string(buffer_, name);
  buffer_ += ": ";
  after_key_ = true;
}

void JsonWriter::null() {
  separate();
  buffer_ += "null";
}

void JsonWriter::value(std::string_view text) {
  separate();
  append_json_string(buffer_, text);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  char digits[32];
  buffer_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void JsonWriter::value(Hex number) {
  separate();
  buffer_ += "\"0x";
  buffer_ += to_hex(number.value);
  buffer_ += '"';
}

void JsonWriter::finish() {
  buffer_ += '\n';
  flush();
}

void JsonWriter::separate() {
  if (after_key_ || frames_.empty()) {
    after_key_ = false;
    return;
  }
  Frame& frame = frames_.back();
  if (frame.layout == Layout::block) {
    break_line(frame.has_items);
  } else if (frame.has_items) {
    buffer_ += ", ";
  }
  frame.has_items = true;
  if (buffer_.size() >= flush_size) flush();
}

void JsonWriter::break_line(bool after_item) {
  constexpr std::string_view deep = ",\n                                                ";
  const std::size_t blanks = 2 * frames_.size(), at_once = std::min(blanks, deep.size() - 2);
  buffer_ += deep.substr(after_item ? 0 : 1, at_once + (after_item ? 2 : 1));
  buffer_.append(blanks - at_once, ' ');
}

void JsonWriter::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

}  // namespace nccl_analyze
