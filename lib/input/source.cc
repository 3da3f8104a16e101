// Reads a file descriptor in blocks; unpack.cc continues with packed input.

#include "input/source.h"

#include <cerrno>
#include <memory>
#include <optional>

#include "input/descriptor.h"
#include "input/failure.h"
#include "input/pickles.h"
#include "input/unpack.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t largest_block = std::size_t{64} << 10U;  // a block fits into the cache of a core

void read_sources(const Input& input, const SourceSink& sink) {
  const std::string name = input.path == "-" ? "<stdin>" : input.path;
  const Descriptor file(input.path);
  if (!file.open()) return sink.failed(read_failure("cannot open", name, errno));

  const auto buffer = std::make_unique_for_overwrite<char[]>(largest_block);
  int error = 0;
  bool stopped = false;
  const auto read_block = [&](std::size_t filled) {
    ssize_t count = -1;
    do {
      stopped = !sink.wait(file.number());
      if (stopped) return std::size_t{0};
      count = file.read(buffer.get() + filled, largest_block - filled);
    } while (count < 0 && errno == EAGAIN);
    if (count < 0) error = errno;
    if (count > 0 && input.path == "-" && sink.standard_input)
      sink.standard_input({buffer.get() + filled, static_cast<std::size_t>(count)});
    return count < 0 ? std::size_t{0} : static_cast<std::size_t>(count);
  };

  std::size_t filled = 0;
  for (std::size_t count = 1; count != 0 && filled < packed_magic_size; filled += count) count = read_block(filled);
  const std::string_view head(buffer.get(), filled);
  if (looks_packed(head)) {
    const auto more = [&]() -> std::optional<std::string_view> {
      const std::string_view block(buffer.get(), read_block(0));
      return error == 0 && !stopped ? std::optional(block) : std::nullopt;
    };
    unpack(name, head, more, sink);
  } else if (filled != 0 || error == 0) {
    sink.begin(name);
    for (std::size_t count = filled; count != 0; count = read_block(0))
      if (!sink.bytes({buffer.get(), count})) break;
    if (error != 0 && sink.cut) sink.cut();
    sink.end();
  }
  if (error != 0) sink.failed(read_failure("cannot read", name, error));
}

}  // namespace

void read_input(const Input& input, const SourceSink& sink) {
  PickleReading pickles(sink);
  read_sources(input, pickles.sink());
}

}  // namespace nccl_analyze
