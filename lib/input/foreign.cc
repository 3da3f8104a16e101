// Recognises files of other tools by their first bytes.

#include "input/foreign.h"

#include <algorithm>
#include <cstddef>

namespace nccl_analyze {
namespace {

constexpr std::size_t examined_head = 16384;  // in bytes

bool holds(std::string_view head, std::string_view word) { return head.find(word) != std::string_view::npos; }

/// Python's pickles since protocol 2 begin with the byte 0x80 and the number of the protocol.
bool is_pickle(std::string_view head) {
  return head.size() > 2 && head[0] == '\x80' && head[1] >= '\x02' && head[1] <= '\x05';
}

bool is_flight_recorder_pickle(std::string_view head) {
  return is_pickle(head) && (holds(head, "pg_config") || holds(head, "collective_seq_id"));
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
    {is_flight_recorder_pickle,
     "a pickle of PyTorch's flight recorder, which is not read because loading a pickle runs code; if you trust it, "
     "convert it with Python (pickle.load, json.dump)"},
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
