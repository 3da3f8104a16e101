#pragma once
// Compiles a row into a function. Some messages occur in a log millions of times, and a function parses them faster
// than the matcher does by walking the tree.

#include <algorithm>
#include <string_view>
#include <tuple>

#include "messages/row.h"
#include "messages/row_syntax.h"
#include "messages/scan.h"

namespace nccl_analyze {

/// A string literal as a template argument.
template <std::size_t size>
struct Wording {
  char text[size] = {};
  consteval Wording(const char (&given)[size]) { std::copy_n(given, size, text); }  // NOLINT: implicit for literals
  constexpr std::string_view view() const { return {text, size - 1}; }
};

namespace detail {

template <class E, Wording wording, unsigned parts>
struct HotRow {
  static constexpr ParsedRow parsed = with_parts(parse_row(wording.view(), fields_of<E>), parts);
  static_assert(parsed.problem.empty());

  /// Scans a choice: tries its alternatives in order. `begin` is the offset in the text of the choice at which the next
  /// alternative to try begins.
  template <std::size_t step, std::size_t begin = 0>
  static const char* choice(const char* at, const char* end, Capture& capture) {
    constexpr std::string_view rest = parsed.ops[step].text.substr(begin);
    constexpr std::size_t size = std::min(rest.find('|'), rest.size());
    if (begins_with(at, end, rest.substr(0, size))) {
      capture.set_text({at, size});
      return at + size;
    }
    if constexpr (size < rest.size()) return choice<step, begin + size + 1>(at, end, capture);
    return nullptr;
  }

  template <std::size_t field>
  static void set(E& made, const Capture& capture) {
    using Member = std::tuple_element_t<static_cast<std::size_t>(fields_of<E>[field].type), FieldTypes::Tuple>;
    set_member(fields_of<E>[field].template in<Member>(&made), capture);
  }

  /// Parses the rest of the message, from `step` on, into `made`; returns false if it does not match. All steps are
  /// inlined into one function, which keeps the captures in registers.
  template <std::size_t step>
  [[gnu::always_inline]] static bool read(const char* at, const char* end, E& made) {
    if constexpr (step == parsed.count) {
      return at == end;
    } else {
      constexpr Op op = parsed.ops[step];
      constexpr bool last = step + 1 == parsed.count;
      if constexpr (op.shape == Shape::literal) {
        if (!begins_with(at, end, op.text)) return false;
        return read<step + 1>(at + op.text.size(), end, made);
      } else {
        Capture capture;
        const char* after = at;
        if constexpr (op.shape == Shape::word) {
          constexpr char stop = last ? ' ' : parsed.ops[last ? step : step + 1].text.front();
          after = find_end_of_word(at, end, stop);
          if (last ? after != end || after == at : after == end || *after != stop) return false;
          capture.set_text({at, static_cast<std::size_t>(after - at)});
        } else if constexpr (op.shape == Shape::text) {
          const std::string_view rest(at, static_cast<std::size_t>(end - at));
          const std::size_t size = last ? rest.size() : rest.find(parsed.ops[last ? step : step + 1].text);
          if (size == std::string_view::npos) return false;
          capture.set_text(rest.substr(0, size));
          after = at + size;
        } else if constexpr (op.shape == Shape::choice) {
          after = choice<step>(at, end, capture);
        } else if constexpr (op.shape == Shape::flag) {
          after = scan_flag(op.text, at, end, capture);
        } else if constexpr (op.shape == Shape::optional_int) {
          after = scan_optional_int(op.text, op.after, at, end, capture);
        } else {
          after = scan_as<op.shape>(at, end, capture);
        }
        if (after == nullptr) return false;
        if constexpr (op.field != Op::no_field) set<op.field>(made, capture);
        return read<step + 1>(after, end, made);
      }
    }
  }

  /// The function for Row::hot: returns whether the row matches the whole message, and stores the event. Compares the
  /// last literal, in which rows with a common beginning differ, and the first one before it creates an event, because
  /// most messages match no compiled row.
  static bool match(std::string_view message, Event& event) {
    constexpr Op first = parsed.ops[0], last = parsed.ops[parsed.count - 1];
    if constexpr (last.shape == Shape::literal)
      if (!message.ends_with(last.text)) return false;
    const char* const begin = message.data();
    const char* const end = begin + message.size();
    if constexpr (first.shape == Shape::literal) {
      return begins_with(begin, end, first.text) && read<1>(begin + first.text.size(), end, event.emplace<E>());
    } else if constexpr (first.shape == Shape::int32) {
      constexpr std::string_view next = parsed.ops[1].text;
      Capture capture;
      const char* const at = scan_as<first.shape>(begin, end, capture);
      if (at == nullptr || !begins_with(at, end, next)) return false;
      E& made = event.emplace<E>();
      set<first.field>(made, capture);
      return read<2>(at + next.size(), end, made);
    } else {
      static_assert(first.shape == Shape::word && first.field != Op::no_field && parsed.count > 1);
      constexpr std::string_view next = parsed.ops[1].text;
      static_assert(next.front() == ':' || next.front() == ' ');  // Matcher::match_hot() tries no others
      const char* const at = find_end_of_word(begin, end, next.front());
      if (!begins_with(at, end, next)) return false;
      E& made = event.emplace<E>();
      Capture capture;
      capture.set_text({begin, static_cast<std::size_t>(at - begin)});
      set<first.field>(made, capture);
      return read<2>(at + next.size(), end, made);
    }
  }
};

}  // namespace detail

/// Creates a row that is compiled into a function. The function is tried before all other rows, so no other row may
/// match the same messages (tests/messages/row_oracle_test.cc checks this). It matches one combination of the row's
/// optional parts: those parts i for which bit i of `parts` is set. The tree matches the other combinations.
template <class E, Wording wording, unsigned parts = 0>
constexpr Row hot_row(std::string_view since, std::string_view until, std::string_view example) {
  Row made = row<E>(wording.view(), since, until, example);
  made.end = end_of(with_parts(parse_row(wording.view(), fields_of<E>), parts));
  made.hot = &detail::HotRow<E, wording, parts>::match;
  return made;
}

}  // namespace nccl_analyze
