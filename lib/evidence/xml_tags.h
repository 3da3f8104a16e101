#pragma once
// The tags of a line of XML. NCCL writes one element a line (src/graph/xml.cc, ncclTopoDumpXmlRec) and reads no
// entities, so that neither does this reader; a tag that goes over several lines is passed over.

#include <cstdint>
#include <string_view>

#include "evidence/wording.h"

namespace nccl_analyze::evidence {

/// A tag: `<pci busid="0000:19:00.0">`, `<nvlink count="18"/>`, `</pci>`.
struct Tag {
  std::string_view name;
  bool closes = false;    ///< `</pci>`
  bool is_whole = false;  ///< `<nvlink/>`
  std::string_view attributes;

  /// The value of an attribute; empty when the tag lacks it.
  std::string_view text(std::string_view key) const;
  /// The value as a number; `otherwise` when the tag lacks it or it is none.
  template <class Number>
  Number number(std::string_view key, Number otherwise) const {
    Number value{};
    return read_number(text(key), value) ? value : otherwise;
  }
  /// The value as a number in hexadecimal; 0 when the tag lacks it or it is none.
  std::uint64_t hex_number(std::string_view key) const;
};

/// Whether the line is one or several whole tags and nothing else.
bool is_line_of_tags(std::string_view line);

/// Reads the tags of a line one after the other; comments are passed over.
class Tags {
 public:
  explicit Tags(std::string_view line) : rest_(line) {}
  bool next(Tag& tag);
  /// What stands behind the last tag.
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace nccl_analyze::evidence
