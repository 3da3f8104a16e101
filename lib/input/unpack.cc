// Unpacks layers of compression and archives, one inside another. No other file uses libarchive.

#include "input/unpack.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace nccl_analyze {
namespace {

/// The bytes that identify a packed format.
struct Magic {
  std::size_t offset;
  std::string_view bytes;
  MakeCodec codec = nullptr;  ///< Null: an archive with members, which libarchive reads.
};
constexpr std::array<Magic, 7> magics{{
    {0, "\x1f\x8b", make_gzip},
    {0, "\x28\xb5\x2f\xfd", make_zstd},
    {0, {"\xfd\x37zXZ\0", 6}, make_xz},
    {4, "1AY&SY", make_bzip2},  // after BZh and the level
    {0, "\x04\x22\x4d\x18", make_lz4},
    {0, "PK\x03\x04"},  // zip
    {257, "ustar"},     // tar
}};

/// Returns the format of packed data; null for other data.
const Magic* magic_of(std::string_view head) {
  const auto found = std::ranges::find_if(magics, [&](const Magic& magic) {
    return head.size() >= magic.offset && head.substr(magic.offset).starts_with(magic.bytes);
  });
  return found == magics.end() ? nullptr : &*found;
}

/// Maximum number of nested layers: `worker.log.gz` in `node.tar.gz` in `logs.zip` has four.
constexpr int max_layers = 4;

/// The source of an archive's bytes for libarchive.
struct Feed {
  std::string_view head;
  const NextBlock& more;
  bool unreadable = false;  ///< Reading the input failed; the archive itself may be undamaged.
};

la_ssize_t give_block(archive*, void* data, const void** block) {
  Feed& feed = *static_cast<Feed*>(data);
  const std::optional<std::string_view> bytes = feed.head.empty() ? feed.more() : std::exchange(feed.head, {});
  if (!bytes) {
    feed.unreadable = true;
    return 0;
  }
  *block = bytes->data();
  return static_cast<la_ssize_t>(bytes->size());
}

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

/// Opens a reader for tar and zip only. libarchive must not detect formats itself, since it takes a log that begins
/// with zeros for a tar.
Reader open_reader(Feed& feed) {
  Reader reader(archive_read_new(), &archive_read_free);
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip_streamable(reader.get());
  archive_read_open(reader.get(), &feed, nullptr, give_block, nullptr);
  return reader;
}

std::string member_name(const std::string& name, archive_entry* entry) {
  const char* member = archive_entry_pathname_utf8(entry);
  if (member == nullptr) member = archive_entry_pathname(entry);
  return name + ':' + (member == nullptr ? "?" : member);
}

bool is_usable(int status) { return status == ARCHIVE_OK || status == ARCHIVE_WARN; }

/// The bytes of an archive's current member.
class Member {
 public:
  explicit Member(archive* reader) : reader_(reader) {}

  std::optional<std::string_view> next() {
    while (is_usable(status_)) {
      const void* block = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      status_ = archive_read_data_block(reader_, &block, &size, &offset);
      if (is_usable(status_) && size != 0) return std::string_view(static_cast<const char*>(block), size);
    }
    return failed() ? std::nullopt : std::optional(std::string_view());
  }
  bool at_end() const { return !is_usable(status_); }
  bool failed() const { return at_end() && status_ != ARCHIVE_EOF; }
  bool fatal() const { return status_ == ARCHIVE_FATAL; }

 private:
  archive* reader_;
  int status_ = ARCHIVE_OK;
};

class Unpacking {
 public:
  Unpacking(const SourceSink& sink, const UnpackLimits& limits) : sink_(sink), limits_(limits) {}

  void unpack(const std::string& name, std::string_view head, const NextBlock& more) {
    packed_ = head.size();
    const NextBlock counted = [&] {
      const auto block = more();
      if (block) packed_ += block->size();
      return block;
    };
    read_layer(name, head, counted, 1);
  }

 private:
  void read_layer(const std::string& name, std::string_view head, const NextBlock& more, int layer) {
    if (const MakeCodec codec = magic_of(head)->codec)
      read_compressed(name, codec(), head, more, layer);
    else
      read_archive(name, head, more, layer);
  }

