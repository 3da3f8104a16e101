// Writes the JSON Schema of the report by the tables of members, and tests that the file has it.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <sstream>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "catch.h"
#include "report/json/members.h"
#include "report/json/report_members.h"
#include "testdata.h"
#include "text/message_text.h"

namespace nccl_analyze::members {
namespace {

template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> : Unwrapped<T> {};
template <class T>
struct Unwrapped<Boxed<T>> : Unwrapped<T> {};
template <class T>
struct Unwrapped<T*> : Unwrapped<std::remove_cv_t<T>> {};
/// The type without what makes it nullable.
template <class T>
using Bare = typename Unwrapped<T>::Type;

/// The type of the value of a member.
template <class Owner, class Get>
using ValueOf = std::remove_cvref_t<decltype(value_of(std::declval<const Get&>(), std::declval<const Owner&>(),
                                                      std::declval<const Context&>()))>;

template <class T>
constexpr bool is_whole = (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, SourceId>;

template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, bool>) return "boolean";
  if constexpr (is_whole<T>) return "integer";
  return std::is_floating_point_v<T> ? "number" : "string";
}

class Schema {
 public:
  explicit Schema(std::ostream& out) : json_(out) {}

  void write() {
    json_.begin_object();
    json_.member("$schema", "http://json-schema.org/draft-07/schema#");
    json_.member("title", "nccl-analyze.report version 1");
    json_.member("description", head_of<Document>.about);
    write_object_of<Document>(members_of<Document>);
    json_.begin_object("definitions");
    for (std::size_t i = 0; i < definitions_.size(); ++i) (this->*definitions_[i].second)();  // which may add others
    json_.end();
    json_.end();
    json_.finish();
  }

 private:
  void type(std::string_view name, bool nullable) {
    if (!nullable) return json_.member("type", name);
    json_.begin_array("type", Layout::line);
    json_.value(name);
    json_.value("null");
    json_.end();
  }
  void limits(int minimum, std::string_view pattern) {
    if (minimum != no_limit) json_.member("minimum", minimum);
    if (!pattern.empty()) json_.member("pattern", pattern);
  }
  template <auto Last>
  void names(Word<Last>) {
    json_.begin_array("enum", Layout::line);
    bool has_unknown = false;
    for (int i = 0; i <= static_cast<int>(Last); ++i) {
      const std::string_view name = to_string(static_cast<decltype(Last)>(i));
      name.empty() ? static_cast<void>(has_unknown = true) : json_.value(name);
    }
    if (has_unknown) json_.null();
    json_.end();
  }
  template <class T>
  void reference_to() {
    constexpr auto definition = std::pair{head_of<T>.name, &Schema::define<T>};
    const auto found = std::ranges::find(definitions_, definition.first, [](const auto& one) { return one.first; });
    if (found == definitions_.end()) {
      definitions_.push_back(definition);
    } else {
      CHECK(found->second == definition.second);  // else two types have the same name
    }
    json_.member("$ref", concat("#/definitions/", definition.first));
  }
  template <class T>
  void define() {
    json_.begin_object(head_of<T>.name);
    write_object_of<T>(members_of<T>);
    if (!head_of<T>.about.empty()) json_.member("description", head_of<T>.about);
    json_.end();
  }

  // describe(): what the schema says of values of a type and kind.

