#pragma once
/// Decompresses streams. Damaged or truncated input yields the bytes before the damage, as with gzip and the other
/// formats' own tools.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// Returns the next bytes, an empty view at the end, or nullopt if they cannot be read; the function itself reports
/// that error.
using NextBlock = std::function<std::optional<std::string_view>()>;

/// The decompressor of one format.
class Codec {
 public:
  struct Step {
    std::size_t read = 0, written = 0;
    bool ended = false;      ///< A gzip member, xz stream or zstd frame has ended; another may follow.
    std::string_view wrong;  ///< Why decompression cannot continue; empty while it can.
  };

  virtual ~Codec() = default;
  /// Prepares for the next member.
  virtual void restart() = 0;
  /// Decompresses as much of `in` as fits into the `size` bytes at `out`.
  virtual Step step(std::string_view in, char* out, std::size_t size) = 0;
};

using MakeCodec = std::unique_ptr<Codec> (*)();
std::unique_ptr<Codec> make_gzip();
std::unique_ptr<Codec> make_bzip2();
std::unique_ptr<Codec> make_xz();
std::unique_ptr<Codec> make_zstd();
std::unique_ptr<Codec> make_lz4();

/// Joins the decompressed members of one stream.
class Decompression {
 public:
  /// Reads `head`, then what `more` returns; both must outlive this object.
  Decompression(std::unique_ptr<Codec> codec, std::string_view head, const NextBlock& more);

  /// Returns the next block, valid until the next call; empty at the end, nullopt with a reason in wrong() if the
  /// stream ends early.
  std::optional<std::string_view> next();
  /// Why the stream ended early; empty unless the bytes are truncated or damaged.
  const std::string& wrong() const { return wrong_; }
  /// Whether bytes after the last member were ignored because they belong to no member.
  bool trailing() const { return trailing_; }

 private:
  bool fill();
  bool begin_member();

  std::unique_ptr<Codec> codec_;
  const NextBlock& more_;
  std::unique_ptr<char[]> out_;
  std::string_view in_;
  std::string wrong_;
  std::uint64_t member_bytes_ = 0;  ///< Decompressed bytes of the current member.
  bool in_member_ = true, first_ = true, ended_ = false, trailing_ = false;
};

}  // namespace nccl_analyze
