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
};
constexpr std::array<Magic, 7> magics{{
    {0, "\x1f\x8b"},            // gzip
    {0, "\x28\xb5\x2f\xfd"},    // zstd
    {0, {"\xfd\x37zXZ\0", 6}},  // xz
    {4, "1AY&SY"},              // bzip2, after BZh and the level
    {0, "\x04\x22\x4d\x18"},    // lz4
    {0, "PK\x03\x04"},          // zip
    {257, "ustar"},             // tar
}};

struct Feed {
  std::string_view head;
  const std::function<std::string_view()>& more;
};

la_ssize_t give_block(archive*, void* data, const void** block) {
  Feed& feed = *static_cast<Feed*>(data);
  const std::string_view bytes = feed.head.empty() ? feed.more() : std::exchange(feed.head, {});
  *block = bytes.data();
  return static_cast<la_ssize_t>(bytes.size());
}

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

Reader open_reader(Feed& feed) {
  Reader reader(archive_read_new(), &archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip_streamable(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  archive_read_open(reader.get(), &feed, nullptr, give_block, nullptr);
  return reader;
}

std::string source_name(const std::string& name, archive* reader, archive_entry* entry) {
  if (archive_format(reader) == ARCHIVE_FORMAT_RAW) return name;
  const char* member = archive_entry_pathname(entry);
  return name + ':' + (member == nullptr ? "?" : member);
}

/// The bytes of the current member; false when they end in an error or the sink wants no more.
bool read_member(archive* reader, const SourceSink& sink) {
  const void* block = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  int status = ARCHIVE_OK;
  while ((status = archive_read_data_block(reader, &block, &size, &offset)) == ARCHIVE_OK || status == ARCHIVE_WARN)
    if (size != 0 && !sink.bytes({static_cast<const char*>(block), size})) return false;
  return status == ARCHIVE_EOF;
}

}  // namespace

bool looks_packed(std::string_view head) {
  return std::ranges::any_of(magics, [&](const Magic& magic) {
    return head.size() >= magic.offset && head.substr(magic.offset).starts_with(magic.bytes);
  });
}

std::string unpack(const std::string& name, std::string_view head, const std::function<std::string_view()>& more,
                   const SourceSink& sink) {
  Feed feed{head, more};
  const Reader reader = open_reader(feed);
  archive_entry* entry = nullptr;
  bool whole = archive_errno(reader.get()) == 0;
  while (whole) {
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) return {};
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) break;
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    sink.begin(source_name(name, reader.get(), entry));
    whole = read_member(reader.get(), sink);
    sink.end();
  }
  const char* reason = archive_error_string(reader.get());
  return reason == nullptr ? std::string() : "cannot unpack " + name + ": " + reason;
}

}  // namespace nccl_analyze