  void read_compressed(const std::string& name, std::unique_ptr<Codec> codec, std::string_view head,
                       const NextBlock& more, int layer) {
    bool unreadable = false;
    const NextBlock noted = [&] {
      const auto block = more();
      unreadable = !block;
      return block;
    };
    Decompression stream(std::move(codec), head, noted);
    read_contents(name, limited(name, [&] { return stream.next(); }), layer);
    if (stopped_ || unreadable) return;
    if (!stream.wrong().empty()) fail(name, stream.wrong());
    if (stream.trailing())
      sink_.failed(
          {name, "bytes follow its compressed part", "what follows the compressed part of " + name + " is left out"});
  }

  void read_archive(const std::string& name, std::string_view head, const NextBlock& more, int layer) {
    Feed feed{head, more};
    const Reader reader = open_reader(feed);
    bool whole = archive_errno(reader.get()) == 0;
    while (whole) {
      archive_entry* entry = nullptr;
      const int status = archive_read_next_header(reader.get(), &entry);
      if (status == ARCHIVE_EOF) return;
      whole = is_usable(status);
      if (!whole) break;
      if (++members_ > limits_.members) stop(name, "it has more than " + std::to_string(limits_.members) + " members");
      if (stopped_) return;
      const std::string source = member_name(name, entry);
      Member member(reader.get());
      const NextBlock next = limited(source, [&] { return member.next(); });
      if (archive_entry_filetype(entry) == AE_IFREG) read_contents(source, next, layer);
      // Unread bytes of a member count towards the limits as well, because skipping costs as much as reading.
      while (!stopped_ && !member.at_end()) next();
      if (stopped_) return;
      if (member.failed() && !feed.unreadable) fail(source, reason_of(reader.get()));
      if (member.fatal()) return;
    }
    if (!whole && !feed.unreadable) fail(name, reason_of(reader.get()));
  }

  /// Returns a function that passes on the blocks of `next`, and stops the unpacking when they exceed the limits, as
  /// the contents of a decompression bomb do. `name` must outlive the function.
  NextBlock limited(const std::string& name, NextBlock next) {
    return [this, &name, next = std::move(next)]() -> std::optional<std::string_view> {
      const auto block = next();
      if (block) unpacked_ += block->size();
      if (unpacked_ > limits_.bytes && unpacked_ > limits_.ratio * packed_)
        stop(name, "more than " + std::to_string(limits_.ratio) + " bytes come out of each");
      return stopped_ ? std::nullopt : block;
    };
  }

  void read_contents(const std::string& name, const NextBlock& next, int layer) {
    std::string head;
    std::optional<std::string_view> block;
    do {
      block = next();
      if (block) head += *block;
    } while (block && !block->empty() && head.size() < packed_magic_size);
    if (head.empty() && !block) return;
    if (layer < max_layers && looks_packed(head)) return read_layer(name, head, next, layer + 1);

    sink_.begin(name);
    bool wanted = head.empty() || sink_.bytes(head);
    while (wanted && block && !block->empty()) {
      block = next();
      if (block && !block->empty()) wanted = sink_.bytes(*block);
    }
    if (!block && sink_.cut) sink_.cut();
    sink_.end();
    if (!wanted) stopped_ = true;
  }

  void stop(const std::string& name, const std::string& reason) {
    if (!stopped_)
      sink_.failed({name, reason, "stopped unpacking " + name + ": " + reason + "; what came before is read"});
    stopped_ = true;
  }

  static std::string reason_of(archive* reader) {
    const char* const reason = archive_error_string(reader);
    return reason == nullptr ? "it is damaged" : reason;
  }

  void fail(const std::string& name, const std::string& reason) {
    sink_.failed({name, reason, "cannot unpack " + name + " to its end: " + reason + "; what came before is read"});
  }

  const SourceSink& sink_;
  const UnpackLimits limits_;
  std::uint64_t packed_ = 0, unpacked_ = 0, members_ = 0;
  bool stopped_ = false;  ///< A limit was reached, or the sink wants no more bytes.
};

}  // namespace

bool looks_packed(std::string_view head) { return magic_of(head) != nullptr; }

void unpack(const std::string& name, std::string_view head, const NextBlock& more, const SourceSink& sink,
            const UnpackLimits& limits) {
  Unpacking(sink, limits).unpack(name, head, more);
}

}  // namespace nccl_analyze
