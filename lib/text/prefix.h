#pragma once
// Finds NCCL records, `host:pid:tid [dev] [location] NCCL LEVEL message`, at any position in a line, and caches their
// prefixes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model/line.h"
#include "text/message.h"

namespace nccl_analyze {

/// What follows the message of a record in its line.
enum class RecordEnd : std::uint8_t {
  line,   ///< Nothing; the message ends with the line.
  blank,  ///< A blank and the next record.
  record  ///< The next record without a blank: two writers were interleaved.
};

/// A decoration, and the positions of the parts that read_decoration() found in it.
struct CachedDecoration {
  static constexpr std::size_t max_size = 256;
  std::uint16_t whole_size = 0;
  std::uint16_t size = 0;  ///< Without the blanks at its end.
  std::uint16_t pod = 0, pod_size = 0, container = 0, container_size = 0;
  std::array<char, max_size> bytes;  ///< Here, and not in a string: each line would wait for its memory.

  std::string_view text() const { return {bytes.data(), whole_size}; }
  /// Whether `decoration` differs from `text` only in digits, such as those of a timestamp; the positions are then
  /// valid for both.
  bool differs_in_digits_only(std::string_view decoration) const;
  /// Parses a decoration. Returns null if it cannot be cached, for example because it ends with an opening quote or
  /// marks a partial line.
  static std::unique_ptr<const CachedDecoration> of(std::string_view decoration);
};

/// A thread that prints records, identified by their prefix: `node-0:129:1137 [1] `. It fills two lines of the
/// processor's cache, and its prefix is no string elsewhere, because a job has more threads than that cache holds.
struct alignas(64) Sender {
  static constexpr std::size_t max_size = 80;  ///< Longer prefixes, of which there are few, are parsed in each line.
  std::uint32_t size = 0;                      ///< Size of the prefix up to the marker; 0: there is no sender.
  std::uint32_t host_size = 0;
  std::uint32_t hash = 0;  ///< The hash of the end of the prefix.
  int device = -1;
  std::int64_t pid = -1, tid = -1;
  /// Unique in the source, from 1; a sender that was evicted and is cached again gets a new number. 0: it is not
  /// cached, or its host may start with a line number that `grep -n` printed: `11-node-0`.
  std::uint64_t number = 0;
  /// The decoration of the sender's last line; null: none, or not cacheable.
  std::unique_ptr<const CachedDecoration> decoration = {};
  std::array<char, max_size> text = {};  ///< The prefix, unless it is longer.

  std::size_t decoration_size() const { return decoration == nullptr ? 0 : decoration->whole_size; }
  bool has_decoration_like(std::string_view other) const {
    return decoration == nullptr ? other.empty() : decoration->differs_in_digits_only(other);
  }
};

/// One record inside a line, as views into the line.
struct RecordView {
  Level level = Level::info;
  Origin origin;
  bool has_prefix = false;      ///< Whether host:pid:tid was readable.
  bool partial = false;         ///< Whether the container runtime split the line: the next line continues the record.
  std::size_t start = 0;        ///< Position of the timestamp in the line or, without a timestamp, of the host.
  std::string_view decoration;  ///< The text before the record.
  std::string_view message;     ///< The text after the level, without trailing blanks.
  std::string_view text;        ///< The whole record, from `start` to the end of the message.
  std::string_view quote;       ///< The record exactly as its lines print it; empty if it equals `text`.
  RecordEnd ended = RecordEnd::line;
  std::uint64_t sender = 0;  ///< Sender::number.
};

/// A cache of recent prefixes, because most lines of a log come from a few hundred threads. The cache is two-way
/// set-associative.
class SenderCache {
 public:
  /// `on`: whether the cache is enabled. The results of read_plain() do not depend on it, except for
  /// RecordView::sender.
  explicit SenderCache(bool on = true) : recent_(min_slots), on_(on) {}

  /// Returns the cached sender whose decoration and prefix start `text`. Returns null if there is none, or if the
  /// marker has another position than in the last hit, because a search for the marker would cost more than a hit
  /// saves. After a hit, the bytes before the marker are known to be plain (LineScan::begins_plain).
  [[gnu::always_inline]] Sender* find_head(std::string_view text) {
    if (!on_) return nullptr;
    Sender& last = recent_[last_slot_];
    const std::size_t start = last.decoration_size(), marker = start + last.size;
    if (text.size() < marker + nccl.size() || std::memcmp(text.data() + marker, nccl.data(), nccl.size()) != 0)
      return nullptr;
    const bool same = std::memcmp(text.data() + start, last.text.data(), last.size) == 0 &&
                      (start == 0 || last.has_decoration_like({text.data(), start}));
    return same && marker != 0 ? &last : find_other_head(text, marker);
  }

