#pragma once
// Writes stand-ins over the names and addresses in a line.

#include <cstddef>
#include <string>
#include <string_view>

#include "redact/addresses.h"
#include "redact/free_parts.h"
#include "redact/name_places.h"
#include "redact/names.h"

namespace nccl_analyze::redact {

/// A line in which names and addresses are being replaced. `is_known` has a byte other than 0 for each byte of the text
/// that belongs to a name or an address. In the range `names`, each word is a name, except those that launchers and log
/// collectors print before lines.
struct MarkedLine {
  /// `marks` is the buffer of `is_known`.
  MarkedLine(std::string& line, std::string& marks) : text(line), is_known(marks) { marks.assign(line.size(), '\0'); }
  void mark(std::size_t at, std::size_t size) { is_known.replace(at, size, size, '\1'); }
  std::string& text;
  std::string& is_known;
  ByteRange names = {};
};

class Rewriter {
 public:
  /// The tables must have assigned their stand-ins before any other function is called.
  Rewriter(const AddressTable& addresses, const NameTable& names) : addresses_(addresses), names_(names) {}

  /// Replaces names and addresses in `parts` of a line without escape sequences; in the whole line if `parts` is null,
  /// or if the line may hold a GUID.
  void rewrite(MarkedLine& line, const FreeParts* parts = nullptr) const;
  void rewrite(MarkedLine& line, const FreePart& part) const;
  /// Whether a word is a number of a communicator or host that stays (AddressTable::keep()).
  bool keeps(std::string_view word) const;
  const NameTable& names() const { return names_; }
  /// Returns the name of a file with stand-ins also for words that are neither names nor common words.
  std::string file_name(std::string name) const;

 private:
  friend struct WordOverwriter;
  friend struct FileNameOverwriter;
  void overwrite(MarkedLine& line, std::size_t at, std::size_t size) const;
  /// Whether a known name that is also a common word is a name in this place.
  static bool is_place(const MarkedLine& line, std::size_t begin, std::size_t end);
  std::size_t overwrite_name(MarkedLine& line, std::size_t at, std::size_t end) const;
  /// Replaces the domain after a name, `.example.org`. Returns its length; 0 if there is none, or if its first label is
  /// a common word.
  std::size_t overwrite_domain(MarkedLine& line, std::size_t at, std::size_t end) const;
  /// Replaces a name whose first letter was taken for an escape of JSON: `\node-1`. Returns the number of its bytes
  /// from `at` on; 0 if there is no such name.
  std::size_t overwrite_behind_backslash(MarkedLine& line, std::size_t at, std::size_t end) const;
  bool overwrite_stem(MarkedLine& line, std::size_t at, std::size_t end) const;
  void overwrite_words(MarkedLine& line, std::size_t at, std::size_t end) const;
  void overwrite_hex(MarkedLine& line, std::size_t at, std::size_t end) const;
  /// Returns where the host begins in the word before `:pid:tid`. The end of a torn line may precede the host. Returns
  /// `end` if the word does not end with a known host.
  std::size_t host_of_prefix(std::string_view line, std::size_t begin, std::size_t end) const;
  /// Replaces the beginning of a name that ends at `end`, where the line is cut.
  void overwrite_cut(MarkedLine& line, std::size_t begin, std::size_t end) const;

  const AddressTable& addresses_;
  const NameTable& names_;
};

}  // namespace nccl_analyze::redact
