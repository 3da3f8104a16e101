#pragma once
// Overwrites the names and addresses in a line with their stand-ins, which are as long.

#include <cstddef>
#include <string>
#include <string_view>

#include "redact/addresses.h"
#include "redact/free_parts.h"
#include "redact/name_places.h"
#include "redact/names.h"

namespace nccl_analyze::redact {

/// A line in which names and addresses are being replaced. `is_known` has a byte other than 0 for each byte of the text
/// that belongs to a name or an address that was found. In `names`, a word is a name unless it is one that launchers
/// and collectors print before lines.
struct MarkedLine {
  /// `marks`: the memory of `is_known`.
  MarkedLine(std::string& line, std::string& marks) : text(line), is_known(marks) { marks.assign(line.size(), '\0'); }
  void mark(std::size_t at, std::size_t size) { is_known.replace(at, size, size, '\1'); }
  std::string& text;
  std::string& is_known;
  Stretch names = {};
};

class Rewriter {
 public:
  /// The tables must have chosen their stand-ins.
  Rewriter(const AddressTable& addresses, const NameTable& names) : addresses_(addresses), names_(names) {}

  /// `line`: without escape sequences and without line break. Without `parts`, all of it is rewritten.
  void rewrite(MarkedLine& line, const FreeParts* parts = nullptr) const;
  void rewrite(MarkedLine& line, const FreePart& part) const;
  /// Whether a word is a number of NCCL that stays (AddressTable::keep()).
  bool keeps(std::string_view word) const;
  /// Rewrites the name of a file: words that are neither names nor common words are made unrecognisable too.
  std::string file_name(std::string name) const;

 private:
  friend struct WordOverwriter;
  friend struct FileNameOverwriter;
  void overwrite(MarkedLine& line, std::size_t at, std::size_t size) const;
  /// Whether a name may stand there, so that a common word is one.
  static bool is_place(const MarkedLine& line, std::size_t begin, std::size_t end);
  std::size_t overwrite_name(MarkedLine& line, std::size_t at, std::size_t end) const;
  /// Overwrites the domain behind a name: `.example.org`. Returns its length.
  std::size_t overwrite_domain(MarkedLine& line, std::size_t at, std::size_t end) const;
  /// Overwrites a name whose first letter was taken for an escape of JSON: `\node-1`. Returns the bytes behind `at`
  /// that it has.
  std::size_t overwrite_behind_backslash(MarkedLine& line, std::size_t at, std::size_t end) const;
  bool overwrite_stem(MarkedLine& line, std::size_t at, std::size_t end) const;
  void overwrite_words(MarkedLine& line, std::size_t at, std::size_t end) const;
  void overwrite_hex(MarkedLine& line, std::size_t at, std::size_t end) const;
  /// Where the host begins in the word before `:pid:tid`, which may have the end of another line in front; `end` if
  /// the word ends with no known host.
  std::size_t host_of_prefix(std::string_view line, std::size_t begin, std::size_t end) const;
  /// Overwrites the beginning of a name with which the text before `end` is cut off.
  void overwrite_cut(MarkedLine& line, std::size_t begin, std::size_t end) const;

  const AddressTable& addresses_;
  const NameTable& names_;
};

}  // namespace nccl_analyze::redact
