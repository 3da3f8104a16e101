// Tests that archives are read, also nested ones, and that reading a decompression bomb stops at the limits.

#include "input/unpack.h"

#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"

namespace nccl_analyze {
namespace {

/// 45 bytes of bzip2 that unpack to a mebibyte of zeros.
constexpr std::string_view zeros{
    "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x38\x57\x1c\xe5\x00\x08\x08\x40\x00\xc0\x04\x00\x08"
    "\x20\x00\x30\xcc\x05\x29\xa6\x08\x06\xc4\x20\x1e\x2e\xe4\x8a\x70\xa1\x20\x70\xae\x39\xca",
    45};
/// The text "inner\n", compressed by gzip.
constexpr std::string_view inner{
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xcc\xcb\x4b\x2d\xe2\x02\x00\x8c\x4d\x02\xd0\x06\x00\x00\x00", 26};
/// The empty text, compressed by gzip.
constexpr std::string_view nothing{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00",
                                   20};
constexpr std::size_t mebibyte = std::size_t{1} << 20U;

std::string tar(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string archive;
  for (const auto& [name, content] : members) {
    std::string header(512, '\0');
    const auto put = [&](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
    char size[12];
    std::snprintf(size, sizeof size, "%011zo", content.size());
    put(0, name);
    put(100, "0000644");
    put(124, size);
    put(136, "00000000000");
    put(148, std::string(8, ' '));
    put(156, "0");
    put(257, std::string("ustar\00000", 8));
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    char checksum[8];
    std::snprintf(checksum, sizeof checksum, "%06o", sum);
    put(148, checksum);
    archive += header + content + std::string((512 - content.size() % 512) % 512, '\0');
  }
  return archive + std::string(1024, '\0');
}

struct Unpacked {
  std::map<std::string, std::string> sources;
  std::vector<std::string> failures;
};

Unpacked unpacked(std::string_view bytes, UnpackLimits limits = {}, std::size_t block = std::string_view::npos) {
  Unpacked result;
  std::string* current = nullptr;
  const SourceSink sink{.begin = [&](std::string_view name) { current = &result.sources[std::string(name)]; },
                        .bytes =
                            [&](std::string_view more) {
                              *current += more;
                              return true;
                            },
                        .end = [&] { current = nullptr; },
                        .failed = [&](const std::string& sentence) { result.failures.push_back(sentence); },
                        .wait = nullptr};
  const std::string_view head = bytes.substr(0, packed_magic_size);
  bytes.remove_prefix(head.size());
  REQUIRE(looks_packed(head));
  unpack(
      "a", head,
      [&]() -> std::optional<std::string_view> {
        const std::string_view next = bytes.substr(0, block);
        bytes.remove_prefix(next.size());
        return next;
      },
      sink, limits);
  return result;
}

using Sources = std::map<std::string, std::string>;

TEST_CASE("unpack: members are sources, packed ones are unpacked") {
  const std::string archive = tar({{"x", "plain\n"}, {"y.gz", std::string(inner)}, {"empty", ""}});
  for (const std::size_t block : {std::size_t{7}, std::string_view::npos}) {
    const Unpacked result = unpacked(archive, {}, block);
    CHECK(result.sources == Sources{{"a:x", "plain\n"}, {"a:y.gz", "inner\n"}, {"a:empty", ""}});
    CHECK(result.failures.empty());
  }
}

TEST_CASE("unpack: an archive in an archive is read, and layers have an end") {
  std::string nested(inner);
  std::string name = "a";
  for (int layer = 1; layer < 4; ++layer) {
    nested = tar({{"m", nested}, {"x", "x\n"}});
    name += ":m";
  }
  CHECK(unpacked(nested).sources == Sources{{"a:x", "x\n"}, {"a:m:x", "x\n"}, {"a:m:m:x", "x\n"}, {name, "inner\n"}});
  CHECK(unpacked(tar({{"m", nested}})).sources.at(name + ":m") == inner);
}

TEST_CASE("unpack: a packed log of zero bytes, or of none, is a source") {
  CHECK(unpacked(zeros).sources.at("a").size() == mebibyte);
  CHECK(unpacked(nothing).sources == Sources{{"a", ""}});
}

TEST_CASE("unpack: a torn member inside does not end the archive") {
  const std::string torn(inner.substr(0, 14));
  const Unpacked result = unpacked(tar({{"torn.gz", torn}, {"x", "x\n"}}));
  CHECK(result.sources.at("a:x") == "x\n");
  REQUIRE(result.failures.size() == 1);
  CHECK(result.failures[0].starts_with("cannot unpack a:torn.gz to its end: it is cut off"));
}

TEST_CASE("unpack: of a compressed log that is cut anywhere comes what its bytes hold, in blocks of any size") {
  const std::string two = std::string(inner) + std::string(inner);
  for (std::size_t size = 4; size <= two.size(); ++size) {
    for (const std::size_t block : {std::size_t{1}, std::string_view::npos}) {
      const Unpacked result = unpacked(std::string_view(two).substr(0, size), {}, block);
      const bool whole = size == inner.size() || size == two.size();
      CHECK(result.failures.size() == (whole ? 0 : 1));
      const auto found = result.sources.find("a");
      const std::string text = found == result.sources.end() ? "" : found->second;
      CHECK(std::string("inner\ninner\n").starts_with(text));
      // The last eight bytes of a gzip member are its checksum and size; the text is complete without them.
      if (size + 8 >= inner.size()) CHECK(text.starts_with("inner\n"));
    }
  }
}

TEST_CASE("unpack: bytes that are no member behind the last one are left out, zeros without a word") {
  const Unpacked padded = unpacked(std::string(inner) + std::string(700, '\0'));
  CHECK(padded.sources.at("a") == "inner\n");
  CHECK(padded.failures.empty());
  const Unpacked trailing = unpacked(std::string(inner).append("more"));
  CHECK(trailing.sources.at("a") == "inner\n");
  REQUIRE(trailing.failures.size() == 1);
  CHECK(trailing.failures[0] == "what follows the compressed part of a is left out");
}

TEST_CASE("unpack: a torn archive is one failure, and what came before stays") {
  const std::string archive = tar({{"x", "x\n"}, {"y.gz", std::string(inner)}});
  const Unpacked result = unpacked(std::string_view(archive).substr(0, 1024 + 512 + 14));
  CHECK(result.sources.at("a:x") == "x\n");
  CHECK(result.failures.size() == 1);
}

TEST_CASE("unpack: growth ends at the limits, both of them together") {
  const std::string archive = tar({{"x", "x\n"}, {"bomb.bz2", std::string(zeros)}, {"y", "y\n"}});
  UnpackLimits limits;
  limits.bytes = mebibyte / 2;
  limits.ratio = 100;
  const Unpacked stopped = unpacked(archive, limits);
  CHECK(stopped.sources.at("a:x") == "x\n");
  CHECK(stopped.sources.at("a:bomb.bz2").size() <= mebibyte);
  CHECK(stopped.sources.count("a:y") == 0);
  REQUIRE(stopped.failures.size() == 1);
  CHECK(stopped.failures[0].starts_with("stopped unpacking a:bomb.bz2: more than 100 bytes"));

  limits.ratio = 100'000;
  CHECK(unpacked(archive, limits).failures.empty());
  limits.ratio = 100;
  limits.bytes = 2 * mebibyte;
  CHECK(unpacked(archive, limits).failures.empty());
}

TEST_CASE("unpack: bytes behind the end of a nested archive count toward the limit of growth") {
  const std::string archive = tar({{"m.tar", tar({{"x", "x\n"}}) + std::string(mebibyte, '\0')}, {"y", "y\n"}});
  UnpackLimits limits;
  CHECK(unpacked(archive, limits).sources == Sources{{"a:m.tar:x", "x\n"}, {"a:y", "y\n"}});
  limits.bytes = mebibyte;
  limits.ratio = 0;
  CHECK(unpacked(archive, limits).failures.size() == 1);
}

TEST_CASE("unpack: an archive of more members than the limit is read up to it") {
  UnpackLimits limits;
  limits.members = 2;
  CHECK(unpacked(tar({{"x", ""}, {"y", ""}}), limits).failures.empty());
  const Unpacked result = unpacked(tar({{"x", ""}, {"y", ""}, {"z", ""}}), limits);
  CHECK(result.sources.size() == 2);
  REQUIRE(result.failures.size() == 1);
  CHECK(result.failures[0] == "stopped unpacking a: it has more than 2 members; what came before is read");
}

TEST_CASE("unpack: members of nested archives count toward the limit") {
  UnpackLimits limits;
  limits.members = 3;
  const std::string middle = tar({{"x", ""}, {"y", ""}, {"z", ""}});
  CHECK(unpacked(tar({{"m.tar", middle}}), limits).failures.size() == 1);
}

}  // namespace
}  // namespace nccl_analyze
