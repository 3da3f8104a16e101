#include "messages/event_text.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "messages/views.h"

namespace nccl_analyze {

namespace {

template <class Number>
std::string digits_of(Number number, int base) {
  std::array<char, 32> digits;
  if constexpr (std::is_floating_point_v<Number>)
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
  else
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr};
}

template <class T>
std::string value_text(const T& member) {
  if constexpr (std::is_same_v<T, bool>)
    return member ? "true" : "false";
  else if constexpr (std::is_same_v<T, Hex>)
    return "0x" + digits_of(member.value, 16);
  else if constexpr (std::is_arithmetic_v<T>)
    return digits_of(member, 10);
  else
    return std::string(view_of(member));
}

template <class T>
void read_value(std::string_view text, T& member) {
  const auto read = [](std::string_view digits, auto& number, auto... base) {
    auto value = number;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value, base...);
    if (error == std::errc{} && rest == end) number = value;
  };
  if constexpr (std::is_same_v<T, bool>)
    member = text == "true";
  else if constexpr (std::is_same_v<T, Hex>)
    read(text.substr(text.starts_with("0x") ? 2 : 0), member.value, 16);
  else if constexpr (std::is_arithmetic_v<T>)
    read(text, member);
  else
    member = T{text};
}

template <class>
struct EventsByName;
template <class... E>
struct EventsByName<std::variant<E...>> {
  static bool make(std::string_view name, Event& event) {
    return ((name == E::name && (event.emplace<E>(), true)) || ...);
  }
};

}  // namespace

EventText event_text(const Event& event) {
  Event usual;
  EventsByName<Event>::make(event_name(event), usual);
  EventText made{event_name(event), {}};
  for (const Field& field : fields_in(event)) {
    std::string value, otherwise;
    field.visit(address_of(event), [&](const auto& member) { value = value_text(member); });
    field.visit(address_of(std::as_const(usual)), [&](const auto& member) { otherwise = value_text(member); });
    if (value != otherwise) made.members.emplace_back(field.name, value);
  }
  return made;
}

bool read_event_text(const EventText& text, Event& event) {
  if (!EventsByName<Event>::make(text.name, event)) return false;
  for (const auto& [name, value] : text.members)
    for (const Field& field : fields_in(event))
      if (field.name == name.view())
        field.visit(address_of(event), [&value = value](auto& member) { read_value(value.view(), member); });
  return true;
}

}  // namespace nccl_analyze
