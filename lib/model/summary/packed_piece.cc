// Packs pieces in two steps: as numbers of variable length and texts, then with zstd, which finds the repetitions among
// the lines of different ranks.

#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/summary/summary_parts.h"

namespace nccl_analyze {

namespace {

/// zstd's fastest level that still finds repetitions over the whole piece. Higher levels save less than a tenth.
constexpr int level = 3;

/// Flags for the optional parts of a packed record. Its line, origin and message are always there.
constexpr std::uint64_t has_times = 1, has_kind = 2, has_rest = 4;

/// Throws if a function of zstd failed. Only memory can be missing: the output of pack() fits, and unpack() reads what
/// pack() made.
void check(std::size_t result) {
  if (::ZSTD_isError(result) != 0) throw std::bad_alloc();
}

/// Appends values to a text. A number takes a byte for each seven of its bits.
class Bytes {
 public:
  explicit Bytes(std::string& out) : out_(out) {}
  void put(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) out_ += static_cast<char>(0x80U | (number & 0x7FU));
    out_ += static_cast<char>(number);
  }
  /// Appends a number of either sign. Small numbers take few bytes.
  void put_signed(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    put(bits << 1U ^ (number < 0 ? ~std::uint64_t{0} : 0));
  }
  void put(std::string_view text) {
    put(text.size());
    out_ += text;
  }

 private:
  std::string& out_;
};

/// Reads values in the order in which Bytes appended them.
class Values {
 public:
  explicit Values(std::string_view left) : left_(left) {}
  bool empty() const { return left_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !left_.empty(); shift += 7U) {
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) break;
    }
    return value;
  }
  std::int64_t signed_number() {
    const std::uint64_t bits = number();
    return static_cast<std::int64_t>(bits >> 1U ^ ((bits & 1U) != 0 ? ~std::uint64_t{0} : 0));
  }
  std::string_view text() {
    const auto size = static_cast<std::size_t>(number());
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view left_;
};

void put_origin(Bytes& bytes, const SummaryOrigin& origin) {
  for (const Text& text : {origin.host, origin.pod, origin.container, origin.location, origin.tag})
    bytes.put(text.view());
  for (const std::int64_t number : {origin.pid, origin.tid, std::int64_t{origin.device}}) bytes.put_signed(number);
  bytes.put(static_cast<std::uint64_t>(origin.level) << 1U | (origin.before ? 1U : 0U));
  if (origin.before) bytes.put(std::string_view{*origin.before});
}

/// Sets a text, which shares the storage of the text of another origin if that is equal: the origins of a piece are
/// mostly threads of a few processes.
void set_shared(Text& text, std::string_view letters, const Text& other) {
  text = letters == other.view() ? other : Text(letters);
}

SummaryOrigin origin_of(Values& values, const SummaryOrigin& before) {
  SummaryOrigin origin;
  for (Text SummaryOrigin::*const text : {&SummaryOrigin::host, &SummaryOrigin::pod, &SummaryOrigin::container,
                                          &SummaryOrigin::location, &SummaryOrigin::tag})
    set_shared(origin.*text, values.text(), before.*text);
  origin.pid = values.signed_number();
  origin.tid = values.signed_number();
  origin.device = static_cast<int>(values.signed_number());
  const std::uint64_t bits = values.number();
  origin.level = static_cast<Level>(bits >> 1U);
  if ((bits & 1U) != 0) origin.before = std::string(values.text());
  return origin;
}

void put_rest(Bytes& bytes, const SummaryRest& rest, std::uint64_t line) {
  bytes.put(rest.read_at);
  for (const Text& text : {rest.completed, rest.text, rest.timestamp, rest.time, rest.event.name})
    bytes.put(text.view());
  bytes.put(rest.event.members.size());
  for (const auto& [name, value] : rest.event.members) {
    bytes.put(name.view());
    bytes.put(value.view());
  }
  bytes.put(rest.channels.size());
  // As differences, which repeat themselves: mostly to the next line and the next channel.
  int channel_before = 0;
  for (const auto& [at, channel] : rest.channels) {
    bytes.put_signed(static_cast<std::int64_t>(at - line));
    bytes.put_signed(std::int64_t{channel} - channel_before);
    line = at;
    channel_before = channel;
  }
}

template <class Letters>
void read_rest(Values& values, std::uint64_t line, SummaryRestOf<Letters>& rest) {
  rest.read_at = values.number();
  for (Letters* const text : {&rest.completed, &rest.text, &rest.timestamp, &rest.time}) *text = values.text();
  rest.event.name = values.text();
  rest.event.members.resize(static_cast<std::size_t>(values.number()));
  for (auto& [name, value] : rest.event.members) {
    name = values.text();
    value = values.text();
  }
  rest.channels.resize(static_cast<std::size_t>(values.number()));
  std::int64_t channel_before = 0;
  for (auto& [at, channel] : rest.channels) {
    at = line += static_cast<std::uint64_t>(values.signed_number());
    channel = static_cast<int>(channel_before += values.signed_number());
  }
}

