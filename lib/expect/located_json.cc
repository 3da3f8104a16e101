// Parses users' JSON files into values with line numbers. The JSON library runs as an event (SAX) parser, because its
// document type stores no line numbers.

#include "expect/located_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "text/counted_text.h"
#include "text/message_text.h"

namespace nccl_analyze {

namespace {

using Json = nlohmann::json;

constexpr std::size_t max_bytes = std::size_t{1} << 20;
constexpr std::size_t max_depth = 16;
constexpr std::size_t max_members = 1000;  // Limit on the members of one object.

LocatedJson of_kind(LocatedJson::Kind kind) {
  LocatedJson one;
  one.kind = kind;
  return one;
}

/// Receives the parser's events and builds the tree. Each event function returns false to stop the parser.
class TreeBuilder {
 public:
  TreeBuilder(LocatedDocument& into, std::string_view text, const std::uint64_t& read)
      : into_(into), text_(text), read_(read) {}

  bool null() { return add({}); }
  bool boolean(bool value) {
    LocatedJson one = of_kind(LocatedJson::Kind::boolean);
    one.boolean = value;
    return add(std::move(one));
  }
  bool number_integer(std::int64_t value) { return add_number(value); }
  bool number_unsigned(std::uint64_t value) {
    return add_number(value <= INT64_MAX ? std::optional{static_cast<std::int64_t>(value)} : std::nullopt);
  }
  bool number_float(double, const std::string&) { return add_number(std::nullopt); }
  bool string(std::string& value) {
    LocatedJson one = of_kind(LocatedJson::Kind::text);
    one.text = std::move(value);
    return add(std::move(one));
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // JSON text has no binary values.
  bool start_object(std::size_t) { return open(LocatedJson::Kind::object); }
  bool start_array(std::size_t) { return open(LocatedJson::Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    LocatedJson& object = *open_.back();
    if (object.items.size() == max_members) return fail("this object has too many members");
    if (object.find(name) != nullptr) return fail(concat("\"", excerpt(name, 40), "\" is there twice"));
    object.items.emplace_back().key = std::move(name);
    key_line_ = line();
    return true;
  }
  bool parse_error(std::size_t, const std::string& near, const Json::exception&) {
    return fail(concat("this is no JSON, near ", near.empty() ? "the end" : excerpt(near, 40)));
  }

 private:
  /// Returns the number of the line that the parser reads.
  std::size_t line() {
    const std::string_view more = text_.substr(counted_, read_ - counted_);
    counted_ = read_;
    return line_ += static_cast<std::size_t>(std::ranges::count(more, '\n'));
  }
  /// Adds a value. A member of an object gets the line of its key. A number in an array may get the next line, because
  /// the parser reads one character ahead.
  bool add(LocatedJson value) {
    place(std::move(value));
    return true;
  }
  bool add_number(std::optional<std::int64_t> value) {
    LocatedJson one = of_kind(LocatedJson::Kind::number);
    one.integer = value;
    return add(std::move(one));
  }
  LocatedJson& place(LocatedJson value) {
    const bool in_object = !open_.empty() && open_.back()->kind == LocatedJson::Kind::object;
    value.line = in_object ? key_line_ : line();
    if (open_.empty()) return into_.root = std::move(value);
    if (!in_object) return open_.back()->items.emplace_back(std::move(value));
    LocatedJson& member = open_.back()->items.back();
    value.key = std::move(member.key);
    return member = std::move(value);
  }
  bool open(LocatedJson::Kind kind) {
    if (open_.size() == max_depth) return fail("this is nested too deep");
    open_.push_back(&place(of_kind(kind)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  bool fail(std::string what) {
    into_.error = FileError{line(), std::move(what)};
    return false;
  }

  LocatedDocument& into_;
  const std::string_view text_;
  const std::uint64_t& read_;  ///< Bytes that the parser has read.
  std::uint64_t counted_ = 0;  ///< Bytes of which line_ has the lines.
  std::size_t line_ = 1, key_line_ = 0;
  std::vector<LocatedJson*> open_;  ///< The pointers stay valid, because only the innermost container grows.
};

}  // namespace

const LocatedJson* LocatedJson::find(std::string_view name) const {
  if (kind != Kind::object) return nullptr;
  const auto found = std::find_if(items.begin(), items.end(), [&](const LocatedJson& one) { return one.key == name; });
  return found == items.end() ? nullptr : &*found;
}

std::string_view kind_name(LocatedJson::Kind kind) {
  constexpr std::array<std::string_view, 6> names{"null",   "true or false", "a number",
                                                  "a text", "an array",      "an object"};
  return names[static_cast<std::size_t>(kind)];
}

std::string error_text(std::string_view path, const FileError& error) {
  return concat(path, ":", error.line, ": ", error.what);
}

LocatedDocument parse_located_json(std::string_view text) {
  LocatedDocument document;
  if (text.size() > max_bytes) {
    document.error = FileError{1, "the file is larger than 1 MiB; split it"};
    return document;
  }
  std::uint64_t read = 0;
  TreeBuilder builder(document, text, read);
  Json::sax_parse(CountedText(text.data(), read), CountedText(text.data() + text.size(), read), &builder,
                  Json::input_format_t::json, true, true);
  return document;
}

}  // namespace nccl_analyze
