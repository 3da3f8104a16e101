#pragma once
/// Compressed bytes as a stream of plain ones, up to where they are cut or damaged, as the formats' own tools give
/// them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// The next bytes, none at the end; nothing when they cannot be read, and whoever reads them says so.
using NextBlock = std::function<std::optional<std::string_view>()>;

/// A codec, from its library.
class Codec {
 public:
  struct Step {
    std::size_t read = 0, written = 0;
    bool ended = false;      ///< A gzip member, xz stream or zstd frame; another may follow.
    std::string_view wrong;  ///< Why it cannot go on; empty while it can.
  };

  virtual ~Codec() = default;
  /// Begins anew.
  virtual void restart() = 0;
  virtual Step step(std::string_view in, char* out, std::size_t size) = 0;
};

using MakeCodec = std::unique_ptr<Codec> (*)();
std::unique_ptr<Codec> make_gzip();
std::unique_ptr<Codec> make_bzip2();
std::unique_ptr<Codec> make_xz();
std::unique_ptr<Codec> make_zstd();
std::unique_ptr<Codec> make_lz4();

class Decompression {
 public:
  /// Reads `head` and then what `more` returns; both must outlive this.
  Decompression(std::unique_ptr<Codec> codec, std::string_view head, const NextBlock& more);

  /// Nothing, and a reason in wrong(), where it does not go on. A view lives until the next call.
  std::optional<std::string_view> next();
  /// Empty unless the bytes are cut or damaged.
  const std::string& wrong() const { return wrong_; }
  /// Bytes that belong to no member stand behind the last one, and are left out.
  bool trailing() const { return trailing_; }

 private:
  bool fill();
  bool begin_member();

  std::unique_ptr<Codec> codec_;
  const NextBlock& more_;
  std::unique_ptr<char[]> out_;
  std::string_view in_;
  std::string wrong_;
  std::uint64_t member_bytes_ = 0;  ///< What has come out of the current member.
  bool in_member_ = true, first_ = true, ended_ = false, trailing_ = false;
};

}  // namespace nccl_analyze