void put_record(Bytes& bytes, const SummaryRecord& record, std::uint64_t line_before) {
  const std::uint64_t kind =
      static_cast<std::uint64_t>(record.damage) << 4U | static_cast<std::uint64_t>(record.read_as);
  const std::uint64_t has =
      (record.times != 1 ? has_times : 0) | (kind != 0 ? has_kind : 0) | (record.rest ? has_rest : 0);
  bytes.put_signed(static_cast<std::int64_t>(record.line - line_before));
  bytes.put(std::uint64_t{record.origin} << 3U | has);
  if ((has & has_times) != 0) bytes.put(record.times);
  if ((has & has_kind) != 0) bytes.put(kind);
  bytes.put(record.message.view());
  if (record.rest) put_rest(bytes, *record.rest, record.line);
}

/// Members of records of the last piece, whose memory the next piece takes.
template <class Letters>
using SpareRests = std::vector<Boxed<SummaryRestOf<Letters>>>;

/// Makes a record have members that only few records have; their values are those of another record.
template <class Letters>
SummaryRestOf<Letters>& take_rest(SummaryRecordOf<Letters>& record, SpareRests<Letters>& spare) {
  if (spare.empty()) return record.rest.emplace();
  record.rest = std::move(spare.back());
  spare.pop_back();
  return *record.rest;
}

template <class Letters>
void read_record(Values& values, std::uint64_t line_before, SummaryRecordOf<Letters>& record,
                 SpareRests<Letters>& spare) {
  record.line = line_before + static_cast<std::uint64_t>(values.signed_number());
  const std::uint64_t bits = values.number();
  record.origin = static_cast<std::uint32_t>(bits >> 3U);
  if ((bits & has_times) != 0) record.times = values.number();
  if ((bits & has_kind) != 0) {
    const std::uint64_t kind = values.number();
    record.damage = static_cast<Damage>(kind >> 4U);
    record.read_as = static_cast<ReadAs>(kind & 15U);
  }
  record.message = values.text();
  if ((bits & has_rest) != 0) read_rest(values, record.line, take_rest(record, spare));
}

template <class Letters>
void read_piece(Values values, std::vector<SummaryOrigin>& origins, std::vector<SummaryRecordOf<Letters>>& records) {
  static const SummaryOrigin nobody;
  origins.resize(static_cast<std::size_t>(values.number()));
  for (std::size_t i = 0; i < origins.size(); ++i) origins[i] = origin_of(values, i == 0 ? nobody : origins[i - 1]);
  SpareRests<Letters> spare;
  for (SummaryRecordOf<Letters>& record : records)
    if (record.rest) spare.push_back(std::move(record.rest));
  records.clear();
  std::uint64_t line = 0;
  while (!values.empty()) {
    read_record(values, line, records.emplace_back(), spare);
    line = records.back().line;
  }
}

}  // namespace

PackedPiece pack(const SummaryPiece& piece) {
  std::string plain;
  Bytes bytes(plain);
  bytes.put(piece.origins.size());
  for (const SummaryOrigin& origin : piece.origins) put_origin(bytes, origin);
  std::uint64_t line = 0;
  for (const SummaryRecord& record : piece.records) {
    put_record(bytes, record, line);
    line = record.line;
  }
  std::string packed(::ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ::ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), level);
  check(size);
  return {piece, Shared(std::string(packed.data(), size)), plain.size()};
}

SummaryPiece unpack(const PackedPiece& packed) {
  SummaryPiece piece{packed.head, {}, {}};
  std::string plain(packed.body_size, '\0');
  const std::string& body = *packed.body.get();
  check(::ZSTD_decompress(plain.data(), plain.size(), body.data(), body.size()));
  read_piece(Values(plain), piece.origins, piece.records);
  return piece;
}

struct Unpacker::Impl {
  Impl() {
    if (context == nullptr) throw std::bad_alloc();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { ::ZSTD_freeDCtx(context); }

  ::ZSTD_DCtx* const context = ::ZSTD_createDCtx();
  UnpackedPiece piece;
};

Unpacker::Unpacker() : impl_(std::make_unique<Impl>()) {}
Unpacker::Unpacker(Unpacker&&) noexcept = default;
Unpacker::~Unpacker() = default;

const UnpackedPiece& Unpacker::unpack(const PackedPiece& packed) {
  UnpackedPiece& piece = impl_->piece;
  const std::string& body = *packed.body.get();
  piece.text.resize(packed.body_size);
  check(::ZSTD_decompressDCtx(impl_->context, piece.text.data(), piece.text.size(), body.data(), body.size()));
  read_piece(Values(piece.text), piece.origins, piece.records);
  return piece;
}

bool operator<(const PackedPiece& a, const PackedPiece& b) {
  if (const auto order = a.head <=> b.head; order != 0) return order < 0;
  return *a.body.get() != *b.body.get() && unpack(a) < unpack(b);
}

}  // namespace nccl_analyze
