#pragma once
// Finds NCCL records inside a line: `host:pid:tid [dev] [location] NCCL LEVEL message`, wherever they stand in it.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model/line.h"
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

/// The thread that prints lines, as their prefix names it: `node-0:129:1137 [1] `.
struct Sender {
  std::string text;
  std::size_t host_size = 0;
  std::int64_t pid = -1, tid = -1;
  int device = -1;
  std::uint64_t number = 0;  ///< Of the senders of a source; a new one each time that a prefix is read. 0: none.
  bool numbered = false;     ///< The host begins with what may be the number that `grep -n` gave the line.
  std::unique_ptr<const KnownWrapper> before = {};  ///< What stood before it lately; null: nothing.

  std::size_t size_before() const { return before == nullptr ? 0 : before->text.size(); }
  bool is_known_behind(std::string_view wrapper) const {
    return before == nullptr ? wrapper.empty() : before->is_like(wrapper);
  }
};

/// One record inside a line, as views into the line.
struct RecordView {
  Level level = Level::info;
  Origin origin;
  bool has_prefix = false;  ///< host:pid:tid was readable.
  bool partial = false;     ///< The collector says that the next line goes on with it.
  std::size_t start = 0;    ///< Where the record begins: its time stamp, or its host.
  std::string_view before;  ///< What stands before it.
  std::string_view message;
  std::string_view text;
  RecordEnd ended = RecordEnd::line;
  std::uint64_t sender = 0;  ///< Sender::number, where read_plain() read it and the host is not numbered; else 0.
};

/// The prefixes read lately: most lines of a log come from a few hundred threads.
class SenderCache {
 public:
  /// `on`: whether anything is kept. What read_plain() reads does not depend on it.
  explicit SenderCache(bool on = true) : recent_(min_places), on_(on) {}

  /// The sender of the line that `text` begins with, where that begins like the last line of a sender that is kept,
  /// with its marker where the one of the sender found last stood; null where it does not. What stands before the
  /// marker is plain then, for it was so.
  [[gnu::always_inline]] Sender* find_head(std::string_view text) {
    if (!on_) return nullptr;
    Sender& last = recent_[last_found_];
    const std::size_t start = last.size_before(), marker = start + last.text.size();
    if (text.size() < marker + nccl.size() || std::memcmp(text.data() + marker, nccl.data(), nccl.size()) != 0)
      return nullptr;
    const bool same = std::memcmp(text.data() + start, last.text.data(), last.text.size()) == 0 &&
                      (start == 0 || last.is_known_behind({text.data(), start}));
    return same && marker != 0 ? &last : find_other_head(text, marker);
  }

  /// Reads what find_records() finds in a line that is plain and common (spoken.h), with what stands before it; its
  /// origin into `origin`. `sender`: find_head() of the line. False where there is no common prefix, or more before it
  /// than ends before a host. Inline, as nearly every line of NCCL's comes by here.
  [[gnu::always_inline]] bool read_plain(std::string_view line, std::size_t marker, Sender* sender, RecordView& record,
                                         Origin& origin) {
    bool known_head = sender != nullptr;
    if (!known_head) sender = read(line, marker);
    if (sender == nullptr) return false;
    const std::size_t start = marker - sender->text.size();
    const std::string_view before(line.data(), start), words = words_behind(line, marker);
    known_head = known_head || sender->is_known_behind(before);
    record.has_prefix = true;
    record.partial = false;
    record.start = start;
    record.ended = RecordEnd::line;
    record.sender = sender->numbered ? 0 : sender->number;
    origin.host = {line.data() + start, sender->host_size};
    origin.pid = sender->pid;
    origin.tid = sender->tid;
    origin.device = sender->device;
    origin.timestamp = origin.location = origin.wrapper = origin.pod = origin.container = origin.time = {};
    if (!known_head) {
      record.message = read_before(line, marker, *sender, record, origin);
    } else if (const KnownWrapper* const wrapper = sender->before.get()) {
      origin.wrapper = {before.data(), wrapper->size};
      origin.pod = {before.data() + wrapper->pod, wrapper->pod_size};
      origin.container = {before.data() + wrapper->container, wrapper->container_size};
      record.message = wrapper->size == 0 ? without_end(words) : behind_wrapper(words);
    } else {
      record.message = without_end(words);
    }
    record.before = {line.data(), record.start};
    record.level = line[marker + 5] == 'I' ? Level::info : Level::warn;
    if (record.level == Level::info && may_begin_with_place(record.message))
      read_place(record.message, origin.location);
    const char* const begin = line.data() + record.start;
    record.text = {begin, static_cast<std::size_t>(record.message.data() - begin) + record.message.size()};
    return true;
  }

  /// The host of a common prefix that such a line begins with; empty where it begins with none.
  std::string_view host_at_start(std::string_view line, std::size_t marker);

 private:
  static constexpr std::string_view nccl = "NCCL ";
  /// Places for senders, which grow with their number: there are logs of 100,000 small files.
  static constexpr std::size_t min_places = 64, max_places = 4096;
  /// As find_head(), where it is not who was found last.
  [[gnu::noinline]] Sender* find_other_head(std::string_view text, std::size_t marker);
  /// The sender of a line whose marker stands at `marker`, if it was read before.
  Sender* find(std::string_view line, std::size_t marker);
  /// The same; what is not known is read and kept, with the next number. Null where read_plain() is false.
  Sender* read(std::string_view line, std::size_t marker);
  /// Of a record behind something that is not known from its sender's last lines. Returns its message with the place.
  std::string_view read_before(std::string_view line, std::size_t marker, Sender& sender, RecordView& record,
                               Origin& origin) const;
  /// The first of the two places where a sender may be, the newer one first.
  std::size_t places_of(std::string_view line, std::size_t marker) const;
  std::vector<Sender> recent_;  ///< A power of two of them.
  std::size_t misses_ = 0;      ///< Since it has this size.
  std::uint64_t last_ = 0;      ///< Number given.
  std::size_t last_found_ = 0;  ///< Its place.
  bool on_;
};

/// Appends every record of `line` to `found`, and version lines that have no prefix or are quoted by others. A line
/// without one appends nothing. The message of a record ends where
/// the next one begins, at a carriage return, or at the end of the line.
void find_records(std::string_view line, std::vector<RecordView>& found);

}  // namespace nccl_analyze
