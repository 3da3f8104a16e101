// Counts the ranks that use each pair of a GPU number and a NIC number, over all hosts of a communicator.

#include "report/graph/rails.h"

#include <map>
#include <set>
#include <string_view>

namespace nccl_analyze {
namespace {

std::string name_of_nic(const Model& model, const Communicator& communicator, int number) {
  std::set<std::string_view> names;
  for (const Rank& rank : communicator.ranks) {
    const Host* const host = model.host_of(rank.process);
    if (host == nullptr) continue;
    for (const HostNic& nic : host->nics)
      if (nic.index == number && !nic.name.empty() && nic.name.find('+') == std::string::npos) names.insert(nic.name);
    if (names.size() > 1) return {};
  }
  return names.empty() ? std::string{} : std::string{*names.begin()};
}

}  // namespace

Rails rails_of(const Model& model, const Communicator& communicator) {
  constexpr int most = 64;  // bits of Rank::nics
  std::map<int, std::map<int, std::size_t>> uses;
  std::set<int> nics;
  for (const Rank& rank : communicator.ranks) {
    const int gpu = rank.nvml_dev >= 0 ? rank.nvml_dev : rank.cuda_dev;
    if (gpu < 0) continue;
    for (int nic = 0; nic < most; ++nic) {
      if ((rank.nics >> static_cast<unsigned>(nic) & 1U) == 0) continue;
      nics.insert(nic);
      ++uses[gpu][nic];
    }
  }
  Rails rails;
  rails.nics.assign(nics.begin(), nics.end());
  for (const int nic : nics) rails.names.push_back(name_of_nic(model, communicator, nic));
  for (const auto& [gpu, counts] : uses) {
    rails.gpus.push_back(gpu);
    std::vector<std::size_t>& row = rails.ranks.emplace_back();
    for (const int nic : nics) {
      const auto found = counts.find(nic);
      row.push_back(found == counts.end() ? 0 : found->second);
    }
  }
  return rails;
}

std::string describe_rails(const Rails& rails) {
  std::string text;
  for (std::size_t gpu = 0; gpu < rails.gpus.size(); ++gpu) {
    text.append(text.empty() ? "GPU " : ", GPU ").append(std::to_string(rails.gpus[gpu]));
    std::string_view between = " ";
    for (std::size_t nic = 0; nic < rails.nics.size(); ++nic) {
      if (rails.ranks[gpu][nic] == 0) continue;
      text.append(between).append(rails.names[nic].empty() ? "NIC " + std::to_string(rails.nics[nic])
                                                           : rails.names[nic]);
      between = "+";
    }
  }
  return text;
}

}  // namespace nccl_analyze
