// Writes the values of a pickle as JSON. Values that are held several times are written several times, so that a small
// pickle may stand for endless JSON, or contain itself: depth, number of values and bytes are limited.

#include "evidence/pickle_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>

#include "evidence/json_parse.h"
#include "evidence/pickle.h"
#include "text/escape.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_pickle_depth = 16;               // as deep as the reader of JSON reads
constexpr std::size_t max_written = std::size_t{1} << 22;  // values

class PickleWriter {
 public:
  PickleWriter(const std::vector<PickledValue>& values, std::string& out) : values_(values), out_(out) {}

  std::string write(PickledRef root) {
    if (!std::holds_alternative<PickledObject>(values_[root])) return "its pickle is no dictionary";
    add(root, 0);
    out_ += '\n';
    check_size();
    return std::move(wrong_);
  }

  bool is_too_large() const { return written_ > max_written || out_.size() > max_pickle_size; }

 private:
  void add(PickledRef ref, std::size_t depth) {
    ++written_;
    if (depth > max_pickle_depth) wrong_ = "its pickle has values in values of more than 16 levels";
    check_size();
    if (!wrong_.empty()) return;
    std::visit([&](const auto& value) { add_value(value, depth); }, values_[ref]);
  }

  void check_size() {
    if (is_too_large()) wrong_ = "its pickle stands for more than 4 million values, or 64 MiB of JSON";
  }

  void add_value(std::monostate, std::size_t) { out_ += "null"; }
  void add_value(bool value, std::size_t) { out_ += value ? "true" : "false"; }
  void add_value(std::int64_t value, std::size_t) { add_number(value); }
  void add_value(double value, std::size_t) {
    if (!std::isfinite(value)) out_ += "null";
    if (std::isfinite(value)) add_number(value);
  }
  void add_value(std::string_view value, std::size_t) { append_json_string(out_, value); }

  void add_value(const PickledList& list, std::size_t depth) {
    constexpr std::size_t depth_of_entries = 1;
    const bool is_of_entries = depth == depth_of_entries;
    out_ += is_of_entries && !list.items.empty() ? "[\n" : "[";
    bool is_first = true;
    for (const PickledRef item : list.items) {
      if (!wrong_.empty()) return;
      if (!is_first) out_ += is_of_entries ? ",\n" : ", ";
      is_first = false;
      add(item, depth + 1);
    }
    out_ += ']';
  }

  void add_value(const PickledObject& object, std::size_t depth) {
    out_ += '{';
    bool is_first = true;
    for (std::size_t i = 0; i + 1 < object.items.size() && wrong_.empty(); i += 2) {
      ++written_;
      check_size();
      if (is_left_out(object.items[i])) continue;
      if (!is_first) out_ += depth == 0 ? ",\n" : ", ";
      is_first = false;
      add_key(object.items[i]);
      out_ += ": ";
      add(object.items[i + 1], depth + 1);
    }
    out_ += '}';
  }

  bool is_left_out(PickledRef key) const {
    const auto* const text = std::get_if<std::string_view>(&values_[key]);
    return text != nullptr && std::ranges::find(unread_members(), *text) != unread_members().end();
  }

  void add_key(PickledRef key) {
    if (const auto* const text = std::get_if<std::string_view>(&values_[key])) return append_json_string(out_, *text);
    const auto* const number = std::get_if<std::int64_t>(&values_[key]);
    if (number == nullptr) return void(wrong_ = "its pickle has a key that is neither a text nor a number");
    out_ += '"';
    add_number(*number);
    out_ += '"';
  }

  void add_number(auto number) {
    char digits[32];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }

  const std::vector<PickledValue>& values_;
  std::string& out_;
  std::size_t written_ = 0;
  std::string wrong_;
};

}  // namespace

std::string write_pickled(const std::vector<PickledValue>& values, PickledRef root, std::string& out,
                          bool& is_too_large) {
  PickleWriter writer(values, out);
  std::string wrong = writer.write(root);
  is_too_large = writer.is_too_large();
  return wrong;
}

}  // namespace nccl_analyze::evidence
