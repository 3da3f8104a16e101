#pragma once
// Quotes members of the objects in a JSON document from the text of the document.

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "evidence/fact.h"
#include "evidence/json_values.h"

namespace nccl_analyze::evidence {

class JsonText {
 public:
  /// `text`: the text that parse_json() parsed, which must outlive this object. `lines_before`: the number of lines
  /// before it in the source.
  explicit JsonText(std::string_view text, std::uint64_t lines_before = 0);

  /// Quotes the members of an object with these keys, in the order of the text. The quote of a member is its line or,
  /// if the line is too long, the member itself; add_piece() limits the result. If no member is found in the first 64
  /// KiB of the object, returns the line of the object's brace, without text. All searches in one document together
  /// take time linear in its size.
  SourceQuote shown(const Json& object, std::initializer_list<std::string_view> keys);

 private:
  /// A part of the text.
  struct Span {
    std::size_t begin = 0, end = 0;
  };
  Span find_member(std::size_t object, std::string_view key);
  std::size_t line_at(std::size_t position) const;
  SourceQuote piece(Span span) const;

  std::string_view text_;
  std::uint64_t lines_before_;
  std::size_t left_;                 ///< Number of bytes that may still be searched.
  std::vector<std::size_t> starts_;  ///< The positions at which the lines of the text begin.
};

}  // namespace nccl_analyze::evidence
