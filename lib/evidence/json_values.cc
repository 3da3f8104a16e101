#include "evidence/json_values.h"

#include <utility>

#include "evidence/wording.h"

namespace nccl_analyze::evidence {

namespace {

/// Returns the member; JSON null if it is missing or `of` is no object.
const Json& member(const Json& of, const char* key) {
  static const Json none;
  if (!of.is_object()) return none;
  const auto found = of.find(key);
  return found == of.end() ? none : *found;
}

}  // namespace

const Json& object(const Json& of, const char* key) {
  static const Json none = Json::object();
  const Json& found = member(of, key);
  return found.is_object() ? found : none;
}

const Json& list(const Json& of, const char* key) {
  static const Json none = Json::array();
  const Json& found = member(of, key);
  return found.is_array() ? found : none;
}

std::string_view text(const Json& of, const char* key) {
  const Json& found = member(of, key);
  return found.is_string() ? std::string_view(found.get_ref<const std::string&>()) : std::string_view{};
}

std::int64_t integer(const Json& of, const char* key) {
  constexpr double most = 9e18;
  const Json& found = member(of, key);
  if (found.is_number_float()) {
    const double value = found.get<double>();
    return std::abs(value) < most ? static_cast<std::int64_t>(value) : -1;
  }
  if (found.is_number_unsigned() && found.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) return -1;
  return found.is_number() ? found.get<std::int64_t>() : -1;
}

bool flag(const Json& of, const char* key) {
  const Json& found = member(of, key);
  return found.is_boolean() && found.get<bool>();
}

std::size_t place_of(const Json& object) {
  const Json& found = member(object, offset_key);
  return found.is_number_unsigned() ? found.get<std::size_t>() : 0;
}

int int32_of(const Json& of, const char* key) {
  const std::int64_t number = integer(of, key);
  return std::in_range<int>(number) ? static_cast<int>(number) : -1;
}

double real_of(const Json& of, const char* key) {
  const Json& found = member(of, key);
  return found.is_number() ? measured(found.get<double>()) : 0;
}

}  // namespace nccl_analyze::evidence
