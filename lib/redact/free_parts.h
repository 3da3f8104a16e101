#pragma once
// Finds the parts of a line in which names may stand: all except NCCL's own words and numbers.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "messages/row.h"
#include "redact/name_places.h"
#include "text/prefix.h"

namespace nccl_analyze::redact {

struct FreePart {
  std::size_t begin = 0, end = 0;
  bool is_of_setting = false;  ///< Whether it is a setting's value. The part before it is then the name.
  /// A number for the place where the part stands. Parts with the same text and the same number are redacted in the
  /// same way in all lines. 0: the redaction of the part depends on the rest of the line.
  std::uint64_t place = 0;
};

bool holds_list_of_ranks(const Row& row);
/// Whether a message with a list of ranks has other numbers in it: long ones, decimals or ranges. This happens if the
/// list was cut and the next line was taken for its end.
bool holds_more_than_ranks(std::string_view message);

/// Divides a line into its free parts. In a message with a known wording, these are the holes for words and free text.
/// Any other line is one part.
class FreeParts {
 public:
  void find(std::string_view line);
  const std::vector<FreePart>& all() const { return parts_; }
  /// Returns where the last word of the line begins if a message of NCCL is cut within that word; else the size of the
  /// line.
  std::size_t cut() const { return cut_; }
  /// Returns the part of the line in which words are names: what stands before the first record, or the host and the
  /// program in a prefix of syslog.
  ByteRange names() const { return names_; }

 private:
  /// Adds the parts of the record that begins at `start`. Returns false if its wording is unknown.
  bool add(std::string_view line, std::size_t start, std::string_view message);
  void add_decoration(std::string_view line, std::size_t end);
  void find_names(std::string_view line);
  void find_cut(std::string_view line, std::string_view message);

  std::vector<FreePart> parts_;
  std::vector<RecordView> found_;
  std::size_t cut_ = 0;
  ByteRange names_;
  std::size_t end_ = 0;  ///< Where the last message with a known wording ends.
};

}  // namespace nccl_analyze::redact