  template <class T>
  void describe(const Plain& kind) {
    type(type_name<Bare<T>>(), is_nullable<T>);
    const bool is_unsigned = std::is_same_v<T, SourceId> || (is_whole<T> && std::is_unsigned_v<T>);
    limits(kind.minimum == no_limit && is_unsigned ? 0 : kind.minimum, kind.pattern);
    if (std::is_same_v<T, Hex>) limits(no_limit, "^0x[0-9a-f]{1,16}$");
  }
  template <class T>
  void describe(const Known& kind) {
    type(type_name<Bare<T>>(), true);
    const bool is_limited = is_whole<Bare<T>> || std::is_floating_point_v<T>;
    limits(is_limited ? kind.minimum : no_limit, std::is_same_v<T, Hex> ? "^0x[0-9a-f]{1,16}$" : kind.pattern);
  }
  template <class T>
  void describe(Reference) {
    describe<T>(known);
  }
  template <class T>
  void describe(Position) {
    describe<T>(at_least(0));
  }
  template <class T>
  void describe(Measured) {
    type("number", true);
    limits(0, {});
  }
  template <class T>
  void describe(Share) {
    describe<T>(Measured{});
    json_.member("maximum", 1);
  }
  template <class T>
  void describe(TriState) {
    type("boolean", true);
  }
  template <class T>
  void describe(BusId) {
    type("string", true);
    limits(no_limit, "^[0-9a-f]{1,16}$");
  }
  template <class T, auto Last>
  void describe(Word<Last> kind) {
    names(kind);
  }
  template <class T, auto Last>
  void describe(Bits<Last>) {
    json_.member("type", "array");
    json_.begin_object("items");
    names(Word<Last>{});
    json_.end();
    json_.member("uniqueItems", true);
  }
  template <class T>
  void describe(OneOf kind) {
    json_.begin_array("enum", Layout::line);
    for (std::string_view rest = kind.words; !rest.empty();) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      json_.value(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (is_nullable<T>) json_.null();
    json_.end();
  }
  template <class T>
  void describe(Line) {
    type("integer", false);
    limits(1, {});
  }
  template <class T>
  void describe(Constant kind) {
    json_.member("const", kind.value);
  }
  template <class T, class Item>
  void describe(const Array<Item>& kind) {
    using Element = std::remove_cvref_t<decltype(*std::declval<const Bare<T>&>().begin())>;
    type("array", is_nullable<T>);
    json_.begin_object("items");
    describe<Element>(kind.item);
    json_.end();
    if (kind.at_least > 0) json_.member("minItems", kind.at_least);
    if (kind.unique) json_.member("uniqueItems", true);
  }
  template <class T, class Item>
  void describe(const Map<Item>& kind) {
    type("object", false);
    json_.begin_object("additionalProperties");
    describe<typename T::mapped_type>(kind.item);
    json_.end();
  }
  template <class T>
  void describe(Pairs) {
    json_.member("type", "array");
    json_.begin_object("items");
    describe<std::vector<int>>(integers);
    json_.member("minItems", 2);
    json_.member("maxItems", 2);
    json_.end();
  }
  template <class T>
  void describe(Object) {
    if (!is_nullable<T>) return reference_to<Bare<T>>();
    json_.begin_array("oneOf");
    json_.begin_object();
    json_.member("type", "null");
    json_.end();
    json_.begin_object();
    reference_to<Bare<T>>();
    json_.end();
    json_.end();
  }
  template <class T>
  void describe(List) {
    describe<T>(Each<std::remove_cvref_t<decltype(*std::declval<const Bare<T>&>().begin())>>{});
  }
  template <class T, class Row>
  void describe(Each<Row> kind) {
    json_.member("type", "array");
    json_.begin_object("items");
    reference_to<Row>();
    json_.end();
    if (kind.at_least > 0) json_.member("minItems", kind.at_least);
  }

  // property(): the schema of a member.

  template <class T, class Get, class Kind, Presence When>
  void property(const Member<Kind, Get, When>& member) {
    using Value = ValueOf<T, Get>;
    json_.begin_object(member.key, Layout::line);
    describe<std::conditional_t<When == Presence::sometimes, Bare<Value>, Value>>(member.kind);
    finish(member.about);
  }
  template <class T, class Get, class Row>
  void property(const Member<Each<Row>, Get>& member) {
    json_.begin_object(member.key, Layout::line);
    describe<T>(member.kind);
    finish(member.about);
  }
  template <class T, class Get, class As, class Value>
  void property(const Member<Written<As, Value>, Get>& member) {
    json_.begin_object(member.key, Layout::line);
    describe<Value>(member.kind.as);
    finish(member.about);
  }
  template <class T, class Get, class Rows>
  void property(const Member<Group<Rows>, Get>& member) {
    json_.begin_object(member.key);
    write_object_of<T>(member.kind.rows);
    finish(member.about);
  }
  template <class T>
  void property(const Head&) {}
  template <class T, class Get>
  void property(const Member<Flat, Get>&) {
    properties<ValueOf<T, Get>>(members_of<ValueOf<T, Get>>);
  }
  void finish(std::string_view about) {
    if (!about.empty()) json_.member("description", about);
    json_.end();
  }
  template <class T, class... Rows>
  void properties(const std::tuple<Rows...>& rows) {
    std::apply([&](const Rows&... row) { (property<T>(row), ...); }, rows);
  }

  /// Writes the keys that are always there.
  template <class T, class... Rows>
  void required(const std::tuple<Rows...>& rows) {
    std::apply([&](const Rows&... row) { (require<T>(row), ...); }, rows);
  }
  template <class T>
  void require(const Head&) {}
  template <class T, class Get, class Kind, Presence When>
  void require(const Member<Kind, Get, When>& member) {
    if constexpr (std::is_same_v<Kind, Flat>) {
      required<ValueOf<T, Get>>(members_of<ValueOf<T, Get>>);
    } else if constexpr (When == Presence::always) {
      json_.value(member.key);
    }
  }

  template <class T, class Rows>
  void write_object_of(const Rows& rows) {
    json_.member("type", "object");
    json_.member("additionalProperties", false);
    json_.begin_array("required", std::tuple_size_v<Rows> > 11 ? Layout::block : Layout::line);
    required<T>(rows);
    json_.end();
    json_.begin_object("properties");
    properties<T>(rows);
    json_.end();
  }

  JsonWriter json_;
  std::vector<std::pair<std::string_view, void (Schema::*)()>> definitions_;
};

}  // namespace

TEST_CASE("docs: the schema of the JSON report", "[docs]") {
  std::ostringstream schema;
  Schema(schema).write();
  check_file(source_folder() / "lib/report/report.v1.schema.json", schema.str());
}

}  // namespace nccl_analyze::members
