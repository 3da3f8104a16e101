#pragma once
// Lists the keys of a pod manifest that the analysis reads, and the keys whose values may be any text.

#include <algorithm>
#include <array>
#include <string_view>

#include "redact/bytes.h"

namespace nccl_analyze::redact {

/// The values of these keys are read, or decide how others are read (lib/evidence/pod_manifest.cc).
inline constexpr std::array<std::string_view, 15> kept_manifest_keys = {
    "apiVersion", "kind",   "name",      "namespace", "hostNetwork", "hostIPC", "hostname", "nodeName",
    "privileged", "medium", "sizeLimit", "mountPath", "add",         "cpu",     "memory"};

/// These members may contain anything, even in keys: programs, their settings, labels of their owners.
inline constexpr std::array<std::string_view, 12> hidden_manifest_keys = {
    "command",          "args",         "env",  "envFrom",    "annotations", "labels", "matchLabels",
    "matchExpressions", "nodeSelector", "data", "stringData", "exec"};

/// The members of these objects are quantities of resources such as `nvidia.com/gpu`.
inline constexpr std::array<std::string_view, 2> lists_of_quantities = {"limits", "requests"};

inline bool is_quantity(std::string_view value) {
  constexpr std::string_view units = "mkMGTPEi";
  const std::size_t digits = end_of(value, 0, [](char c) { return is_digit(c) || c == '.'; });
  return digits > 0 && end_of(value, digits, [&](char c) { return units.find(c) != units.npos; }) == value.size();
}

inline void mask_text(char* begin, char* end) {
  std::replace_if(
      begin, end, [](char c) { return is_digit(c) || is_letter(c) || is_other_letter(c); }, 'x');
}

}  // namespace nccl_analyze::redact
