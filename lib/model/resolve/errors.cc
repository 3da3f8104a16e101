// Determines the error number of a failed call from the printed number or the error text.

#include "model/resolve/errors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "nccl_analyze/events/external.h"
#include "nccl_analyze/events/fault.h"
#include "nccl_analyze/events/ib.h"
#include "nccl_analyze/events/ofi.h"
#include "nccl_analyze/events/transport.h"
#include "text/lower_case.h"
#include "text/word_list.h"

namespace nccl_analyze::builder {

namespace {

struct Words {
  std::string_view text;  ///< Lower case.
  int number;
};

/// Error texts of glibc's strerror().
constexpr std::array<Words, 29> errnos = {{
    {"operation not permitted", 1},
    {"no such file or directory", 2},
    {"input/output error", 5},
    {"resource temporarily unavailable", 11},
    {"cannot allocate memory", 12},
    {"permission denied", 13},
    {"bad address", 14},
    {"device or resource busy", 16},
    {"no such device", 19},
    {"invalid argument", 22},
    {"too many open files in system", 23},
    {"too many open files", 24},
    {"no space left on device", 28},
    {"read-only file system", 30},
    {"broken pipe", 32},
    {"function not implemented", 38},
    {"no data available", 61},
    {"operation not supported", 95},
    {"address family not supported", 97},
    {"address already in use", 98},
    {"cannot assign requested address", 99},
    {"network is unreachable", 101},
    {"software caused connection abort", 103},
    {"connection reset", 104},
    {"timed out", 110},
    {"connection refused", 111},
    {"no route to host", 113},
    {"host is unreachable", 113},
    {"operation now in progress", 115},
}};

/// Error texts of cudaGetErrorString(). The first match counts, so a text precedes the shorter texts that it contains.
/// Those of PyTorch for an error of cudaGetDeviceCount() are among them, and those of HIP.
constexpr std::array<Words, 55> cuda_errors = {{
    {"no cuda gpus are available", 100},
    {"no hip gpus are available", 100},
    {"no gpus found", 100},
    {"no rocm-capable device", 100},
    {"cuda driver initialization failed", 3},
    {"initialization error", 3},
    {"no cuda-capable device", 100},
    {"devices unavailable", 46},
    {"is/are busy", 46},
    {"uncorrectable ecc error", 214},
    {"uncorrectable nvlink error", 220},
    {"device-side assert", 710},
    {"misaligned address", 716},
    {"out of memory", 2},
    {"driver shutting down", 4},
    {"driver is a stub library", 34},
    {"driver version is insufficient", 35},
    {"forward compatibility was attempted", 804},
    {"unsupported display driver", 803},
    {"mps client failed to connect", 805},
    {"mps server is not ready", 807},
    {"maximum number of clients", 808},
    {"maximum number of device connections", 809},
    {"not supported in the installed cuda driver", 36},
    {"invalid device ordinal", 101},
    {"invalid device function", 98},
    {"device kernel image is invalid", 200},
    {"invalid device context", 201},
    {"no kernel image is available", 209},
    {"peer access is not supported", 217},
    {"ptx jit compilation failed", 218},
    {"invalid kernel file", 218},  // hipErrorInvalidKernelFile
    {"ptx jit compiler library not found", 221},
    {"unsupported toolchain", 222},
    {"ptx jit compilation was disabled", 223},
    {"shared object symbol not found", 302},
    {"shared object initialization failed", 303},
    {"invalid resource handle", 400},
    {"cannot be performed in the present state", 401},
    {"named symbol not found", 500},
    {"an illegal memory access was encountered", 700},
    {"too many resources requested", 701},
    {"the launch timed out", 702},
    {"cannot set while device is active", 708},
    {"context is destroyed", 709},
    {"peer mapping", 711},
    {"illegal instruction was encountered", 715},
    {"unspecified launch failure", 719},
    {"os call failed", 304},
    {"operation not permitted when stream is capturing", 900},
    {"operation not permitted", 800},
    {"operation not supported", 801},
    {"system not yet initialized", 802},
    {"cuda unknown error", 999},
    {"unknown error", 999},
}};

template <std::size_t size>
int number_in(const std::array<Words, size>& table, std::string_view text) {
  const std::string words = lower_case(text);
  for (const Words& row : table)
    if (words.find(row.text) != std::string::npos) return row.number;
  return 0;
}

constexpr int highest_errno = 133, highest_cuda_error = 999;

/// Returns the absolute value of the number after `words`, as in `Unknown error -12`, `RC: -12` or `error (12)`; 0 if
/// there is none, or if it is higher than `most`.
int number_behind(std::string_view text, std::string_view words, int most) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return 0;
  const std::size_t digits = text.find_first_of("-0123456789", at + words.size());
  if (digits == std::string_view::npos || digits > at + words.size() + 2) return 0;
  std::int64_t number = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), number);
  return number < -most || number > most ? 0 : static_cast<int>(number < 0 ? -number : number);
}

