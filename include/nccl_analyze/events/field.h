#pragma once
/// Descriptors of the members of events, for code that fills, copies or prints events of any type.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "nccl_analyze/events/lists.h"

namespace nccl_analyze {

/// The type of a member of an event, in the order of detail::FieldTypes.
enum class FieldType : std::uint8_t {
  int32,
  int64,
  real,
  flag,
  hex,
  text,
  ranks,
  trees,
  chains,
  nics,
  interfaces,
  nodes,
  paths,
  parts
};

/// Describes a member of an event.
struct Field {
  std::string_view name;
  FieldType type;
  std::uint16_t offset;  ///< In bytes from the start of the event.

  /// Returns the member of the event at `event`. T must be the C++ type that `type` stands for.
  template <class T>
  T& in(void* event) const {
    return *static_cast<T*>(static_cast<void*>(static_cast<std::byte*>(event) + offset));
  }
  template <class T>
  const T& in(const void* event) const {
    return *static_cast<const T*>(static_cast<const void*>(static_cast<const std::byte*>(event) + offset));
  }

  /// Calls `visitor` with a reference to the member, in its C++ type.
  template <class Pointer, class Visitor>
  void visit(Pointer event, Visitor&& visitor) const;
};

namespace detail {

template <class... T>
struct Types {
  using Tuple = std::tuple<T...>;

  template <class Member>
  static constexpr FieldType type_of() {
    static_assert((std::is_same_v<Member, T> || ...), "FieldType has no value for the type of a member");
    std::uint8_t index = 0;
    static_cast<void>(((std::is_same_v<Member, T> || (++index, false)) || ...));
    return FieldType{index};
  }

  template <class Pointer, class Visitor>
  static void visit(const Field& field, Pointer event, Visitor& visitor) {
    std::uint8_t index = 0;
    static_cast<void>(((FieldType{index++} == field.type && (visitor(field.template in<T>(event)), true)) || ...));
  }
};

using FieldTypes = Types<int, std::int64_t, double, bool, Hex, std::string_view, RankList, TreeList, ChainList, NicList,
                         InterfaceList, NodeList, PathList, PartList>;

template <class Member>
constexpr Field field(std::string_view name, std::size_t offset) {
  return {name, FieldTypes::type_of<Member>(), static_cast<std::uint16_t>(offset)};
}

template <class... Fields>
constexpr std::array<Field, sizeof...(Fields)> list_fields(Fields... fields) {
  return {fields...};
}

}  // namespace detail

template <class Pointer, class Visitor>
void Field::visit(Pointer event, Visitor&& visitor) const {
  detail::FieldTypes::visit(*this, event, visitor);
}

/// The members of the event type E, in the order of its NCCL_ANALYZE_FIELDS.
template <class E>
inline constexpr auto fields_of = E::fields();

}  // namespace nccl_analyze

/// Lists the members of an event; must be the last line of the struct: `NCCL_ANALYZE_FIELDS(EnvSet, variable, value)`.
/// The placeholders of message templates and the keys of the `events` format have the same names.
#define NCCL_ANALYZE_FIELDS(Type, ...)                                            \
  static constexpr auto fields() {                                                \
    using Event_ [[maybe_unused]] = Type;                                         \
    return ::nccl_analyze::detail::list_fields(                                   \
        __VA_OPT__(NCCL_ANALYZE_EXPAND_(NCCL_ANALYZE_EACH_FIELD_(__VA_ARGS__)))); \
  }

#define NCCL_ANALYZE_FIELD_(member) \
  ::nccl_analyze::detail::field<decltype(Event_::member)>(#member, offsetof(Event_, member))

// The preprocessor does not expand a macro inside its own expansion. Therefore each scan below expands one more member,
// up to 27 members.
#define NCCL_ANALYZE_PARENS_ ()
#define NCCL_ANALYZE_EACH_FIELD_(member, ...) \
  NCCL_ANALYZE_FIELD_(member) __VA_OPT__(, NCCL_ANALYZE_EACH_AGAIN_ NCCL_ANALYZE_PARENS_(__VA_ARGS__))
#define NCCL_ANALYZE_EACH_AGAIN_() NCCL_ANALYZE_EACH_FIELD_
#define NCCL_ANALYZE_EXPAND_(...) NCCL_ANALYZE_SCAN9_(NCCL_ANALYZE_SCAN9_(NCCL_ANALYZE_SCAN9_(__VA_ARGS__)))
#define NCCL_ANALYZE_SCAN9_(...) NCCL_ANALYZE_SCAN3_(NCCL_ANALYZE_SCAN3_(NCCL_ANALYZE_SCAN3_(__VA_ARGS__)))
#define NCCL_ANALYZE_SCAN3_(...) NCCL_ANALYZE_SCAN_(NCCL_ANALYZE_SCAN_(NCCL_ANALYZE_SCAN_(__VA_ARGS__)))
#define NCCL_ANALYZE_SCAN_(...) __VA_ARGS__
