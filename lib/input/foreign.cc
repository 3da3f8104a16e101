// Recognises files of other tools by their first bytes.

#include "input/foreign.h"

#include <algorithm>
#include <cstddef>

namespace nccl_analyze {
namespace {

constexpr std::size_t examined_head = 16384;  // in bytes

bool holds(std::string_view head, std::string_view word) { return head.find(word) != std::string_view::npos; }

/// Python's pickles before protocol 2 have no number of the protocol. The first value of a dump is a dictionary.
bool is_old_flight_recorder_pickle(std::string_view head) {
  return (head.starts_with("(dp0\n") || head.starts_with(std::string_view("}q\0(", 4))) &&
         (holds(head, "pg_config") || holds(head, "collective_seq_id"));
}

/// Whether the source has the metrics that the NCCL Inspector writes for Prometheus (inspector_prom.cc of its plugin).
bool is_inspector_metrics(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\n'));
  return line.starts_with("nccl_bus_bandwidth_gbs{") || line.starts_with("nccl_p2p_bus_bandwidth_gbs{");
}

struct UnsupportedFormat {
  bool (*is_it)(std::string_view head);
  std::string_view words;
};
constexpr UnsupportedFormat kinds[] = {
    {is_old_flight_recorder_pickle,
     "a pickle of PyTorch's flight recorder in protocol 0 or 1, which is not read; PyTorch writes protocol 2, Python "
     "up to "
     "5 (pickle.dump(..., protocol=2))"},
    {is_inspector_metrics,
     "metrics of the NCCL Inspector, which are not read; its JSON is (NCCL_INSPECTOR_PROM_DUMP=0)"},
};

}  // namespace

std::string_view describe_unsupported(std::string_view head) {
  head = head.substr(0, examined_head);
  const auto* const found =
      std::ranges::find_if(kinds, [&](const UnsupportedFormat& kind) { return kind.is_it(head); });
  return found == std::end(kinds) ? std::string_view{} : found->words;
}

}  // namespace nccl_analyze
