// The table of formats.

#include "evidence/formats.h"

#include <array>

namespace nccl_analyze::evidence {

std::span<const Format> line_formats() {
  static constexpr std::array<Format, 4> formats{{
      {"nccl-tests", "# nccl-tests version ", begin_nccl_tests_table},
      {"nccl-tests", "# nThread ", begin_nccl_tests_table},  // the first line up to nccl-tests 2.16
      {"pod manifest", "apiVersion: ", begin_pod_manifest},
      {"pod manifest", "kind: Pod", begin_pod_manifest},
  }};
  return formats;
}

std::span<const JsonFormat> json_formats() {
  static constexpr std::array<JsonFormat, 3> formats{{
      {"nccl-tests", "version", "\"start_time\"", read_nccl_tests_json},
      {"pod manifest", "apiVersion", "\"containers\"", read_pod_manifest_json},
      {"pod manifest", "kind", "\"containers\"", read_pod_manifest_json},
  }};
  return formats;
}

}  // namespace nccl_analyze::evidence
