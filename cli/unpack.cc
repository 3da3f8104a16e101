// The only file that knows libarchive.

#include "unpack.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace nccl_analyze {
namespace {

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  bool has_members = false;
};
constexpr std::array<Magic, 7> magics{{
    {0, "\x1f\x8b"},            // gzip
    {0, "\x28\xb5\x2f\xfd"},    // zstd
    {0, {"\xfd\x37zXZ\0", 6}},  // xz
    {4, "1AY&SY"},              // bzip2, after BZh and the level
    {0, "\x04\x22\x4d\x18"},    // lz4
    {0, "PK\x03\x04", true},    // zip
    {257, "ustar", true},       // tar
}};

/// Nullptr for what is not packed.
const Magic* magic_of(std::string_view head) {
  const auto found = std::ranges::find_if(magics, [&](const Magic& magic) {
    return head.size() >= magic.offset && head.substr(magic.offset).starts_with(magic.bytes);
  });
  return found == magics.end() ? nullptr : &*found;
}

/// Layers that are taken off: `logs.zip` of `node.tar.gz` of `worker.log.gz`.
constexpr int max_layers = 4;

/// Where libarchive gets an archive's bytes from.
struct Feed {
  std::string_view head;
  const NextBlock& more;
  bool cut = false;  ///< There are more bytes, and they cannot be read: not the archive's fault.
};

la_ssize_t give_block(archive*, void* data, const void** block) {
  Feed& feed = *static_cast<Feed*>(data);
  const std::optional<std::string_view> bytes = feed.head.empty() ? feed.more() : std::exchange(feed.head, {});
  if (!bytes) {
    feed.cut = true;
    return 0;
  }
  *block = bytes->data();
  return static_cast<la_ssize_t>(bytes->size());
}

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

/// For one layer, so that libarchive has nothing to guess: it would take a log that begins with zeros for a tar.
Reader open_reader(Feed& feed, bool has_members) {
  Reader reader(archive_read_new(), &archive_read_free);
  if (has_members) {
    archive_read_support_format_tar(reader.get());
    archive_read_support_format_zip_streamable(reader.get());
  } else {
    archive_read_support_filter_all(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_read_support_format_empty(reader.get());
  }
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
    const bool has_members = magic_of(head)->has_members;
    Feed feed{head, more};
    const Reader reader = open_reader(feed, has_members);
    bool whole = archive_errno(reader.get()) == 0;
    for (bool first = true; whole; first = false) {
      archive_entry* entry = nullptr;
      const int status = archive_read_next_header(reader.get(), &entry);
      if (status == ARCHIVE_EOF && first && !has_members) return read_empty(name);
      if (status == ARCHIVE_EOF) return;
      whole = is_usable(status);
      if (!whole) break;
      if (++members_ > limits_.members) stop(name, "it has more than " + std::to_string(limits_.members) + " members");
      if (stopped_) return;
      const std::string source = has_members ? member_name(name, entry) : name;
      Member member(reader.get());
      read_member(source, member, archive_entry_filetype(entry) == AE_IFREG, layer);
      if (stopped_) return;
      if (member.failed() && !feed.cut) fail(source, reader.get());
      if (member.fatal()) return;
    }
    if (!whole && !feed.cut) fail(name, reader.get());
  }

  void read_member(const std::string& name, Member& member, bool regular, int layer) {
    const NextBlock next = [&]() -> std::optional<std::string_view> {
      const auto block = member.next();
      if (block) unpacked_ += block->size();
      if (unpacked_ > limits_.bytes && unpacked_ > limits_.ratio * packed_)
        stop(name, "more than " + std::to_string(limits_.ratio) + " bytes come out of each");
      return stopped_ ? std::nullopt : block;
    };
    if (regular) read_regular(name, member, next, layer);
    // What is not asked for counts as well: skipping costs as much as reading.
    while (!stopped_ && !member.at_end()) next();
  }

  void read_regular(const std::string& name, const Member& member, const NextBlock& next, int layer) {
    std::string head;
    while (head.size() < packed_magic_size) {
      const auto block = next();
      if (!block || block->empty()) break;
      head += *block;
    }
    if (head.empty() && (stopped_ || member.failed())) return;
    if (layer < max_layers && looks_packed(head)) return read_layer(name, head, next, layer + 1);

    sink_.begin(name);
    bool wanted = head.empty() || sink_.bytes(head);
    while (wanted && !stopped_ && !member.at_end()) {
      const auto block = next();
      if (block && !block->empty()) wanted = sink_.bytes(*block);
    }
    sink_.end();
    if (!wanted) stopped_ = true;
  }

  void read_empty(const std::string& name) {
    sink_.begin(name);
    sink_.end();
  }

  void stop(const std::string& name, const std::string& reason) {
    if (!stopped_) sink_.failed("stopped unpacking " + name + ": " + reason + "; what came before is read");
    stopped_ = true;
  }

  void fail(const std::string& name, archive* reader) {
    const char* reason = archive_error_string(reader);
    sink_.failed("cannot unpack " + name + ": " + (reason == nullptr ? "it is damaged" : reason));
  }

  const SourceSink& sink_;
  const UnpackLimits limits_;
  std::uint64_t packed_ = 0, unpacked_ = 0, members_ = 0;
  bool stopped_ = false;  ///< By a limit, or because nobody wants more.
};

}  // namespace

bool looks_packed(std::string_view head) { return magic_of(head) != nullptr; }

void unpack(const std::string& name, std::string_view head, const NextBlock& more, const SourceSink& sink,
            const UnpackLimits& limits) {
  Unpacking(sink, limits).unpack(name, head, more);
}

}  // namespace nccl_analyze
