#pragma once
/// Access to untrusted JSON: a value of another type counts as missing, an index out of range as unknown.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "nccl_analyze/compare.h"

namespace nccl_analyze {

using Json = nlohmann::json;

/// Returns the member of an object; JSON null if there is none.
inline const Json& member(const Json& object, const char* key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

/// Returns the array in a member; an empty array if the member is missing or no array.
inline const Json& elements(const Json& object, const char* key) {
  static const Json nothing = Json::array();
  const Json& list = member(object, key);
  return list.is_array() ? list : nothing;
}

inline std::string text_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

/// Returns an integer from 0 to `most`; -1 for any other value.
inline int number_of(const Json& value, std::int64_t most = std::int64_t{1} << 30) {
  if (!value.is_number_integer()) return -1;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) return -1;
  const auto number = value.get<std::int64_t>();
  return number < 0 || number > most ? -1 : static_cast<int>(number);
}
inline int number_of(const Json& object, const char* key) { return number_of(member(object, key)); }
inline Index index_of(const Json& object, const char* key, std::size_t size) {
  return number_of(member(object, key), static_cast<std::int64_t>(size) - 1);
}
inline double measure_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_number() ? value.get<double>() : 0;
}
/// Returns 1 for true, 0 for false, -1 for any other value.
inline int flag_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_boolean() ? static_cast<int>(value.get<bool>()) : -1;
}
inline std::optional<std::uint64_t> hex_of(const Json& object, const char* key) {
  const std::string text = text_of(object, key);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional{number} : std::nullopt;
}

/// Returns the value of `all` whose to_string() equals the text of the member; the first value if there is none.
template <class Value>
Value word_of(const Json& object, const char* key, std::initializer_list<Value> all) {
  const std::string text = text_of(object, key);
  for (const Value value : all)
    if (to_string(value) == text) return value;
  return *all.begin();
}

/// Reads a communicator of the report with its ranks, graphs and connections. `processes`: number of processes in the
/// report, for the check of Rank::process.
Communicator read_communicator(const Json& json, std::size_t processes);

}  // namespace nccl_analyze
