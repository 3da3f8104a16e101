#pragma once
// Overwrites the names and addresses in a line with their stand-ins, which are as long.

#include <cstddef>
#include <string>
#include <string_view>

#include "redact/addresses.h"
#include "redact/names.h"

namespace nccl_analyze::redact {

class Rewriter {
 public:
  /// The tables must have chosen their stand-ins.
  Rewriter(const AddressTable& addresses, const NameTable& names) : addresses_(addresses), names_(names) {}

  /// `line`: without escape sequences and without line break.
  void rewrite(std::string& line) const;
  /// Rewrites the name of a file: words that are neither names nor common words are made unrecognisable too.
  std::string file_name(std::string name) const;

 private:
  friend struct WordOverwriter;
  friend struct FileNameOverwriter;
  std::size_t overwrite_name(std::string& line, std::size_t at, std::size_t end) const;
  /// Overwrites the domain behind a name: `.example.org`. Returns its length.
  std::size_t overwrite_domain(std::string& line, std::size_t at, std::size_t end) const;
  /// Overwrites a name whose first letter was taken for an escape of JSON: `\node-1`. Returns the bytes behind `at`
  /// that it has.
  std::size_t overwrite_behind_backslash(std::string& line, std::size_t at, std::size_t end) const;
  bool overwrite_stem(std::string& line, std::size_t at, std::size_t end) const;
  void overwrite_words(std::string& line, std::size_t at, std::size_t end) const;
  void overwrite_hex(std::string& line, std::size_t at, std::size_t end) const;
  /// Where the host begins in a word before `:pid:tid`, into which another line may have run; `end` if no host is
  /// known.
  std::size_t host_of_prefix(std::string_view line, std::size_t begin, std::size_t end) const;
  /// Overwrites the beginning of a name with which the text before `end` is cut off.
  void overwrite_cut(std::string& line, std::size_t begin, std::size_t end) const;

  const AddressTable& addresses_;
  const NameTable& names_;
};

}  // namespace nccl_analyze::redact
