// Builds documents from the events of nlohmann's parser. nlohmann's own builder with a callback takes quadratic time,
// because at the end of each element it searches the whole list for discarded elements.

#include "evidence/json_parse.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "evidence/json_values.h"
#include "text/counted_text.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_values = std::size_t{1} << 22;  // values, keys and closing brackets that are not skipped
constexpr std::size_t max_json_depth = 16;

constexpr std::string_view unread[] = {
    "env", "args", "annotations", "managedFields", "frames", "times_us", "per_process_max_times_us"};

/// Receives the events of the parser. nlohmann's SAX interface prescribes the names of the public functions.
class Builder {
 public:
  explicit Builder(const std::uint64_t& read) : read_(read) {}
  Json take() { return std::move(root_); }

  bool null() { return value(nullptr); }
  bool boolean(bool one) { return value(one); }
  bool number_integer(Json::number_integer_t one) { return value(one); }
  bool number_unsigned(Json::number_unsigned_t one) { return value(one); }
  bool number_float(Json::number_float_t one, const Json::string_t&) { return value(one); }
  bool string(Json::string_t& one) { return value(std::move(one)); }
  bool binary(Json::binary_t&) { return false; }  // JSON has no binary values
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() {
    if (skipped_ == 0 && !open_.back().value->empty()) (*open_.back().value)[offset_key] = open_.back().place;
    return close();
  }
  bool end_array() { return close(); }
  bool key(Json::string_t& name) {
    if (skipped_ == 0) {
      is_unread_ = std::ranges::find(unread, std::string_view(name)) != std::end(unread);
      key_ = std::move(name);
    }
    return count();
  }
  static bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

 private:
  struct Open {
    Json* value;
    std::uint64_t place;
  };

  /// Skipped values take no memory.
  bool count() { return skipped_ > 0 || ++values_ <= max_values; }

  bool value(Json one) {
    if (skipped_ == 0 && !std::exchange(is_unread_, false)) add(std::move(one));
    return count();
  }

  bool open(Json one) {
    if (skipped_ > 0 || std::exchange(is_unread_, false) || open_.size() == max_json_depth)
      ++skipped_;
    else
      open_.push_back({&add(std::move(one)), read_});
    return count();
  }

  bool close() {
    if (skipped_ > 0)
      --skipped_;
    else
      open_.pop_back();
    return count();
  }

  /// Adds a value to the innermost open list or object, or as the root. An open list or object keeps its address,
  /// because values are only added to the innermost one.
  Json& add(Json one) {
    if (open_.empty()) return root_ = std::move(one);
    Json& parent = *open_.back().value;
    if (!parent.is_array()) return parent[key_] = std::move(one);
    parent.push_back(std::move(one));
    return parent.back();
  }

  const std::uint64_t& read_;  ///< Bytes that the parser has read.
  Json root_;
  std::vector<Open> open_;
  std::string key_;
  bool is_unread_ = false;   ///< Whether the value of the last key must be skipped.
  std::size_t skipped_ = 0;  ///< Number of open lists and objects that are skipped.
  std::size_t values_ = 0;
};

}  // namespace

std::span<const std::string_view> unread_members() { return unread; }

std::optional<Json> parse_json(std::string_view text) {
  std::uint64_t read = 0;
  Builder builder(read);
  const char* const end = text.data() + text.size();
  if (!Json::sax_parse(CountedText(text.data(), read), CountedText(end, read), &builder)) return std::nullopt;
  return builder.take();
}

}  // namespace nccl_analyze::evidence
