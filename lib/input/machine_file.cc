// Parses the whole file, because lines of NCCL may follow the description of a machine.

#include "input/machine_file.h"

#include <array>
#include <string_view>
#include <variant>

#include "input/descriptor.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/parser.h"

namespace nccl_analyze {

bool describes_machine_only(const std::string& path) {
  constexpr std::size_t largest = std::size_t{1} << 20U;
  std::array<char, std::size_t{1} << 14U> block;
  bool describes = false;
  Parser parser(SourceId{0}, [&](const Record& record) {
    describes = describes || std::holds_alternative<MachineDescribed>(record.event);
  });
  Descriptor file(path);
  for (std::size_t size = 0; size <= largest;) {
    const ssize_t count = file.read(block.data(), block.size());
    if (count < 0) return false;
    if (count == 0) {
      parser.finish();
      return describes && parser.stats().nccl_lines == 0;
    }
    size += static_cast<std::size_t>(count);
    parser.feed(std::string_view(block.data(), static_cast<std::size_t>(count)));
  }
  return false;
}

}  // namespace nccl_analyze
