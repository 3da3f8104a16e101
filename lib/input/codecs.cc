// Wraps zlib, libbz2, liblzma, libzstd and liblz4, which no other file uses.

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "input/decompress.h"

namespace nccl_analyze {
namespace {

constexpr std::string_view damaged = "it is damaged";
constexpr std::string_view too_large = "it needs more memory than is given to it";
/// `xz -9` needs 65 MiB; a stream that needs more than this limit is no compressed log.
constexpr std::uint64_t max_xz_memory = std::uint64_t{256} << 20U;

/// Sets the buffers of a gzip, bzip2 or xz stream, whose structs have the same members.
template <class Stream, class Byte>
void give(Stream& stream, std::string_view in, char* out, std::size_t size) {
  using Size = decltype(stream.avail_in);
  constexpr std::size_t most = std::numeric_limits<unsigned>::max();
  // libbz2 and zlib take non-const pointers to input, but do not write to it.
  stream.next_in = reinterpret_cast<Byte*>(const_cast<char*>(in.data()));
  stream.avail_in = static_cast<Size>(std::min(in.size(), most));
  stream.next_out = reinterpret_cast<Byte*>(out);
  stream.avail_out = static_cast<Size>(std::min(size, most));
}

template <class Stream>
Codec::Step taken(const Stream& stream, std::string_view in, std::size_t size) {
  return {.read = in.size() - stream.avail_in, .written = size - stream.avail_out, .ended = false, .wrong = {}};
}

Codec::Step refused(std::string_view why) { return {.read = 0, .written = 0, .ended = false, .wrong = why}; }

class Gzip : public Codec {
 public:
  Gzip() { ::inflateInit2(&stream_, 16 + MAX_WBITS); }  // adding 16 accepts only gzip headers
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() override { ::inflateEnd(&stream_); }
  void restart() override { ::inflateReset(&stream_); }
  Step step(std::string_view in, char* out, std::size_t size) override {
    give<z_stream, Bytef>(stream_, in, out, size);
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    Step step = taken(stream_, in, size);
    step.ended = status == Z_STREAM_END;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) step.wrong = damaged;
    return step;
  }

 private:
  z_stream stream_{};
};

class Bzip2 : public Codec {
 public:
  Bzip2() { ::BZ2_bzDecompressInit(&stream_, 0, 0); }
  Bzip2(const Bzip2&) = delete;
  Bzip2& operator=(const Bzip2&) = delete;
  ~Bzip2() override { ::BZ2_bzDecompressEnd(&stream_); }
  void restart() override {
    ::BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    ::BZ2_bzDecompressInit(&stream_, 0, 0);
  }
  Step step(std::string_view in, char* out, std::size_t size) override {
    give<bz_stream, char>(stream_, in, out, size);
    const int status = ::BZ2_bzDecompress(&stream_);
    Step step = taken(stream_, in, size);
    step.ended = status == BZ_STREAM_END;
    if (status != BZ_OK && status != BZ_STREAM_END) step.wrong = status == BZ_MEM_ERROR ? too_large : damaged;
    return step;
  }

 private:
  bz_stream stream_{};
};

class Xz : public Codec {
 public:
  Xz() { restart(); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;
  ~Xz() override { ::lzma_end(&stream_); }
  void restart() override { started_ = ::lzma_stream_decoder(&stream_, max_xz_memory, 0); }
  Step step(std::string_view in, char* out, std::size_t size) override {
    if (started_ != LZMA_OK) return refused(too_large);
    give<lzma_stream, std::uint8_t>(stream_, in, out, size);
    const lzma_ret status = ::lzma_code(&stream_, LZMA_RUN);
    Step step = taken(stream_, in, size);
    step.ended = status == LZMA_STREAM_END;
    if (status == LZMA_MEMLIMIT_ERROR || status == LZMA_MEM_ERROR)
      step.wrong = too_large;
    else if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR)
      step.wrong = damaged;
    return step;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret started_ = LZMA_OK;
};

class Zstd : public Codec {
 public:
  void restart() override { ::ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only); }
  Step step(std::string_view in, char* out, std::size_t size) override {
    if (!context_) return refused(too_large);
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, size, 0};
    const std::size_t status = ::ZSTD_decompressStream(context_.get(), &to, &from);
    Step step{.read = from.pos, .written = to.pos, .ended = false, .wrong = {}};
    if (::ZSTD_isError(status) != 0)
      step.wrong = damaged;
    else
      step.ended = status == 0;
    return step;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context_{::ZSTD_createDCtx(), &::ZSTD_freeDCtx};
};

class Lz4 : public Codec {
 public:
  Lz4() { ::LZ4F_createDecompressionContext(&context_, LZ4F_VERSION); }
  Lz4(const Lz4&) = delete;
  Lz4& operator=(const Lz4&) = delete;
  ~Lz4() override { ::LZ4F_freeDecompressionContext(context_); }
  void restart() override { ::LZ4F_resetDecompressionContext(context_); }
  Step step(std::string_view in, char* out, std::size_t size) override {
    if (context_ == nullptr) return refused(too_large);
    std::size_t read = in.size(), written = size;
    const std::size_t status = ::LZ4F_decompress(context_, out, &written, in.data(), &read, nullptr);
    if (::LZ4F_isError(status) != 0) return refused(damaged);
    return {.read = read, .written = written, .ended = status == 0, .wrong = {}};
  }

 private:
  LZ4F_dctx* context_ = nullptr;
};

}  // namespace

std::unique_ptr<Codec> make_gzip() { return std::make_unique<Gzip>(); }
std::unique_ptr<Codec> make_bzip2() { return std::make_unique<Bzip2>(); }
std::unique_ptr<Codec> make_xz() { return std::make_unique<Xz>(); }
std::unique_ptr<Codec> make_zstd() { return std::make_unique<Zstd>(); }
std::unique_ptr<Codec> make_lz4() { return std::make_unique<Lz4>(); }

}  // namespace nccl_analyze