  /// Parses a line that is plain and is_common() (text/message.h) with the same result as find_records(), except that
  /// the origin is stored in `origin`. `sender`: the result of find_head() for the line. Returns false if there is no
  /// complete prefix before the marker; the caller must then use find_records(). Inline, because this runs for nearly
  /// every line of a log.
  [[gnu::always_inline]] bool read_plain(std::string_view line, std::size_t marker, Sender* sender, RecordView& record,
                                         Origin& origin) {
    bool cached_head = sender != nullptr;
    if (!cached_head) sender = find_or_read(line, marker);
    if (sender == nullptr) return false;
    const std::size_t start = marker - sender->size;
    const std::string_view decoration(line.data(), start), message = message_after_level(line, marker);
    cached_head = cached_head || sender->has_decoration_like(decoration);
    record.has_prefix = true;
    record.partial = false;
    record.start = start;
    record.ended = RecordEnd::line;
    record.sender = sender->number;
    origin.host = {line.data() + start, sender->host_size};
    origin.pid = sender->pid;
    origin.tid = sender->tid;
    origin.device = sender->device;
    origin.timestamp = {};  // not as a chain of assignments, each of which would wait for the one before it
    origin.location = {};
    origin.decoration = {};
    origin.pod = {};
    origin.container = {};
    origin.time = {};
    if (!cached_head) {
      record.message = read_new_decoration(line, marker, *sender, record, origin);
    } else if (const CachedDecoration* const cached = sender->decoration.get()) {
      origin.decoration = {decoration.data(), cached->size};
      origin.pod = {decoration.data() + cached->pod, cached->pod_size};
      origin.container = {decoration.data() + cached->container, cached->container_size};
      record.message = cached->size == 0 ? trimmed_end(message) : without_collector_suffix(message);
    } else {
      record.message = trimmed_end(message);
    }
    record.decoration = {line.data(), record.start};
    record.level = line[marker + 5] == 'I' ? Level::info : Level::warn;
    if (record.level == Level::info && may_begin_with_location(record.message))
      read_location(record.message, origin.location);
    const char* const begin = line.data() + record.start;
    record.text = {begin, static_cast<std::size_t>(record.message.data() - begin) + record.message.size()};
    return true;
  }

  /// Returns the host of a line that is plain and is_common(), if the line starts with a prefix; else an empty view.
  std::string_view host_at_start(std::string_view line, std::size_t marker);

 private:
  static constexpr std::string_view nccl = "NCCL ";
  /// The cache starts small, because a job may have 100,000 files of a few lines each, and grows with the number of
  /// misses.
  static constexpr std::size_t min_slots = 64, max_slots = 4096;
  /// Implements find_head() for senders other than the sender of the last hit.
  [[gnu::noinline]] Sender* find_other_head(std::string_view text, std::size_t marker);
  /// Returns the cached sender whose prefix ends at `marker`; null if there is none.
  Sender* find(std::string_view line, std::size_t marker);
  /// Returns the sender whose prefix ends at `marker`; a prefix that is not cached is parsed and cached first. Returns
  /// null if no complete prefix ends at `marker`.
  Sender* find_or_read(std::string_view line, std::size_t marker);
  /// Returns the slot for a new sender. May drop the others.
  Sender& slot_for(std::uint32_t hash);
  /// Parses a decoration that is not cached for the sender, and caches it. Returns the message.
  std::string_view read_new_decoration(std::string_view line, std::size_t marker, Sender& sender, RecordView& record,
                                       Origin& origin) const;
  /// Hashes the end of the prefix before `marker`.
  static std::uint32_t hash_of(std::string_view line, std::size_t marker);
  /// Returns the first of the two slots for a hash; the first slot has the sender that was cached last.
  std::size_t first_slot(std::uint32_t hash) const { return hash & (recent_.size() - 2); }
  std::vector<Sender> recent_;     ///< The slots; their number is a power of two.
  Sender uncached_;                ///< The sender of the last line whose prefix is too long for a slot.
  std::size_t misses_ = 0;         ///< Misses since the cache last grew.
  std::uint64_t last_number_ = 0;  ///< The last Sender::number assigned.
  std::size_t last_slot_ = 0;      ///< The slot of the last hit.
  bool on_;
};

/// Appends every record of `line` to `found`, including version lines that have no prefix or are quoted by other
/// programs. The message of a record ends at the next record, at a carriage return, or at the end of the line.
void find_records(std::string_view line, std::vector<RecordView>& found);

}  // namespace nccl_analyze
