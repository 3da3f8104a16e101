#pragma once
/// Names the GPUs of a job and their architectures, as far as tools or PyTorch print them.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// PyTorch's warning that it was not built for a GPU: `NVIDIA B200 with CUDA capability sm_100 is not compatible with
/// the current PyTorch installation.`
struct UnsupportedGpu {
  std::string gpu;           ///< Product name; empty if the line does not show it.
  std::string architecture;  ///< Digits: `100`; empty if the line does not show it.
};
bool is_unsupported_gpu(const Incident& incident);
UnsupportedGpu unsupported_gpu(const Incident& incident);

/// Returns the product names of GPUs in the output of nccl-tests, in documents about machines and in PyTorch's
/// warnings. A name may occur several times, but not twice in a row.
std::vector<std::string_view> gpu_products(const Model& model);

/// Returns the number of the GPUs' architecture, such as `90` of `sm_90`: the first that PyTorch prints, else that of
/// all product names. Empty if there is no product name, if the architecture of one is unknown, or if they differ.
std::string gpu_architecture(const Model& model);

}  // namespace nccl_analyze
