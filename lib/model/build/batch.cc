// Packs batches as varints, delta-coded against the batch's rank and first line.

#include "model/build/batch.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

namespace nccl_analyze::builder {

namespace {

/// Writes numbers as zigzag varints, which are short for small negative numbers too.
class Packing {
 public:
  explicit Packing(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  template <class T, class Base = int>
  void number(const T& value, Base base = {}) {
    const std::uint64_t difference = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(base);
    const bool negative = difference >> 63U != 0;
    std::uint64_t left = difference << 1U ^ (negative ? ~std::uint64_t{0} : 0);
    for (; left >= 128; left >>= 7U) bytes_.push_back(static_cast<std::uint8_t>(left | 128U));
    bytes_.push_back(static_cast<std::uint8_t>(left));
  }
  void line(const LineRef& at, const LineRef& base) {
    number(std::uint64_t{at.line}, std::uint64_t{base.line});
    number(static_cast<std::uint32_t>(SourceId{at.source}), static_cast<std::uint32_t>(SourceId{base.source}));
  }
  void flags(bool a, bool b, bool c, bool d) { number((a ? 1U : 0U) | (b ? 2U : 0U) | (c ? 4U : 0U) | (d ? 8U : 0U)); }
  template <class Items>
  void size(const Items& items) {
    number(items.size());
  }

 private:
  std::vector<std::uint8_t>& bytes_;
};

class Unpacking {
 public:
  explicit Unpacking(const std::uint8_t* from) : at_(from) {}

  template <class T, class Base = int>
  void number(T& value, Base base = {}) {
    std::uint64_t coded = 0;
    for (unsigned shift = 0;; shift += 7U) {
      const std::uint8_t byte = *at_++;
      coded |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) break;
    }
    const std::uint64_t difference = coded >> 1U ^ ((coded & 1U) != 0 ? ~std::uint64_t{0} : 0);
    value = static_cast<T>(difference + static_cast<std::uint64_t>(base));
  }
  void line(LineRef& at, const LineRef& base) {
    std::uint64_t line = 0;
    std::uint32_t source = 0;
    number(line, std::uint64_t{base.line});
    number(source, static_cast<std::uint32_t>(SourceId{base.source}));
    at = {SourceId{source}, line};
  }
  void flags(bool& a, bool& b, bool& c, bool& d) {
    unsigned all = 0;
    number(all);
    a = (all & 1U) != 0;
    b = (all & 2U) != 0;
    c = (all & 4U) != 0;
    d = (all & 8U) != 0;
  }
  template <class Items>
  void size(Items& items) {
    std::size_t count = 0;
    number(count);
    items.resize(count);  // without clearing it: all values are set, and the lists in the items keep their memory
  }

 private:
  const std::uint8_t* at_;
};

template <class Coder, class AnyEvidence>
void code_evidence(Coder& coder, AnyEvidence& evidence, const LineRef& base) {
  coder.number(evidence.count);
  coder.size(evidence.lines);
  for (auto& line : evidence.lines) coder.line(line, base);
}

/// Packs or unpacks a batch, depending on the coder. One function does both, so that the order of the members is the
/// same. `first` and `process` are stored in Place instead.
template <class Coder, class AnyBatch>
void code(Coder& coder, AnyBatch& batch) {
  coder.number(batch.self);
  coder.number(batch.device);
  coder.number(batch.connected);
  coder.number(batch.comm);
  coder.number(batch.nranks);
  coder.number(batch.kind);
  coder.number(batch.lines);
  coder.line(batch.last, batch.first);
  coder.number(batch.ring_pxn);
  coder.number(batch.ring_gdr);
  coder.size(batch.connections.items());
  for (auto& group : batch.connections.items()) {
    coder.number(group.channels);
    coder.number(group.from, batch.self);
    coder.number(group.to, batch.self);
    coder.number(group.proxy_rank);
    coder.number(group.device);
    coder.number(group.transport);
    coder.number(group.block);
    coder.number(group.connection);
    coder.flags(group.receive, group.gdrdma, group.shared, group.read);
  }
  coder.size(batch.devices);
  for (auto& device : batch.devices) {
    coder.number(device.rank, batch.self);
    coder.number(device.nvml_dev);
    coder.number(device.bus_id);
  }
  coder.size(batch.transports);
  for (auto& [transport, evidence] : batch.transports) {
    coder.number(transport);
    code_evidence(coder, evidence, batch.first);
  }
  coder.size(batch.chains);
  for (auto& link : batch.chains) {
    coder.number(link.channel);
    coder.number(link.rank, batch.self);
    coder.number(link.up, batch.self);
  }
}

}  // namespace

void Batch::clear() {
  Batch empty;
  empty.connections.take_memory(connections);
  std::swap(empty.devices, devices);
  empty.devices.clear();
  std::swap(empty.transports, transports);
  empty.transports.clear();
  *this = std::move(empty);
}

std::size_t content_of(const Batch& batch) {
  std::size_t hash = static_cast<std::size_t>(batch.kind) + 31 * static_cast<std::size_t>(batch.self);
  const auto mix = [&hash](auto value) { hash = (hash ^ static_cast<std::size_t>(value)) * 0x9E3779B97F4A7C15ULL; };
  for (const ConnectionGroup& c : batch.connections.items()) {
    for (const int value : {c.from, c.to, static_cast<int>(c.device), c.proxy_rank}) mix(value);
    mix(c.channels);
    mix(c.transport);
    mix(c.connection | c.receive << 1 | c.block << 2);
  }
  return hash;
}

DeviceNaming naming_of(std::string_view library, std::string_view version) {
  std::array<int, 3> parts{};
  const char* at = version.data();
  const char* const end = version.data() + version.size();
  for (int& part : parts) {
    const auto [after, error] = std::from_chars(at, end, part);
    if (error != std::errc{}) return DeviceNaming::unknown;
    at = after == end ? after : after + 1;
  }
  if (parts < std::array{2, 5, 6}) return DeviceNaming::unknown;  // older releases print CUDA or NVML indices
  return library == "RCCL" || parts < std::array{2, 18, 3} ? DeviceNaming::bus_id : DeviceNaming::nvml;
}

void PackedBatches::add(const Batch& batch) {
  packed_.clear();
  Packing packing(packed_);
  code(packing, batch);
  if (blocks_.empty() || blocks_.back().size() + packed_.size() > block_bytes)
    blocks_.emplace_back().reserve(std::max(block_bytes, packed_.size()));
  places_.push_back({batch.first, (blocks_.size() - 1) * block_bytes + blocks_.back().size(), batch.process});
  blocks_.back().insert(blocks_.back().end(), packed_.begin(), packed_.end());
}

void PackedBatches::unpack(Index batch, Batch& into) const {
  const Place& place = places_[batch];
  into.first = place.first;
  into.process = place.process;
  Unpacking unpacking(blocks_[place.at / block_bytes].data() + place.at % block_bytes);
  code(unpacking, into);
}

void PackedBatches::sort() {
  std::sort(places_.begin(), places_.end(),
            [](const Place& a, const Place& b) { return std::tie(a.first, a.at) < std::tie(b.first, b.at); });
}

}  // namespace nccl_analyze::builder
