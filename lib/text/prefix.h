#pragma once
// Finds NCCL records inside a line: `host:pid:tid [dev] [location] NCCL LEVEL message`, wherever they stand in it.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/line.h"
#include "text/spoken.h"

namespace nccl_analyze {

/// What a record's message ends at.
enum class RecordEnd : std::uint8_t {
  line,
  blank,
  record
};  ///< The line's end; the next record, after a blank or not.

/// How read_wrapper() reads what stands before a prefix.
struct KnownWrapper {
  std::string text;
  std::size_t size = 0;  ///< Without the blanks at its end.
  std::size_t pod = 0, pod_size = 0, container = 0, container_size = 0;

  /// Whether `before` is read alike: it differs in digits at most, those of its time.
  bool is_like(std::string_view before) const;
  /// Null where more has to be known than these places: a collector cut the line, or quotes are open.
  static std::unique_ptr<const KnownWrapper> of(std::string_view before);
};

/// A prefix that was read: `node-0:129:1137 [1] `.
struct Speaker {
  std::string text;
  std::size_t host_size = 0;
  std::int64_t pid = -1, tid = -1;
  int device = -1;
  std::uint64_t number = 0;                ///< Of the speakers of a source; a new one each time that it is read.
  bool numbered = false;                   ///< The host begins with what may be the number that grep gave the line.
  std::uint32_t said = ~std::uint32_t{0};  ///< The place of its last message in the parser's Recognizer.
  std::unique_ptr<const KnownWrapper> before = {};  ///< What stood before it lately; null: nothing.

  std::size_t size_before() const { return before == nullptr ? 0 : before->text.size(); }
  bool is_known_behind(std::string_view wrapper) const {
    return before == nullptr ? wrapper.empty() : before->is_like(wrapper);
  }
};

/// The prefixes read lately: most lines of a log come from a few hundred threads.
class Speakers {
 public:
  Speakers() : recent_(2 * sets) {}

  /// Who speaks in a line whose marker stands at `marker`, if they were read before.
  Speaker* find(std::string_view line, std::size_t marker);
  /// Who speaks in the line that `text` begins with, if it is somebody known behind a wrapper of theirs and the marker
  /// stands where it did when somebody was found last; null else.
  [[gnu::always_inline]] Speaker* foresee(std::string_view text) {
    Speaker& last = recent_[last_found_];
    const std::size_t start = last.size_before(), marker = start + last.text.size();
    if (text.size() < marker + nccl.size() || std::memcmp(text.data() + marker, nccl.data(), nccl.size()) != 0)
      return nullptr;
    const bool same = std::memcmp(text.data() + start, last.text.data(), last.text.size()) == 0 &&
                      (start == 0 || last.is_known_behind({text.data(), start}));
    return same && marker != 0 ? &last : foresee_other(text, marker);
  }
  /// The same; who was not is read and remembered, with the next number. Null where there is no common prefix, or more
  /// before it than ends before a host.
  Speaker* read(std::string_view line, std::size_t marker);

 private:
  static constexpr std::string_view nccl = "NCCL ";
  static constexpr std::size_t sets = 2048;  ///< Of two places each, the newer first.
  /// As foresee(), where it is not who was found last.
  [[gnu::noinline]] Speaker* foresee_other(std::string_view text, std::size_t marker);
  /// As find(), likewise.
  Speaker* look_up(std::string_view line, std::size_t marker);
  static std::size_t set_of(std::string_view line, std::size_t marker);
  std::vector<Speaker> recent_;
  std::uint64_t last_ = 0;      ///< Number given.
  std::size_t last_found_ = 0;  ///< Its place.
};

/// One record inside a line, as views into the line.
struct FoundRecord {
  Level level = Level::info;
  Origin origin;            ///< Without the wrapper's parts.
  bool has_prefix = false;  ///< host:pid:tid was readable.
  std::size_t start = 0;    ///< Where the record begins: its time stamp, or its host.
  std::string_view message;
  std::string_view text;
  RecordEnd ended = RecordEnd::line;
  Speaker* speaker = nullptr;  ///< Only of a record that read_plain() read.
};

/// Appends every record of `line` to `found`, and version lines that have no prefix or are quoted by others. A line
/// without one appends nothing. The message of a record ends where
/// the next one begins, at a carriage return, or at the end of the line.
void find_records(std::string_view line, std::vector<FoundRecord>& found);

/// Reads what find_records() finds in a line that is_common() and that `speaker` says.
void read_plain(std::string_view line, std::size_t marker, Speaker& speaker, FoundRecord& record);

}  // namespace nccl_analyze
