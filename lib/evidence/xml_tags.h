#pragma once
// The tags of a line of XML. NCCL writes one element per line (src/graph/xml.cc, ncclTopoDumpXmlRec) and does not
// decode entities, so this reader does not either. It skips tags that span several lines.

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

  /// Returns the value of an attribute; empty if the tag lacks it.
  std::string_view text(std::string_view key) const;
  /// Returns the value as a number; `otherwise` if the tag lacks the attribute or its value is no number.
  template <class Number>
  Number number(std::string_view key, Number otherwise) const {
    Number value{};
    return read_number(text(key), value) ? value : otherwise;
  }
  /// Returns the value as a hexadecimal number; 0 if the tag lacks the attribute or its value is no such number.
  std::uint64_t hex_number(std::string_view key) const;
};

/// Whether the line is one or several whole tags and nothing else.
bool is_line_of_tags(std::string_view line);

/// Reads the tags of a line one after the other. Skips comments and processing instructions such as `<?xml ... ?>`.
class Tags {
 public:
  explicit Tags(std::string_view line) : rest_(line) {}
  bool next(Tag& tag);
  /// Returns the text after the last tag that next() has read.
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace nccl_analyze::evidence
