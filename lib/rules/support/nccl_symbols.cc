// The functions of nccl.h by the release that added them.

#include "rules/support/nccl_symbols.h"

#include <algorithm>
#include <array>

namespace nccl_analyze {

namespace {

struct Function {
  std::string_view name, release;
};

constexpr std::array functions = {
    Function{"ncclCommAbort", "2.4.2"},
    Function{"ncclCommGetAsyncError", "2.4.2"},
    Function{"ncclSend", "2.7.3"},
    Function{"ncclRecv", "2.7.3"},
    Function{"ncclRedOpCreatePreMulSum", "2.11.4"},
    Function{"ncclRedOpDestroy", "2.11.4"},
    Function{"ncclGetLastError", "2.13.4"},
    Function{"ncclCommFinalize", "2.14.3"},
    Function{"ncclCommInitRankConfig", "2.14.3"},
    Function{"ncclCommSplit", "2.18.1"},
    Function{"ncclCommRegister", "2.19.1"},
    Function{"ncclCommDeregister", "2.19.1"},
    Function{"ncclMemAlloc", "2.19.1"},
    Function{"ncclMemFree", "2.19.1"},
    Function{"ncclGroupSimulateEnd", "2.22.3"},
    Function{"ncclCommInitRankScalable", "2.23.4"},
    Function{"ncclCommShrink", "2.27.3"},
    Function{"ncclCommWindowRegister", "2.27.3"},
    Function{"ncclCommWindowDeregister", "2.27.3"},
    Function{"ncclAlltoAll", "2.28.3"},
    Function{"ncclGather", "2.28.3"},
    Function{"ncclScatter", "2.28.3"},
    Function{"ncclCommRevoke", "2.28.7"},
    Function{"ncclCommGrow", "2.29.2"},
    Function{"ncclCommGetUniqueId", "2.29.2"},
    Function{"ncclPutSignal", "2.29.2"},
    Function{"ncclSignal", "2.29.2"},
    Function{"ncclWaitSignal", "2.29.2"},
    Function{"ncclWinGetUserPtr", "2.29.2"},
    Function{"ncclCommMemStats", "2.29.7"},
    Function{"ncclCommSuspend", "2.29.7"},
    Function{"ncclCommResume", "2.29.7"},
};

bool is_of_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

}  // namespace

std::string_view missing_function(std::string_view text) {
  for (const std::string_view words : {"undefined symbol: ", "undefined reference to ", "error: identifier "}) {
    const std::size_t at = text.find(words);
    if (at == std::string_view::npos) continue;
    std::string_view name = text.substr(at + words.size());
    name.remove_prefix(!name.empty() && (name[0] == '"' || name[0] == '`' || name[0] == '\'') ? 1 : 0);
    const auto end = std::ranges::find_if_not(name, is_of_name);
    name = name.substr(0, static_cast<std::size_t>(end - name.begin()));
    if (name.starts_with("nccl") && !name.starts_with("nccl_")) return name;
  }
  return {};
}

std::string_view first_release_with(std::string_view function) {
  const auto found = std::ranges::find(functions, function, &Function::name);
  return found == functions.end() ? std::string_view{} : found->release;
}

}  // namespace nccl_analyze
