// Finds the names of GPUs in the model, and the architecture of a product.

#include "queries/gpu_products.h"

#include <algorithm>
#include <array>
#include <span>

#include "nccl_analyze/events/external.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::string_view capability = " with CUDA capability sm_";

struct Product {
  std::string_view part;          ///< Part of the name.
  std::string_view architecture;  ///< The number in `sm_90`.
  bool is_series = false;         ///< Whether letters or digits may directly follow the part.
};

/// The first entry whose part is in a product's name applies, so that `RTX 5000 Ada` is not of the series `RTX 50`.
constexpr std::array products = {
    Product{"Ada", "89"},
    Product{"Quadro RTX", "75"},
    Product{"RTX PRO", "120"},
    Product{"RTX A", "86", true},
    Product{"RTX 50", "120", true},
    Product{"RTX 40", "89", true},
    Product{"RTX 30", "86", true},
    Product{"RTX 20", "75", true},
    Product{"GTX 16", "75", true},
    Product{"GTX 10", "61", true},
    Product{"TITAN RTX", "75"},
    Product{"TITAN V", "70"},
    Product{"GB300", "103"},
    Product{"B300", "103"},
    Product{"GB200", "100"},
    Product{"B200", "100"},
    Product{"B100", "100"},
    Product{"GB10", "121"},
    Product{"GH200", "90"},
    Product{"H200", "90"},
    Product{"H100", "90"},
    Product{"H800", "90"},
    Product{"H20", "90"},
    Product{"L40S", "89"},
    Product{"L40", "89"},
    Product{"L20", "89"},
    Product{"L4", "89"},
    Product{"A100", "80"},
    Product{"A800", "80"},
    Product{"A30", "80"},
    Product{"A40", "86"},
    Product{"A10", "86"},
    Product{"A10G", "86"},
    Product{"A16", "86"},
    Product{"A2", "86"},
    Product{"T4", "75"},
    Product{"V100", "70"},
    Product{"P100", "60"},
    Product{"P40", "61"},
    Product{"P4", "61"},
    Product{"M60", "52"},
    Product{"M40", "52"},
    Product{"K80", "37"},
    Product{"K40", "35"},
};

bool is_of_word(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool names(std::string_view text, const Product& product) {
  const std::size_t at = text.find(product.part), end = at + product.part.size();
  if (at == std::string_view::npos || (at > 0 && is_of_word(text[at - 1]))) return false;
  return product.is_series || end == text.size() || !is_of_word(text[end]);
}

std::string_view architecture_of(std::string_view product) {
  const auto found = std::ranges::find_if(products, [&](const Product& one) { return names(product, one); });
  return found == products.end() ? std::string_view{} : found->architecture;
}

std::string_view gpu_before_capability(std::string_view line) {
  const std::size_t end = line.find(capability);
  if (end == std::string_view::npos) return {};
  const std::size_t tag = line.substr(0, end).rfind(": ");
  return tag == std::string_view::npos ? line.substr(0, end) : line.substr(tag + 2, end - tag - 2);
}

/// Returns at most the first 256 incidents: PyTorch's warnings are among them, because it warns when a process first
/// uses its GPU.
std::span<const Incident> first_incidents(const Model& model) {
  constexpr std::size_t most = 256;
  return std::span(model.incidents.data(), std::min(model.incidents.size(), most));
}

}  // namespace

bool is_unsupported_gpu(const Incident& incident) {
  return incident.kind == IncidentKind::phrase_seen && contains(incident.message, capability);
}

UnsupportedGpu unsupported_gpu(const Incident& incident) {
  const std::string_view line = incident.message;
  const std::size_t at = line.find(capability);
  if (at == std::string_view::npos) return {};
  const std::string_view number = line.substr(at + capability.size());
  return {std::string(gpu_before_capability(line)),
          std::string(number.substr(0, number.find_first_not_of("0123456789")))};
}

std::vector<std::string_view> gpu_products(const Model& model) {
  std::vector<std::string_view> found;
  const auto add = [&](std::string_view product) {
    if (!product.empty() && (found.empty() || found.back() != product)) found.push_back(product);
  };
  for (const Benchmark& benchmark : model.benchmarks)
    for (const BenchmarkRank& rank : benchmark.ranks) add(rank.gpu);
  for (const Machine& machine : model.machines)
    for (const MachineGpu& gpu : machine.gpus) add(gpu.product);
  for (const Incident& incident : first_incidents(model))
    if (is_unsupported_gpu(incident)) add(gpu_before_capability(incident.message));
  return found;
}

std::string gpu_architecture(const Model& model) {
  for (const Incident& incident : first_incidents(model))
    if (is_unsupported_gpu(incident))
      if (std::string number = unsupported_gpu(incident).architecture; !number.empty()) return number;
  std::string_view only;
  for (const std::string_view product : gpu_products(model)) {
    const std::string_view number = architecture_of(product);
    if (number.empty() || (!only.empty() && only != number)) return {};
    only = number;
  }
  return std::string(only);
}

}  // namespace nccl_analyze
