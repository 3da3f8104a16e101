#pragma once
// Finds NCCL records, `host:pid:tid [dev] [location] NCCL LEVEL message`, anywhere in a line, and caches the prefixes
// of their senders.

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

/// What follows a record's message on its line.
enum class RecordEnd : std::uint8_t {
  line,   ///< Nothing: the message ends with the line.
  blank,  ///< A blank and the next record.
  record  ///< The next record, directly: its writer interleaved with this one.
};

/// A decoration with the positions of what read_decoration() found in it.
struct CachedDecoration {
  std::string text;
  std::size_t size = 0;  ///< Without the blanks at the end.
  std::size_t pod = 0, pod_size = 0, container = 0, container_size = 0;

  /// Whether `decoration` differs from `text` in digits only, as timestamps do, so that the positions are valid in it.
  bool differs_in_digits_only(std::string_view decoration) const;
  /// Reads a decoration. Null for one that must be read anew on each line: it opens quotes, or its line is partial.
  static std::unique_ptr<const CachedDecoration> of(std::string_view decoration);
};

/// A thread that prints records, as their prefix names it: `node-0:129:1137 [1] `.
struct Sender {
  std::string text;  ///< The prefix, which ends where the marker begins.
  std::size_t host_size = 0;
  std::int64_t pid = -1, tid = -1;
  int device = -1;
  std::uint64_t number = 0;  ///< Unique in the source, from 1; a sender read again gets a new one. 0: no cache.
  bool numbered = false;     ///< The host may begin with the line number that `grep -n` printed: `11-node-0`.
  std::unique_ptr<const CachedDecoration> decoration = {};  ///< The one of its last line; null: none, or not cacheable.

  std::size_t decoration_size() const { return decoration == nullptr ? 0 : decoration->text.size(); }
  bool has_decoration_like(std::string_view other) const {
    return decoration == nullptr ? other.empty() : decoration->differs_in_digits_only(other);
  }
};

/// One record inside a line, as views into the line.
struct RecordView {
  Level level = Level::info;
  Origin origin;
  bool has_prefix = false;      ///< host:pid:tid was readable.
  bool partial = false;         ///< The container runtime split the line: the next one continues the record.
  std::size_t start = 0;        ///< Position in the line of the timestamp or, without one, of the host.
  std::string_view decoration;  ///< The text before the record.
  std::string_view message;     ///< The text after the level, without trailing blanks.
  std::string_view text;        ///< The record, from `start` to the end of its message.
  RecordEnd ended = RecordEnd::line;
  std::uint64_t sender = 0;  ///< Sender::number; 0 where the prefix is not cached or the sender is `numbered`.
};

/// Caches the prefixes read last, because most lines of a log come from a few hundred threads. The cache is two-way
/// set-associative.
class SenderCache {
 public:
  /// `on`: false disables the cache. What read_plain() reads does not depend on it.
  explicit SenderCache(bool on = true) : recent_(min_slots), on_(on) {}

  /// The cached sender with whose decoration and prefix `text` begins. Null when none is cached, and also when the
  /// marker does not stand where it stood in the last hit, since a search for it would cost more than a hit saves.
  /// After a hit the bytes before the marker are known to be plain (LineScan::begins_plain), as those of the cached
  /// line were.
  [[gnu::always_inline]] Sender* find_head(std::string_view text) {
    if (!on_) return nullptr;
    Sender& last = recent_[last_slot_];
    const std::size_t start = last.decoration_size(), marker = start + last.text.size();
    if (text.size() < marker + nccl.size() || std::memcmp(text.data() + marker, nccl.data(), nccl.size()) != 0)
      return nullptr;
    const bool same = std::memcmp(text.data() + start, last.text.data(), last.text.size()) == 0 &&
                      (start == 0 || last.has_decoration_like({text.data(), start}));
    return same && marker != 0 ? &last : find_other_head(text, marker);
  }

  /// Reads the record of a line that is plain and is_common() (text/message.h), as find_records() would; its origin is
  /// stored in `origin`. `sender`: the result of find_head() for the line. False where no complete prefix stands before
  /// the marker: find_records() must read the line. Inline, because nearly every line of a log passes through it.
  [[gnu::always_inline]] bool read_plain(std::string_view line, std::size_t marker, Sender* sender, RecordView& record,
                                         Origin& origin) {
    bool cached_head = sender != nullptr;
    if (!cached_head) sender = find_or_read(line, marker);
    if (sender == nullptr) return false;
    const std::size_t start = marker - sender->text.size();
    const std::string_view decoration(line.data(), start), message = message_after_level(line, marker);
    cached_head = cached_head || sender->has_decoration_like(decoration);
    record.has_prefix = true;
    record.partial = false;
    record.start = start;
    record.ended = RecordEnd::line;
    record.sender = sender->numbered ? 0 : sender->number;
    origin.host = {line.data() + start, sender->host_size};
    origin.pid = sender->pid;
    origin.tid = sender->tid;
    origin.device = sender->device;
    origin.timestamp = origin.location = origin.decoration = origin.pod = origin.container = origin.time = {};
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

  /// The host of a line that is plain and is_common(), if the line begins with the prefix; else empty.
  std::string_view host_at_start(std::string_view line, std::size_t marker);

 private:
  static constexpr std::string_view nccl = "NCCL ";
  /// The cache starts small, since some inputs are 100,000 files of a few lines each, and grows with the misses.
  static constexpr std::size_t min_slots = 64, max_slots = 4096;
  /// find_head() for senders other than that of the last hit.
  [[gnu::noinline]] Sender* find_other_head(std::string_view text, std::size_t marker);
  /// The cached sender whose prefix ends at `marker`; null when there is none.
  Sender* find(std::string_view line, std::size_t marker);
  /// As find(), but reads and caches a sender that is not cached. Null where no complete prefix ends at `marker`.
  Sender* find_or_read(std::string_view line, std::size_t marker);
  /// Reads a decoration other than that of the sender's last line, and caches it. Returns the message.
  std::string_view read_new_decoration(std::string_view line, std::size_t marker, Sender& sender, RecordView& record,
                                       Origin& origin) const;
  /// The first of the two slots for a sender; it holds the newer one.
  std::size_t first_slot(std::string_view line, std::size_t marker) const;
  std::vector<Sender> recent_;     ///< The slots, a power of two.
  std::size_t misses_ = 0;         ///< Misses since the cache last grew.
  std::uint64_t last_number_ = 0;  ///< The last Sender::number.
  std::size_t last_slot_ = 0;      ///< The slot of the last hit.
  bool on_;
};

/// Appends every record of `line` to `found`, also version lines that have no prefix or that other programs quote. The
/// message of a record ends at the next record, at a carriage return, or at the end of the line.
void find_records(std::string_view line, std::vector<RecordView>& found);

}  // namespace nccl_analyze