/// The number of the error of CUDA or HIP that a text names, or prints behind one of these words; 0 if there is none.
template <std::size_t size>
int cuda_error_in(std::string_view text, const std::array<std::string_view, size>& before) {
  if (const int number = number_in(cuda_errors, text)) return number;
  for (const std::string_view words : before)
    if (const int number = number_behind(text, words, highest_cuda_error); number > 0) return number;
  return 0;
}

/// The number of the error of CUDA or HIP that a program reports; 0 if its words speak of neither, since the text of an
/// error, such as `invalid argument`, may then be another program's.
int cuda_error_of_program(const Incident& incident) {
  constexpr std::array<std::string_view, 5> rules = {"cuda-error", "driver-too-old", "nccl-too-old-for-gpu",
                                                     "fabric-manager-down", "p2p-failed"};
  const bool is_of_cuda = incident.kind == IncidentKind::phrase_seen
                              ? std::ranges::find(rules, std::string_view(incident.topic)) != rules.end()
                              : is_cuda_exception(incident.event.as<ProgramRaised>().exception, incident.error);
  constexpr std::array<std::string_view, 3> before = {"CUDA error", "HIP error", ". Error"};
  const std::string_view text = incident.kind == IncidentKind::phrase_seen ? incident.message : incident.error;
  return is_of_cuda ? cuda_error_in(text, before) : 0;
}

}  // namespace

bool is_cuda_exception(std::string_view exception, std::string_view words) {
  constexpr std::string_view checks[] = {"CUDA failure", "HIP failure", "CUDA error", "Cuda error", "by GPU"};
  static constexpr WordList doors{
      "CUDA error|HIP error|cuda runtime error (|CUDA runtime error|CUDA driver error|"
      "CUDA Runtime API error: <cudaError_t.|CUDA Driver API error: <CUresult.|CUDART error|invalid device ordinal|"
      "no CUDA-capable device is detected|an illegal memory access was encountered|device-side assert triggered|"
      "cudaGetDeviceCount()|hipGetDeviceCount()|No CUDA GPUs are available|No HIP GPUs are available|no GPUs found|"
      "Found no NVIDIA driver|CUDA unknown error|CUDA driver initialization failed|"
      "re-initialize CUDA in forked subprocess",
      '|'};
  return std::ranges::find(checks, exception) != std::end(checks) ||
         exception.find("AcceleratorError") != std::string_view::npos ||
         std::ranges::any_of(doors, [&](std::string_view door) { return words.find(door) != std::string_view::npos; });
}

int errno_of(const Incident& incident) {
  for (const int code : {incident.event.as<CallFailed>().code, incident.event.as<SharedMemoryFailed>().code,
                         incident.event.as<OfiRequestFailed>().code})
    if (code < -1 ? code >= -highest_errno : code > 0 && code <= highest_errno) return code < 0 ? -code : code;
  for (const std::string_view text : {std::string_view(incident.error), std::string_view(incident.message)}) {
    if (const int number = number_in(errnos, text)) return number;
    for (const std::string_view words : {"Unknown error", "RC:", "rc:", "errno"})
      if (const int number = number_behind(text, words, highest_errno); number > 0) return number;
  }
  return 0;
}

int cuda_error_of(const Incident& incident) {
  // A line that was cut before its last quote has no row in the table of messages, and no failure of HIP has one.
  const bool is_cut = incident.kind == IncidentKind::other_warning &&
                      (incident.message.starts_with("Cuda failure ") || incident.message.starts_with("HIP failure"));
  const bool is_cuda =
      is_cut || incident.kind == IncidentKind::cuda_failed || incident.kind == IncidentKind::out_of_memory;
  if (incident.kind == IncidentKind::nvls_failed) return std::max(0, incident.event.as<NvlsFailed>().code);
  if (incident.kind == IncidentKind::program_raised || incident.kind == IncidentKind::phrase_seen)
    return cuda_error_of_program(incident);
  if (!is_cuda) return 0;
  const int code = incident.event.as<CudaFailed>().code;
  if (incident.kind == IncidentKind::cuda_failed && code > 0 && code <= highest_cuda_error) return code;
  constexpr std::array<std::string_view, 3> before = {"Cuda failure", "CUDA error", "HIP failure"};
  return cuda_error_in(incident.error.empty() ? std::string_view(incident.message) : incident.error, before);
}

}  // namespace nccl_analyze::builder
