#pragma once
// The parts of a line that NCCL's own wordings do not account for: only these may hold names.

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
  bool is_of_setting = false;  ///< Whether the part before it is the name of the setting that this one belongs to.
  /// Where the part stands: parts with equal text and place, not 0, are alike in all lines.
  std::uint64_t place = 0;
};

bool holds_list_of_ranks(const Row& row);
/// Whether a message with a list of ranks holds others than these. A list that is cut takes whatever looks like its
/// end.
bool holds_more_than_ranks(std::string_view message);

/// Of a message whose wording is known, the holes for words and free text; of all others, the whole line.
class FreeParts {
 public:
  void find(std::string_view line);
  const std::vector<FreePart>& all() const { return parts_; }
  /// Where the line's last word begins, if a message of NCCL is cut in it; else the size of the line.
  std::size_t cut() const { return cut_; }
  /// Where words are names: what stands before the first record, or the host and the program in syslog's prefix.
  Stretch names() const { return names_; }

 private:
  /// Adds the parts of a record that begins at `start`, if its wording is known.
  bool add(std::string_view line, std::size_t start, std::string_view message);
  void add_decoration(std::string_view line, std::size_t end);
  void find_names(std::string_view line);
  void find_cut(std::string_view line, std::string_view message);

  std::vector<FreePart> parts_;
  std::vector<RecordView> found_;
  std::size_t cut_ = 0;
  Stretch names_;
  std::size_t end_ = 0;  ///< The end of the last message whose wording is known.
};

}  // namespace nccl_analyze::redact
